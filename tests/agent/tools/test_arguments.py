"""What agents write into their calls, and what they are told when it cannot be served (T6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.agent.tools.arguments import (
    MAX_PROBLEMS,
    Collect,
    parse_await,
    parse_cancel,
    parse_collect,
)
from offprompt.errors import CallRefused
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec
from offprompt.service.sinks import SINKS

MARKER = "made-up-secret-4711"
KEY = {"name": "OPENAI_API_KEY"}


def collect(arguments: Any, progress: bool = False) -> Collect:
    return parse_collect(arguments, SINKS, progress=progress)


def refused(arguments: Any) -> str:
    with pytest.raises(CallRefused) as caught:
        collect(arguments)
    return str(caught.value)


def test_the_whole_call_of_the_contract_is_understood():
    call = collect({
        "secrets": [
            {"name": "STRIPE_SECRET_KEY"},
            {"name": "DATABASE_URL", "format": "postgres_url", "caption": "Dashboard, Settings, Database"},
            {"name": "AUTH_SECRET", "generate": {"bytes": 64, "encoding": "hex"}},
            {"name": "MAX_RETRIES", "format": "integer", "secret": False},
            {"name": "HOOK", "provider": "stripe/webhook_secret", "secret": True},
        ],
        "reason": "Checkout signs its requests with **Stripe**.",
        "sink": {"kind": "dotenv", "path": "app/.env"},
        "sandbox": False,
        "wait_seconds": 45,
    })  # fmt: skip
    entries = (
        Entry("STRIPE_SECRET_KEY"),
        Entry("DATABASE_URL", format="postgres_url", caption="Dashboard, Settings, Database"),
        Entry("AUTH_SECRET", generate=Generate(64, "hex")),
        Entry("MAX_RETRIES", format="integer", secret=False),
        Entry("HOOK", provider="stripe/webhook_secret", secret=True),
    )
    sink = SinkSpec("dotenv", "app/.env")
    assert call == Collect(RequestSpec(entries, "Checkout signs its requests with **Stripe**.", sink), False, 45, 45)


def test_a_name_is_enough():
    call = collect({"secrets": [KEY]})
    spec = RequestSpec((Entry("OPENAI_API_KEY"),), "", SinkSpec("dotenv", ".env"))
    assert call == Collect(spec, None, 45, 45)


def test_T6_null_and_nothing_stand_for_what_is_optional():
    entry = {**KEY, "provider": None, "format": "", "caption": None, "generate": None, "secret": None}
    sink = {"kind": None, "path": None}
    call = collect({"secrets": [entry], "reason": None, "sink": sink, "sandbox": None, "wait_seconds": None})
    assert call == collect({"secrets": [KEY]})
    assert collect({"secrets": [KEY], "sink": None}) == call


def test_a_random_value_has_usual_sizes():
    for given_ in ({}, {"bytes": None, "encoding": None}):
        made = collect({"secrets": [{**KEY, "generate": given_}]}).spec.entries[0].generate
        assert made == Generate(32, "base64url")
    made = collect({"secrets": [{**KEY, "generate": {"bytes": "16"}}]}).spec.entries[0].generate
    assert made == Generate(16, "base64url")


def test_a_file_takes_one_secret():
    call = collect({"secrets": [{"name": "KEY"}], "sink": {"kind": "file", "path": "keys/a.pem"}})
    assert call.spec.sink == SinkSpec("file", "keys/a.pem")
    said = refused({"secrets": [{"name": "A"}, {"name": "B"}], "sink": {"kind": "file", "path": "a.pem"}})
    assert "exactly one secret" in said
    assert "a path" in refused({"secrets": [KEY], "sink": {"kind": "file"}})


@pytest.mark.parametrize(
    ("asked", "without", "with_token"),
    [(None, 45, 110), (0, 0, 0), (10, 10, 10), (45, 45, 45), (46, 45, 46), (240, 45, 240), (300, 45, 240), (-5, 0, 0),
     (10**12, 45, 240)],
)  # fmt: skip
def test_W2_waiting_is_bounded(asked: int | None, without: int, with_token: int):
    assert collect({"secrets": [KEY], "wait_seconds": asked}, progress=False).wait == without
    assert collect({"secrets": [KEY], "wait_seconds": asked}, progress=True).wait == with_token


@pytest.mark.parametrize(("progress", "longest"), [(False, 45), (True, 110)])
def test_W2_a_link_is_waited_for_as_long_as_the_call_may_last(progress: bool, longest: int):
    assert collect({"secrets": [KEY], "wait_seconds": 0}, progress=progress).longest == longest


@pytest.mark.parametrize(
    ("written", "meant"), [("45", 45), (45.0, 45), ("0", 0), ("-1", 0), ("", 45), (None, 45), (7, 7), ("007", 7)]
)
def test_T6_W1_an_integer_may_be_written_as_text(written: object, meant: int):
    assert parse_await({"request_id": "r", "wait_seconds": written}) == ("r", meant)
    assert collect({"secrets": [KEY], "wait_seconds": written}).wait == meant


@pytest.mark.parametrize(
    "wrong", [True, False, 4.5, "x", "4 5", "٤٥", "1e3", [], {}, float("inf"), "9" * 10, "0x10", " 45"]
)
def test_T6_and_nothing_else_is_one(wrong: object):
    with pytest.raises(CallRefused, match="Wait_seconds is an integer"):
        parse_await({"request_id": "r", "wait_seconds": wrong})
    assert "Wait_seconds is an integer" in refused({"secrets": [KEY], "wait_seconds": wrong})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({}, "Secrets is missing: give a list such as"),
        ({"secrets": None}, "Secrets is missing"),
        ({"secrets": "OPENAI_API_KEY"}, "Secrets is a list"),
        ({"secrets": KEY}, "Secrets is a list"),
        ({"secrets": []}, "Secrets has 1 to 12 entries, not 0"),
        ({"secrets": [{"name": f"N{n}"} for n in range(13)]}, "1 to 12 entries, not 13"),
        ({"secrets": ["OPENAI_API_KEY"]}, "Entry 1 is an object"),
        ({"secrets": [KEY, None]}, "Entry 2 is an object"),
        ({"secrets": [{}]}, "Entry 1: name is an environment variable"),
        ({"secrets": [{"name": "openai_key"}]}, "capital letters"),
        ({"secrets": [{"name": "1KEY"}]}, "a letter first"),
        ({"secrets": [{"name": "_KEY"}]}, "a letter first"),
        ({"secrets": [{"name": "KEY\n"}]}, "capital letters"),
        ({"secrets": [{"name": "KÉY"}]}, "capital letters"),
        ({"secrets": [{"name": "K" * 129}]}, "at most 128"),
        ({"secrets": [{"name": 5}]}, "Entry 1: name is a string"),
        ({"secrets": [KEY, KEY]}, "OPENAI_API_KEY is asked for twice"),
        ({"secrets": [{**KEY, "provider": "stripe", "format": "url"}]}, "not provider and format"),
        ({"secrets": [{**KEY, "format": "url", "generate": {}}]}, "not format and generate"),
        ({"secrets": [{**KEY, "provider": 5}]}, "Entry 1: provider is a string"),
        ({"secrets": [{**KEY, "provider": "x" * 129}]}, "at most 128 are allowed"),
        ({"secrets": [{**KEY, "caption": "x" * 91}]}, "Entry 1: caption has 91 characters; at most 90 are allowed"),
        ({"secrets": [{**KEY, "caption": "a\0b"}]}, "caption holds a NUL"),
        ({"secrets": [{**KEY, "caption": "a\ud800b"}]}, "half of a surrogate pair"),
        ({"secrets": [{**KEY, "secret": "false"}]}, "Entry 1: secret is true or false"),
        ({"secrets": [{**KEY, "secret": 0}]}, "secret is true or false"),
        ({"secrets": [{**KEY, "generate": True}]}, "Entry 1: generate is an object"),
        ({"secrets": [{**KEY, "generate": {"bytes": 15}}]}, "Entry 1, generate: bytes is 16 to 64"),
        ({"secrets": [{**KEY, "generate": {"bytes": 65}}]}, "bytes is 16 to 64"),
        ({"secrets": [{**KEY, "generate": {"bytes": 0}}]}, "bytes is 16 to 64"),
        ({"secrets": [{**KEY, "generate": {"bytes": "many"}}]}, "bytes is an integer"),
        ({"secrets": [{**KEY, "generate": {"encoding": "base32"}}]}, "encoding is one of base64url, base64, hex"),
        ({"secrets": [{**KEY, "generate": {"encoding": ["hex"]}}]}, "encoding is one of"),
        ({"secrets": [{**KEY, "generate": {"length": 32}}]}, '"length" is not known here'),
        ({"secrets": [{**KEY, "required": True}]}, 'Entry 1: "required" is not known here. An entry takes name,'),
        ({"secrets": [KEY], "reason": 5}, "Reason is a string"),
        ({"secrets": [KEY], "reason": "x" * 2001}, "Reason has 2,001 characters; at most 2,000 are allowed"),
        ({"secrets": [KEY], "reason": "\udfff"}, "half of a surrogate pair"),
        ({"secrets": [KEY], "reason": "\0"}, "a NUL"),
        ({"secrets": [KEY], "sink": ".env"}, "Sink is an object"),
        ({"secrets": [KEY], "sink": {"kind": "keyring"}}, "Sink: kind is one of dotenv, file"),
        ({"secrets": [KEY], "sink": {"kind": 5}}, "kind is one of"),
        ({"secrets": [KEY], "sink": {"path": 5}}, "Sink: path is a string"),
        ({"secrets": [KEY], "sink": {"path": "x" * 1025}}, "at most 1,024 are allowed"),
        ({"secrets": [KEY], "sink": {"path": "a\0"}}, "a NUL"),
        ({"secrets": [KEY], "sink": {"file": ".env"}}, 'Sink: "file" is not known here'),
        ({"secrets": [KEY], "sandbox": "yes"}, "Sandbox is true or false"),
        ({"secrets": [KEY], "sandbox": 1}, "Sandbox is true or false"),
        ({"secrets": [KEY], "name": "X"}, '"name" is not known here. collect_secret takes secrets, reason,'),
    ],
)
def test_T6_a_sentence_says_how_to_mend_the_call(arguments: Any, says: str):
    said = refused(arguments)
    assert says in said
    assert all(line[0].isupper() or line[0] == '"' for line in said.splitlines())
    assert all(line.endswith(".") for line in said.splitlines())


def test_problems_are_named_together():
    said = refused({"secrets": [{"name": "a"}, {**KEY, "secret": 1}], "reason": 5, "wait_seconds": "x"})
    assert len(said.splitlines()) == 4


def test_but_not_without_end():
    entries = [{"name": "a", "secret": 1, "caption": 5, "x": 1} for _ in range(12)]
    said = refused({"secrets": entries}).splitlines()
    assert len(said) == MAX_PROBLEMS + 1
    assert said[-1] == "And 43 more of this kind."


def test_a_value_that_is_sent_along_is_refused_and_not_repeated():
    for arguments in (
        {"secrets": [{**KEY, "value": MARKER}]},
        {"secrets": [{**KEY, "default": MARKER}]},
        {"secrets": [{"name": "A", MARKER: 1}]},
        {"secrets": [{"name": MARKER}]},
        {"secrets": [{**KEY, "secret": MARKER}]},
        {"secrets": MARKER},
        {"secrets": [MARKER]},
        {"secrets": [KEY], MARKER: MARKER},
        {"secrets": [KEY], "sink": {"kind": MARKER}},
        {"secrets": [KEY], "wait_seconds": MARKER},
    ):
        assert MARKER not in refused(arguments)
    assert "never send a value: the person types it" in refused({"secrets": [{**KEY, "value": MARKER}]})


@pytest.mark.parametrize("wrong", [{}, {"request_id": None}, {"request_id": ""}, {"request_id": 5}, {"id": "r"},
                                   {"request_id": "x" * 200}, {"request_id": ["r"]}, {"request_id": "\0"}])  # fmt: skip
def test_T6_a_request_is_named_by_its_id(wrong: dict[str, object]):
    for parse in (parse_await, parse_cancel):
        with pytest.raises(CallRefused, match=r"[Rr]equest_id"):
            parse(wrong)


def test_T6_cancel_takes_nothing_but_the_id():
    assert parse_cancel({"request_id": "r"}) == "r"
    with pytest.raises(CallRefused, match=r'"reason" is not known here\. cancel_secret takes request_id'):
        parse_cancel({"request_id": "r", "reason": "x"})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
entry = st.fixed_dictionaries(
    {"name": st.sampled_from(["A", "B_2", "c"]) | anything},
    optional={
        "provider": anything | st.just("stripe"), "format": anything | st.just("url"), "caption": anything,
        "generate": anything | st.fixed_dictionaries({}, optional={"bytes": anything, "encoding": anything}),
        "secret": anything,
    },
)  # fmt: skip
call = st.fixed_dictionaries(
    {},
    optional={
        "secrets": anything | st.lists(entry | anything, max_size=14), "reason": anything, "sandbox": anything,
        "sink": anything | st.fixed_dictionaries({}, optional={"kind": anything, "path": anything}),
        "wait_seconds": anything,
    },
)  # fmt: skip


@given(call | st.dictionaries(st.text(max_size=5), anything), st.booleans())
def test_T6_whatever_is_written_is_either_a_call_or_a_sentence(arguments: Any, progress: bool):
    try:
        parsed = collect(arguments, progress)
    except CallRefused as problem:
        sentence = str(problem)
    else:
        assert 1 <= len(parsed.spec.entries) <= 12
        assert 0 <= parsed.wait <= 240
        assert len(set(parsed.spec.names)) == len(parsed.spec.names)
        assert len(parsed.spec.reason) <= 2000
        assert 1 <= len(parsed.spec.sink.path) <= 1024
        for one in parsed.spec.entries:
            assert len(one.caption) <= 90
            assert [bool(one.provider), bool(one.format), bool(one.generate)].count(True) <= 1
            assert one.generate is None or 16 <= one.generate.bytes <= 64
        return
    assert 0 < len(sentence) < 2000
    sentence.encode()
