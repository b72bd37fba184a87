"""Bytes become lines however they arrive; values become lines that nobody can misread."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.agent.mcp.framing import (
    MAX_DEPTH,
    MAX_LINE,
    NOT_JSON,
    TOO_DEEP,
    TOO_LONG,
    Lines,
    Messages,
    NoMessage,
    Unreadable,
    decode,
    encode,
    too_deep,
)
from tests.growth import LINEAR, growth


def fed(data: bytes, *cuts: int, limit: int = MAX_LINE) -> list[bytes | None]:
    lines = Lines(limit)
    edges = [0, *sorted(cuts), len(data)]
    return [line for start, end in pairwise(edges) for line in lines.feed(data[start:end])]


def test_F1_a_line_ends_at_its_newline_and_loses_one_carriage_return():
    assert fed(b'{"a":1}\n\r\n \nb\r\r\nc') == [b'{"a":1}', b"", b" ", b"b\r"]


def test_F1_bytes_may_come_one_at_a_time():
    lines = Lines()
    assert [line for byte in b"one\r\ntwo\n\nthr" for line in lines.feed(bytes([byte]))] == [b"one", b"two", b""]
    assert lines.end() == [b"thr"]
    assert lines.end() == []


def test_F1_a_hundred_messages_may_come_at_once():
    assert fed(b"".join(b"%d\n" % n for n in range(100))) == [b"%d" % n for n in range(100)]


@given(st.lists(st.binary(max_size=12)), st.lists(st.integers(0, 200)), st.integers(0, 12))
def test_F1_F5_where_the_bytes_are_cut_changes_nothing(parts: list[bytes], cuts: list[int], limit: int):
    data = b"\n".join(parts)
    whole = [line.removesuffix(b"\r") for line in data.split(b"\n")[:-1]]
    expected = [line if len(line) <= limit else None for line in whole]
    assert fed(data, limit=limit) == expected
    assert fed(data, *[cut for cut in cuts if cut < len(data)], limit=limit) == expected
    assert fed(data, *range(len(data)), limit=limit) == expected


@pytest.mark.parametrize("chunk", [7, 64 * 1024, MAX_LINE + 3])
def test_F5_the_limit_is_the_same_in_chunks_of_any_size(chunk: int):
    for extra, kept in ((0, True), (1, False), (2, False), (100, False)):
        data = b"x" * (MAX_LINE + extra) + b"\r\nnext\n"
        lines = Lines()
        out = [line for start in range(0, len(data), chunk) for line in lines.feed(data[start : start + chunk])]
        assert [None if line is None else len(line) for line in out] == [MAX_LINE if kept else None, 4]


def test_F5_a_line_without_end_is_not_kept():
    lines = Lines(limit=100)
    for _ in range(1000):
        assert lines.feed(b"x" * 99) == []
        assert len(lines._held) <= 101
    assert lines.end() == [None]
    assert lines.feed(b"ok\n") == [b"ok"]


@pytest.mark.parametrize(
    "line",
    [
        b"", b"x", b"{", b'{"a":1', b'{"a":1}}', b"{'a':1}", b"[1,]", b"\xff\xfe", b'"\xe9"', b'"\xed\xa0\x80"', b"NaN",
        b"[Infinity]", b'{"a":-Infinity}', b"nul", b"\x00", b'"a\nb"', b"1" * 4301, b"[" * 100_000, b'{"a":' * 100_000,
        b"\xef\xbb\xbf\xef\xbb\xbf{}", '{"a":1}'.encode("utf-16"), b"01",
    ],
)  # fmt: skip
def test_F6_F7_what_is_no_json_is_unreadable(line: bytes):
    with pytest.raises(Unreadable) as caught:
        decode(line)
    assert str(caught.value) == ""
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a":[1,2.5,"\\u00e9",null,true]}', {"a": [1, 2.5, "é", None, True]}),
        (' {"é":"\U0001f34b"} '.encode(), {"é": "\U0001f34b"}),
        (b"\xef\xbb\xbf{}", {}),
        (b'"\\ud83d"', "\ud83d"),
        (b"1" * 4300, int("1" * 4300)),
        (b"5", 5),
    ],
)
def test_what_is_json_is_read(line: bytes, value: object):
    assert decode(line) == value


def nested(depth: int, object_too: bool = False) -> object:
    value: object = 1
    for n in range(depth):
        value = {"a": value} if object_too and n % 2 else [value]
    return value


def test_F7_nesting_has_a_limit():
    assert not too_deep(nested(MAX_DEPTH))
    assert too_deep(nested(MAX_DEPTH + 1))
    assert too_deep([[], {"a": nested(MAX_DEPTH, object_too=True)}])
    assert too_deep(nested(900))
    assert not too_deep(1)
    assert not too_deep([[]] * 10_000)


def test_a_line_that_holds_no_message_does_not_hide_the_next():
    deep = json.dumps(nested(MAX_DEPTH + 1)).encode()
    data = b"\n".join([b'{"a":1}', b" ", b"{", b"x" * (MAX_LINE + 1), deep, b"5", b""])
    read = Messages().feed(data)
    assert [one.reason if isinstance(one, NoMessage) else one for one in read] == [
        {"a": 1}, NOT_JSON, TOO_LONG, TOO_DEEP, 5,
    ]  # fmt: skip
    assert [one.value for one in read if isinstance(one, NoMessage)] == [None, None, nested(MAX_DEPTH + 1)]


def test_a_last_message_needs_no_newline():
    messages = Messages()
    assert messages.feed(b'{"a":') == []
    assert messages.feed(b"1}") == []
    assert messages.end() == [{"a": 1}]
    assert messages.end() == []


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=())), inner),
    max_leaves=20,
)  # fmt: skip


@given(values)
def test_F2_F3_every_message_is_one_ascii_line_that_reads_the_same(value: object):
    line = encode(value)
    assert line.isascii()
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert b"\r" not in line
    read = json.loads(line)
    assert whole(read), "no half of a surrogate pair is left"
    assert read == value or not whole(value)


def whole(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("\ud83d", "\ufffd"),
        ("a\udc00b", "a\ufffdb"),
        ("\udc00\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        ("\U0001f34b", "\U0001f34b"),
        ("\\ud83d", "\\ud83d"),
    ],
)
def test_F3_half_a_surrogate_pair_is_replaced(text: str, sent: str):
    assert json.loads(encode({"a": [text, {text: text}]})) == {"a": [sent, {sent: sent}]}


def test_F3_tuples_are_lists():
    assert encode(("a", ("\ud83d",))) == b'["a",["\\ufffd"]]\n'


@pytest.mark.parametrize("shape", [b"a", b"\n", b"\r\n", b"[", b'{"a":', b'"\\'])
def test_no_bytes_take_more_than_linear_time_in_whatever_pieces(shape):
    def fed(data: bytes) -> None:
        messages = Messages()
        for start in range(0, len(data), 7):
            messages.feed(data[start : start + 7])
        messages.end()

    assert growth(lambda size: shape * size, fed) < LINEAR
