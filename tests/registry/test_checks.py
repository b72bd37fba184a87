"""What the lines say of a value, while it is typed and after."""

from __future__ import annotations

from typing import Any

import pytest

from offprompt.registry.checks import check, failures
from offprompt.registry.expected_key import ExpectedKey
from offprompt.registry.lookup import facts_of
from offprompt.registry.rules import (
    Charset,
    Either,
    Exposed,
    Form,
    FormatRule,
    Generated,
    Length,
    Rule,
    StartsWith,
    Usually,
)
from tests.registry.whole_check import WholeCheck, check_whole

STRIPE = "sk_test_51" + "a1B2c3" * 16


def states(rules: Rule | list[Rule], value: str, *, typing: bool = False, key: ExpectedKey | None = None) -> list[str]:
    lines = check(key, rules if isinstance(rules, list) else [rules], value, typing=typing)
    return [line.state for line in lines]


def asked(name: str, value: str, *, typing: bool = False, **said: str) -> WholeCheck:
    facts = facts_of(name, **said)
    return check_whole(facts.key, facts.rules, value, typing=typing)


def first(checked: WholeCheck) -> dict[str, Any]:
    return checked.lines[0].as_object()


@pytest.mark.parametrize(
    ("rule", "empty", "good", "short", "wrong"),
    [
        (StartsWith(("sk_", "rk_")), "pending", "sk_1", "s", "pk_1"),
        (Length(3, 5), "pending", "abcd", "ab", "abcdef"),
        (Either((Form(("a_",), 4, 6, "a-z_"), Form((), 2, 2, "0-9"))), "pending", "a_bc", "a_", None),
        (FormatRule("x", pattern="[0-9]{4}"), "pending", "1234", "12", None),
        (Generated(2, "hex"), "pending", "0a0b", "0a", "xy"),
    ],
)
def test_a_field_that_is_being_typed_in_is_waited_for(
    rule: Rule, empty: str, good: str, short: str, wrong: str | None
) -> None:
    """What more typing can mend is pending as long as it goes on; what it cannot mend is told at once."""
    assert states(rule, "") == states(rule, "", typing=True) == [empty]
    assert states(rule, good) == states(rule, good, typing=True) == ["pass"]
    assert states(rule, short, typing=True) == ["pending"]
    assert states(rule, short) == ["warn"]
    if wrong:
        assert states(rule, wrong) == states(rule, wrong, typing=True) == ["warn"]


def test_a_wrong_character_is_told_at_once() -> None:
    assert states(Charset("0-9"), "12a", typing=True) == ["warn"]
    assert states(Charset("0-9"), "12", typing=True) == ["pass"]
    assert states(Charset("0-9"), "") == ["pending"]


def test_what_keys_usually_start_with_is_never_a_reproach() -> None:
    rules: list[Rule] = [Usually(("AIza",)), Length(2, 9)]
    assert states(rules, "other") == ["pending", "pass"]
    assert states(rules, "AIzaXY") == ["pass", "pass"]
    assert not check_whole(None, rules, "other").warns


def test_characters_are_counted_as_people_count_them() -> None:
    line = check(None, [Length(3, 5)], "  ab😀c \n")[0]
    assert line.as_object() == {"id": "length", "state": "pass", "min": 3, "max": 5, "n": 4}


def test_spaces_at_the_ends_do_not_count() -> None:
    assert states([StartsWith(("sk",)), Length(3, 3), Charset("a-z")], "\u200b skk\n") == ["pass"] * 3
    assert states(FormatRule("json", parse="json", firm=True), " {} ") == ["pass"]


def test_only_a_format_refuses() -> None:
    """Whatever else is known of a key may be out of date: a person who insists is right."""
    nonsense = asked("STRIPE_SECRET_KEY", "é")
    assert {line.state for line in nonsense.lines} == {"warn"}
    assert not nonsense.blocks
    assert asked("LIMIT", "ten", format_id="integer").blocks
    assert asked("CONFIG", "{", format_id="json").blocks


