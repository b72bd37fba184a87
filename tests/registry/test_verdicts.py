"""Of a kind, odd, another, or broken."""

from __future__ import annotations

import re
import time
from functools import partial

import pytest

from offprompt.registry.formats import format_of
from offprompt.registry.rules import FormatRule
from offprompt.registry.tables import built
from offprompt.registry.verdicts import MAX_JUDGED, Verdict, placeholder_left, verdict
from tests.growth import LINEAR, MEASURABLE, growth


def of(format_id: str, value: str) -> Verdict:
    rule = format_of(format_id, "X").rule
    assert rule is not None
    return verdict(rule, value)


JWT = "eyJhbGciOiJub25lIn0.e30.c2ln"
PEM = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("format_id", "fine", "odd", "other", "broken"),
    [
        ("integer", ["0", "-7", "+42"], ["1_000", "1e3", "0x1F", "3.5", "1" * 41], ["abc", "-", "ten"], []),
        ("boolean", ["true", "FALSE", "0", "On"], ["enabled", "2"], [], []),
        ("hex", ["0f" * 8, "0xABCDEF01"], ["abc", "ab:cd:ef:01"], ["xyz!", "ghijklmnop"], []),
        (
            "base64",
            ["YWJj", "YWI=", "YWI", "a-_b", "YW Jj\nYWJj", "base64:QUJD"],
            [],
            ["a", "hello!", "a===", "ab="],
            [],
        ),
        ("email", ["me@example.com", "Me <me@example.com>"], ["me@localhost", "a@b.c, d@e.f"], ["me", "@"], []),
        ("url", ["https://example.com", "HTTP://h:1/x?y"], ["ws://h", "localhost:3000"], ["example.com"], ["http://"]),
        (
            "uuid",
            ["00000000-0000-4000-8000-00000000000F"],
            ["0" * 32, "{00000000-0000-4000-8000-000000000000}"],
            ["x"],
            [],
        ),
        ("jwt", [JWT], [f"Bearer {JWT}", "a.b.c.d.e"], ["a.b.c", "W10.e30.c2ln", JWT[:20], "_w.e30.c2ln"], []),
        (
            "pem",
            [PEM, PEM.replace("\n", "\\n"), PEM + "\\n"],
            ["LS0tLS1CRUdJTiBY", f'"{PEM}"'],
            ["key.pem"],
            [PEM[:40]],
        ),
        ("json", ['{"a": 1}', "[]", "null", "1"], ["eyJhIjoxfQ=="], ["hello", "NaN"], ["{", '{"a": NaN}', "[1,]"]),
        (
            "postgres_url",
            ["postgres://u:p@h/d", "postgresql+asyncpg://h/d", "postgres://u:p#@x@h:1,h2:2/d"],
            ["postgres:///d?host=/run", "mysql://h/d", "host=h dbname=d", "file:./dev.db", "https://h"],
            ["hello"],
            [],
        ),
        ("mongodb_url", ["mongodb+srv://h/d", "mongodb://a,b/d"], ["https://h"], ["hello"], []),
        ("redis_url", ["rediss://h:1/0", "redis://:p@h"], ["redis://", "h:6379", "h=1"], ["hello"], []),
        ("hostname", ["mail.example.com", "127.0.0.1"], ["/run/postgresql", "::1"], [], []),
        ("phone", ["+15005550006"], ["911"], [], []),
        ("ssh_private_key", [PEM], ["LS0tLS1CRUdJTiBY"], ["ssh-ed25519 AAAA", "~/.ssh/id"], [PEM[:30]]),
        ("ssh_public_key", ["ssh-ed25519 AAAA me"], ['command="x" ssh-rsa AAAA'], ["AAAA"], []),
        ("random_secret", ["x" * 16], ["short"], [], []),
    ],
)
def test_what_a_value_is(format_id: str, fine: list[str], odd: list[str], other: list[str], broken: list[str]) -> None:
    for expected, values in (("", fine), ("odd", odd), ("other", other), ("broken", broken)):
        assert {value: of(format_id, value) for value in values} == dict.fromkeys(values, expected)


@pytest.mark.parametrize("value", ['{"a": Infinity}', "\ufeff{}", '{"a": "\t"}', "{'a': 1}"])
def test_what_only_python_would_read_is_no_json(value: str) -> None:
    assert of("json", value) != ""


@pytest.mark.parametrize("value", ["1" * 5000, '{"a": 1e999}', '{"a": "\\ud800"}', "[" * 5000 + "]" * 5000])
def test_what_python_finds_hard_is_json_all_the_same(value: str) -> None:
    assert of("json", value) == ""


def test_a_length_in_multiples_is_kept() -> None:
    assert verdict(FormatRule("x", multiple=4), "abcd") == ""
    assert verdict(FormatRule("x", multiple=4), "abc") == "other"


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("postgres://u:<password>@h/d", True),
        ("mongodb+srv://u:<db_password>@h/d", True),
        ("postgresql://postgres:[YOUR-PASSWORD]@h/d", True),
        ("postgres://u:p@[fe80::1]/d", False),
        ("postgres://u:a<b>c@h/d", False),
        ("<password>", False),
    ],
)
def test_a_placeholder_in_a_url_is_seen(value: str, left: bool) -> None:
    assert placeholder_left(value) is left


def test_expressions_are_read_alike_by_python_and_javascript() -> None:
    """What the two read differently does not occur; test_twins.py shows that the rest agrees."""
    for facts in built()["formats"].values():
        for name in ("pattern", "begins", "odd"):
            expression = facts["rule"].get(name, "")
            re.compile(expression)  # a warning is an error: no set inside a set
            assert not re.search(r"\(\?|\\[sSdDwWbBzZ]", expression), expression


@pytest.mark.parametrize("format_id", [f for f in built()["formats"] if f not in ("text", "password")])
def test_no_text_takes_long(format_id: str) -> None:
    """The service reads a value on the thread that serves everybody."""
    pieces = (
        "a",
        "=",
        "@",
        ".",
        "/",
        " ",
        "{",
        "-----BEGIN ",
        "-----END X",
        "-----BEGIN X-----",
        "ssh-",
        "a@",
        "a.",
        "a:",
        "<",
        "0",
        "data:",
    )
    for piece in pieces:
        for end in ("", "\0", "!"):
            began = time.thread_time()
            of(format_id, made(MAX_JUDGED, piece, end))
            if time.thread_time() - began > MEASURABLE:  # else there is nothing to compare
                ratio = growth(partial(made, piece=piece, end=end), partial(of, format_id), start=MAX_JUDGED // 8)
                assert ratio < LINEAR, (format_id, piece, end)


def made(size: int, piece: str, end: str) -> str:
    return (piece * size)[: size - 1] + end


def test_what_is_too_long_to_read_is_not_judged() -> None:
    assert of("integer", "a" * (MAX_JUDGED + 1)) == "odd"
