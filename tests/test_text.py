from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.text import plain, plain_lines


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[2J",  # clears the screen
        "\x1b]0;title\x07",  # names the window
        "\x1b]52;c;bWFkZSB1cA==\x07",  # writes the clipboard
        "\x9b2J",  # the same as ESC [ in one character (C1)
        "a\rb",  # writes over the line
        "a\x08b",
        "\u202egnp.exe",  # shown from right to left
        "\u2066a\u2069",
        "\u200b",  # seen by nobody
        "\ufeff",
        "\u2028",
        "\U000e0041",  # a tag: text that is not shown
        "\ud800",
        "\0",
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_made_visible(text: str) -> None:
    shown = plain(text)
    assert "\ufffd" in shown
    assert not [letter for letter in shown if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


@pytest.mark.parametrize("text", ["", "shop", "Grüße", "سلام", "می\u200cخواهم", "👩\u200d🚀", "a b", "名前", "🍋"])
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


@given(st.text(), st.integers(min_value=1, max_value=300))
def test_the_result_is_one_line_of_at_most_so_many_characters(text: str, most: int) -> None:
    shown = plain(text, most)
    assert len(shown) <= most
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown


def test_line_ends_and_tabs_become_blanks() -> None:
    assert plain("a\nb\tc") == "a b c"


def test_long_text_is_cut_so_that_it_is_seen() -> None:
    assert plain("x" * 11, 10) == "x" * 9 + "…"
    assert plain("x" * 10, 10) == "x" * 10


def test_lines_are_kept_apart_and_counted() -> None:
    assert plain_lines("a\r\nb\x1b\n\nc") == ("a", "b\ufffd", "", "c")
    assert plain_lines("\n" * 100, 3) == ("", "", "…")