def test_a_format_that_was_only_guessed_refuses_nothing_but_what_is_broken() -> None:
    assert not asked("DATABASE_URL", "./dev.db").blocks
    assert asked("DATABASE_URL", "./dev.db").warns
    assert not asked("DATABASE_URL", "file:./dev.db").blocks
    assert not asked("GITHUB_APP_PRIVATE_KEY", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ==").blocks
    assert not asked("GOOGLE_SERVICE_ACCOUNT_JSON", "eyJ0eXBlIjoic2VydmljZV9hY2NvdW50In0=").blocks
    assert asked("GOOGLE_SERVICE_ACCOUNT_JSON", '{"type": "service_acc').blocks
    assert asked("GITHUB_APP_PRIVATE_KEY", "-----BEGIN RSA PRIVATE KEY-----\nMII").blocks


def test_a_format_says_why() -> None:
    assert first(asked("A", "ten", format_id="integer")) == {
        "id": "format", "state": "fail", "format": "integer", "why": "other",
    }  # fmt: skip
    assert first(asked("A", "{", format_id="json"))["why"] == "broken"
    assert first(asked("A", "1e3", format_id="integer")) == {
        "id": "format", "state": "warn", "format": "integer", "why": "odd",
    }  # fmt: skip
    assert first(asked("A", "ten", format_id="integer", typing=True)) == {
        "id": "format", "state": "pending", "format": "integer", "why": "",
    }  # fmt: skip


def test_failures_are_the_lines_that_refuse_and_no_others() -> None:
    facts = facts_of("A", format_id="integer")
    assert failures(facts.rules, "ten") == asked("A", "ten", format_id="integer").lines
    assert failures(facts.rules, "10") == failures(facts.rules, "") == failures((), "x") == ()
    assert failures(facts_of("STRIPE_SECRET_KEY").rules, "é") == ()


def test_a_secret_that_every_visitor_would_get_is_warned_of() -> None:
    exposed = asked("NEXT_PUBLIC_OPENAI_API_KEY", "")
    assert exposed.lines[-1].as_object() == {"id": "exposed", "state": "warn", "prefix": "NEXT_PUBLIC_"}
    assert exposed.warns
    assert asked("NEXT_PUBLIC_GEMINI_API_KEY", "AIza" + "x" * 35).warns
    assert asked("NEXT_PUBLIC_SUPABASE_KEY", "").warns
    assert not asked("NEXT_PUBLIC_SUPABASE_KEY", "sb_publishable_" + "x" * 31).warns
    assert not asked("NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY", "pk_test_" + "x" * 24).warns


def test_a_secret_in_a_public_name_is_warned_of_once_it_is_recognised() -> None:
    assert asked("VITE_KEY", "anything").lines == ()
    assert [line.line_id for line in asked("VITE_KEY", STRIPE).lines] == ["exposed"]
    assert asked("VITE_KEY", "pk_test_51" + "a1B2c3" * 16).lines == ()
    assert states([Exposed("VITE_", secret=False)], "sk-ant-api03-" + "x" * 90) == ["warn"]


def test_a_key_made_for_browsers_is_warned_of_only_when_another_one_is_typed() -> None:
    assert not asked("NEXT_PUBLIC_GOOGLE_MAPS_API_KEY", "AIza" + "x" * 35).warns
    assert not asked("VITE_MAPBOX_TOKEN", "pk.eyJ1" + "x" * 60).warns
    assert asked("VITE_MAPBOX_TOKEN", "sk.eyJ1" + "x" * 60).warns


def test_a_placeholder_in_a_url_is_pointed_out() -> None:
    found = asked("DATABASE_URL", "postgres://u:<password>@h/d")
    assert first(found) == {"id": "placeholder", "state": "warn"}


@pytest.mark.parametrize(
    ("encoding", "good", "short", "wrong"),
    [
        ("hex", "0a" * 32, "0a" * 31, "0g" * 32),
        ("base64", "ab+/" * 10 + "abc=", "ab+/" * 10, "ab-_" * 11),
        ("base64url", "ab-_" * 10 + "abc", "ab-_" * 10, "ab+/" * 11),
    ],
)
def test_an_own_value_for_a_generated_key_should_be_as_long_and_encoded_alike(
    encoding: str, good: str, short: str, wrong: str
) -> None:
    def line(value: str) -> dict[str, Any]:
        return check(None, [Generated(32, encoding)], value)[0].as_object()

    assert (line(good)["state"], line(good)["why"]) == ("pass", "")
    assert (line(short)["state"], line(short)["why"]) == ("warn", "short")
    assert (line(wrong)["state"], line(wrong)["why"]) == ("warn", "encoding")
