from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from offprompt.tunnel.splitter import MAX_LINE, Splitter


def split(data: bytes, cuts: list[int], limit: int = MAX_LINE) -> list[str]:
    splitter = Splitter(limit)
    lines, start = [], 0
    for cut in [*sorted(cuts), len(data)]:
        lines += splitter.feed(data[start:cut])
        start = max(start, cut)
    return lines + splitter.end()


def test_R7_a_line_ends_with_its_newline_and_the_last_one_with_the_output():
    splitter = Splitter()
    assert splitter.feed(b"one\ntw") == ["one"]
    assert splitter.feed(b"o\r\n\nthree") == ["two", ""]
    assert splitter.end() == ["three"]
    assert splitter.end() == []


def test_R7_colours_go_and_what_is_no_utf_8_is_replaced():
    assert Splitter().feed(b"\x1b[32mINF\x1b[0m caf\xc3\xa9 \xff\xfe\n") == ["INF café \ufffd\ufffd"]


def test_R7_a_line_that_is_too_long_is_cut_and_the_next_one_is_whole():
    splitter = Splitter(10)
    assert splitter.feed(b"x" * 25) == []
    assert splitter.feed(b"x" * 1_000_000 + b"\nnext\n") == ["x" * 10, "next"]


def test_R7_seven_megabytes_without_a_newline_are_not_kept():
    splitter = Splitter()
    for _ in range(700):
        splitter.feed(b"y" * 10_000)
    assert len(splitter._kept) == MAX_LINE
    assert splitter.end() == ["y" * MAX_LINE]


@given(st.data(), st.binary(max_size=200) | st.text(alphabet="ab\n\r\x1b[0mé", max_size=200).map(str.encode))
def test_R7_lines_do_not_depend_on_where_the_pipe_cuts(data, output):
    cuts = data.draw(st.lists(st.integers(0, len(output)), max_size=20))
    limit = data.draw(st.integers(1, 40))
    assert split(output, cuts, limit) == split(output, [], limit) == split(output, list(range(len(output))), limit)
