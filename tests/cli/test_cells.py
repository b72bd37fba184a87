from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from offprompt.cli.cells import cells, laid_out, wrapped
from tests.growth import LINEAR, growth


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 1), ("鍵", 2), ("😀", 2), ("☀\ufe0f", 2), ("a\u200db", 2)],
)
def test_text_takes_the_cells_that_a_terminal_draws(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("   ", [""]),
        ("one two three", ["one two", "three"]),
        ("one  two", ["one  two"]),
        ("  one", ["one"]),
        ("one two   ", ["one two"]),
        ("abcdefghijkl", ["abcdefgh", "ijkl"]),
        ("ab cdefghijklm", ["ab", "cdefghij", "klm"]),
        ("鍵鍵鍵鍵鍵", ["鍵鍵鍵鍵", "鍵"]),
        ("ééééé", ["éééé", "é"]),  # some terminals draw each in two cells
    ],
)
def test_lines_break_at_blanks_and_else_where_the_width_ends(text: str, lines: list[str]) -> None:
    assert wrapped(text, 8) == lines


@example("\u00a0", 2)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=200), st.integers(min_value=2, max_value=40))
def test_no_line_is_wider_than_it_may_be_and_no_letter_is_lost(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(cells(line, ambiguous=2) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("", [""]),
        ("  short and good", ["  short and good"]),
        ("  " + "word " * 12, ["  " + "word " * 6 + "word", "  " + "word " * 4 + "word"]),
        ("https://made-up.invalid/" + "x" * 80, ["https://made-up.invalid/" + "x" * 80]),
    ],
)
def test_a_line_too_long_for_the_terminal_is_broken_at_blanks_and_keeps_its_indent(line: str, lines: list[str]) -> None:
    assert laid_out(line, 40) == lines


@pytest.mark.parametrize("unit", [" ", "a", "a ", "鍵 ", "\u0301", "\u200d"])
def test_the_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    assert growth(lambda size: unit * size, lambda text: wrapped(text, 40)) < LINEAR
