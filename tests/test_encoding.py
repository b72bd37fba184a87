"""What is encoded is read back in one way only."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.encoding import base64url, distinct, from_base64url, strict_json


@given(st.binary(max_size=80))
def test_base64url_has_no_padding_and_goes_back(raw: bytes) -> None:
    text = base64url(raw)
    assert not set(text) & set("=+/")
    assert base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) == raw
    assert from_base64url(text) == raw


@pytest.mark.parametrize("text", ["A", "AB", "AA==", "A+AA", "A/AA", "AA A", "AAA\n", "ÄAAA", "AAAAA", "\ud800AAA"])
def test_a_second_spelling_is_no_base64url(text: str) -> None:
    assert from_base64url(text) is None


def test_json_is_read() -> None:
    assert strict_json('{"a": ["é", 1, true]}'.encode()) == {"a": ["é", 1, True]}


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b'{"a": 1, "a": 1}', b'[{"a": 1, "a": 2}]', b"\xff", b"NaN", b"[-Infinity]", b"[" * 100_000,
        b"9" * 5000, b"\xef\xbb\xbf{}",
    ],
)  # fmt: skip
def test_what_readers_take_in_two_ways_or_none_is_no_json(raw: bytes) -> None:
    assert strict_json(raw) is None


def test_a_member_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="stands twice"):
        distinct([("a", 1), ("a", 1)])
