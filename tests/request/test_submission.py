from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt import errors
from offprompt.encoding import base64url
from offprompt.registry.tables import built
from offprompt.request.fields import describe
from offprompt.request.record import Record
from offprompt.request.seal import seal
from offprompt.request.spec import Entry, SinkSpec
from offprompt.request.submission import MAX_VALUE, Faults, Submission, judge, read_submission
from offprompt.request.target import TargetState
from tests.request.made import KEY, counting, order, plaintext, record, sealed

MARKER = "made-up-marker-7f3a"


def submission(values: dict[str, str], *, allow_tracked: bool = False) -> Submission:
    return Submission(values, allow_tracked, KEY)


def test_a_submission_is_read_whole() -> None:
    asked = record("A", "B")
    read = read_submission(asked, asked.nonce, sealed(asked, {"A": " é\n", "B": ""}, allow_tracked=True))
    assert read == Submission({"A": " é\n", "B": ""}, True, KEY)


@given(st.dictionaries(st.sampled_from(["A", "B", "C"]), st.text(max_size=40)))
def test_values_arrive_exactly_as_they_were_typed(values: dict[str, str]) -> None:
    asked = record("A", "B", "C")
    assert read_submission(asked, asked.nonce, sealed(asked, values)).values == values


def test_the_service_takes_any_length_of_padding() -> None:
    asked = record()
    for spaces in (0, 1, 5000, 200_000):
        whole = seal(asked.public_key, plaintext(asked, {"API_KEY": "x"}) + b" " * spaces)
        assert read_submission(asked, asked.nonce, whole).values == {"API_KEY": "x"}


def test_another_nonce_outside_is_refused() -> None:
    asked = record()
    whole = sealed(asked, {"API_KEY": "x"})
    for nonce in ("", "0" * 32, asked.nonce.upper(), asked.nonce[:-1], asked.nonce + "0", "\ud800", asked.token):
        with pytest.raises(errors.SealForeign):
            read_submission(asked, nonce, whole)


def test_a_seal_to_another_request_is_refused() -> None:
    random = counting()
    one, other = Record(order(), random, 0.0), Record(order(session="two"), random, 0.0)
    with pytest.raises(errors.SealForeign):
        read_submission(one, one.nonce, sealed(other, {"API_KEY": "x"}))
    for member in ("token", "nonce"):
        with pytest.raises(errors.SealForeign):
            read_submission(one, one.nonce, sealed(one, {"API_KEY": "x"}, **{member: getattr(other, member)}))


WRONG: list[Any] = [None, True, 0, 1.5, [], {}, ["x"], {"x": 1}, "", "\ud800"]


@pytest.mark.parametrize("member", ["token", "nonce", "values", "allow_tracked", "fingerprint_key"])
def test_a_member_that_is_missing_or_of_another_type_is_refused(member: str) -> None:
    asked = record()
    right = json.loads(plaintext(asked, {"API_KEY": "x"}))
    missing = {name: value for name, value in right.items() if name != member}
    with pytest.raises(errors.SealForeign):
        read_submission(asked, asked.nonce, seal(asked.public_key, json.dumps(missing).encode()))
    for wrong in WRONG:
        if (member == "values" and wrong == {}) or (member == "allow_tracked" and wrong is True):
            continue
        with pytest.raises(errors.SealForeign):
            read_submission(asked, asked.nonce, sealed(asked, {"API_KEY": "x"}, **{member: wrong}))


@pytest.mark.parametrize("size", [0, 1, 16, 31, 33, 64])
def test_a_fingerprint_key_of_another_size_is_refused(size: int) -> None:
    asked = record()
    with pytest.raises(errors.SealForeign):
        read_submission(asked, asked.nonce, sealed(asked, {"API_KEY": "x"}, fingerprint_key=base64url(bytes(size))))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b"null",
        b"[]",
        b'"x"',
        b"{",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"{}{}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 5000,
        b"NaN",
    ],
)
def test_what_is_no_submission_is_refused(raw: bytes) -> None:
    asked = record()
    with pytest.raises(errors.SealForeign):
        read_submission(asked, asked.nonce, seal(asked.public_key, raw))


def test_a_member_twice_is_refused() -> None:
    """Two readings of one text are one too many: the page's check may have seen the other."""
    asked = record()
    twice = plaintext(asked, {"API_KEY": "x"})[:-1] + b',"allow_tracked":true}'
    nested = plaintext(asked, {}).replace(b'"values": {}', b'"values": {"API_KEY": "x", "API_KEY": "y"}')
    for raw in (twice, nested):
        with pytest.raises(errors.SealForeign):
            read_submission(asked, asked.nonce, seal(asked.public_key, raw))


def test_an_unknown_member_is_refused() -> None:
    asked = record()
    with pytest.raises(errors.SealForeign):
        read_submission(asked, asked.nonce, sealed(asked, {"API_KEY": "x"}, more=1))


@given(st.integers(min_value=0))
def test_a_plaintext_cut_anywhere_is_refused(at: int) -> None:
    asked = record()
    raw = plaintext(asked, {"API_KEY": "x"})
    with pytest.raises(errors.SealForeign):
        read_submission(asked, asked.nonce, seal(asked.public_key, raw[: at % len(raw)]))


def test_a_closed_request_opens_nothing() -> None:
    asked = record()
    whole = sealed(asked, {"API_KEY": "x"})
    asked.cancel("agent", 1.0)
    with pytest.raises(errors.RequestClosed):
        read_submission(asked, asked.nonce, whole)


def test_a_refusal_carries_no_value_with_it() -> None:
    """Neither in words nor as the error that led to it: decoding errors keep what they could not decode."""
    asked = record()
    for raw in (f'{{"values": {{"API_KEY": "{MARKER}"'.encode(), MARKER.encode() + b"\xff"):
        with pytest.raises(errors.SealForeign) as refused:
            read_submission(asked, asked.nonce, seal(asked.public_key, raw))
        assert refused.value.__context__ is None
        assert refused.value.__cause__ is None
        assert MARKER not in repr(refused.value)


def test_a_submission_shows_no_value() -> None:
    shown = repr(submission({"API_KEY": MARKER}))
    assert MARKER not in shown
    assert repr(KEY) not in shown


def test_all_values_and_no_more_have_no_faults() -> None:
    assert not judge(record("A", "B").order, submission({"A": "1", "B": "2"}))
    assert not Faults()


def test_a_missing_value_is_named() -> None:
    faults = judge(record("A", "B").order, submission({"A": "1"}))
    assert faults == Faults({"B": ("A value is needed here.",)})


def test_a_name_the_file_holds_may_be_left_out() -> None:
    asked = record("A", "B", target=TargetState(exists=True, keys=("B", "C")))
    assert asked.present == {"B"}
    assert not judge(asked.order, submission({"A": "1"}))
    assert judge(asked.order, submission({"A": "1", "B": ""})).errors.keys() == {"B"}


def test_a_generated_name_may_be_left_out_or_sent() -> None:
    asked = record("A", "B", generated=("B",))
    assert not judge(asked.order, submission({"A": "1"}))
    assert not judge(asked.order, submission({"A": "1", "B": "pasted"}))
    assert judge(asked.order, submission({"A": "1", "B": ""})).errors.keys() == {"B"}


def test_a_name_that_was_not_asked_for_is_a_fault_of_the_form() -> None:
    faults = judge(record("A").order, submission({"A": "1", MARKER: "2"}))
    assert len(faults.form) == 1
    assert MARKER not in faults.form[0]
    assert not faults.errors


def test_the_empty_string_is_a_value_where_it_is_no_secret() -> None:
    asked = record("A", "B", plain=("B",))
    assert judge(asked.order, submission({"A": "", "B": ""})).errors.keys() == {"A"}


@pytest.mark.parametrize("letter", ["\0", "\ud800"])
def test_what_cannot_be_stored_is_refused_without_the_value(letter: str) -> None:
    faults = judge(record("A").order, submission({"A": MARKER + letter}))
    assert "cannot be stored" in faults.errors["A"][0]
    assert MARKER not in repr(faults)


def test_a_value_has_at_most_64_kib_in_utf8() -> None:
    assert not judge(record("A").order, submission({"A": "x" * MAX_VALUE}))
    for long in ("x" * (MAX_VALUE + 1), "é" * (MAX_VALUE // 2) + "x"):
        assert "64 KiB" in judge(record("A").order, submission({"A": long})).errors["A"][0]


def test_a_tracked_target_needs_the_tick() -> None:
    asked = record("A", target=TargetState(exists=True, git="tracked"), sink=SinkSpec("dotenv", "conf/.env"))
    assert "conf/.env" in judge(asked.order, submission({"A": "1"})).form[0]
    assert not judge(asked.order, submission({"A": "1"}, allow_tracked=True))


@given(st.dictionaries(st.text(max_size=3), st.text(max_size=200), max_size=4), st.booleans())
def test_no_fault_ever_repeats_a_value(values: dict[str, str], allow: bool) -> None:
    marked = {name: MARKER + value for name, value in values.items()}
    assert MARKER not in repr(judge(record("A", "B").order, submission(marked, allow_tracked=allow)))


def test_a_value_that_cannot_work_is_refused_and_one_that_is_only_doubtful_is_not() -> None:
    """The page's second press: what warns there has nothing to say here."""
    entries = (Entry("LIMIT", format="integer"), Entry("STRIPE_SECRET_KEY"), Entry("DATABASE_URL"))
    asked = record("LIMIT", "STRIPE_SECRET_KEY", "DATABASE_URL", fields=tuple(describe(entry) for entry in entries))
    doubtful = {"STRIPE_SECRET_KEY": MARKER, "DATABASE_URL": MARKER}
    assert not judge(asked.order, submission({"LIMIT": "10", **doubtful}))
    faults = judge(asked.order, submission({"LIMIT": MARKER, **doubtful}))
    assert faults == Faults({"LIMIT": ("This is not an integer, which is what the project reads here.",)})


def test_an_empty_value_that_is_allowed_is_not_held_against_a_format() -> None:
    asked = record("LIMIT", fields=(describe(Entry("LIMIT", format="integer", secret=False)),))
    assert not judge(asked.order, submission({"LIMIT": ""}))


def test_every_line_of_a_refusal_is_a_sentence() -> None:
    """The page shows them among its own."""
    fields = tuple(describe(Entry(f"F{number}", format=name)) for number, name in enumerate(built()["formats"]))
    asked = record("F0", fields=fields)
    bad = ["", "\0", "x" * (MAX_VALUE + 1), "not that", "{", "-----BEGIN KEY-----", "postgres://", "eyJ."]
    lines = set()
    for value in bad:
        faults = judge(asked.order, submission(dict.fromkeys((one.name for one in fields), value) | {"ELSE": "x"}))
        lines |= {*faults.form, *(line for several in faults.errors.values() for line in several)}
    lines |= {line for several in judge(asked.order, submission({})).errors.values() for line in several}
    assert len(lines) > 15
    assert all(re.fullmatch(r"[A-Z].*[.]", line) for line in lines), lines
