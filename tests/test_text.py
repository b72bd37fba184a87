from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.text import each_line, is_storable, is_unseen, listed, one_line, printable, visible
from tests.growth import LINEAR, growth


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
    shown = one_line(text)
    assert "\ufffd" in shown
    assert not [letter for letter in shown if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")]


@pytest.mark.parametrize("text", ["", "shop", "Grüße", "سلام", "می\u200cخواهم", "👩\u200d🚀", "a b", "名前", "🍋"])
def test_honest_text_stays_as_it_is(text: str) -> None:
    assert one_line(text) == text


@given(st.text(), st.integers(min_value=1, max_value=300))
def test_the_result_is_one_line_of_at_most_so_many_characters(text: str, most: int) -> None:
    shown = one_line(text, most)
    assert len(shown) <= most
    assert len(shown.splitlines()) <= 1
    assert "\x1b" not in shown


def test_line_ends_and_tabs_become_blanks() -> None:
    assert one_line("a\nb\tc") == "a b c"


def test_long_text_is_cut_so_that_it_is_seen() -> None:
    assert one_line("x" * 11, 10) == "x" * 9 + "…"
    assert one_line("x" * 10, 10) == "x" * 10


def test_lines_are_kept_apart_and_counted() -> None:
    assert each_line("a\r\nb\x1b\n\nc") == ("a", "b\ufffd", "", "c")
    assert each_line("\n" * 100, 3) == ("", "", "…")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("", True),
        ("é😀\n\t\x1b", True),
        ("\0", False),
        ("a\udc00", False),
        ("\udfff", False),
        ("b\ud800c", False),
        ("\ue000\ud7ff\U0010ffff", True),
    ],
)
def test_what_can_be_stored_has_no_nul_and_no_half_pair(text: str, clean: bool) -> None:
    assert is_storable(text) is clean


@pytest.mark.parametrize(
    "honest",
    [
        "",
        "Checkout needs it.\n\n\tTwo lines.",
        "naïve 漢字 עברית العربية 🍋 👩‍👩‍👧 ❤️",
        "a\u200fb\u200e",
        "~/shop-2",
        "\u0601\u0663",
    ],
)
def test_honest_text_stays_as_it_is_on_a_page(honest: str) -> None:
    assert visible(honest) == honest


@pytest.mark.parametrize(
    "sly",
    [
        "\u202e", "\u202a", "\u2066", "\u2069", "\x00", "\x07", "\x1b", "\x7f", "\x9b", "\ufeff", "\U000e0041",
        "\u200b", "\u2060", "\u00ad", "\u3164", "\u115f", "\uffa0", "\u2800", "\u034f", "\ufe00", "\U000e0100",
        "\u2028", "\u206a", "\ud800",
    ],
)  # fmt: skip
def test_what_would_hide_or_turn_is_shown_as_a_gap_on_a_page(sly: str) -> None:
    assert visible(f"a{sly}b") == "a\ufffdb"
    assert is_unseen(sly)


def test_a_line_ends_in_one_way_on_a_page() -> None:
    assert visible("a\r\nb\rc") == "a\nb\ufffdc"


def test_a_path_in_a_sentence_shows_a_question_mark_for_what_does_not_print() -> None:
    assert printable("a\nb\u202ec\u3164d é") == "a?b?c?d é"
    assert printable("x" * 9, 8) == "x" * 7 + "…"


@pytest.mark.parametrize(
    ("things", "sentence"), [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C")]
)
def test_things_are_listed_as_in_a_sentence(things: list[str], sentence: str) -> None:
    assert listed(things) == sentence
    assert listed(things, "or") == sentence.replace("and", "or")


@pytest.mark.parametrize("show", [visible, each_line, is_storable, lambda text: one_line(text, len(text)), printable])
@pytest.mark.parametrize("shape", ["a", "\u202e", "\r\n", "\n", "\u200d"])
def test_no_text_takes_more_than_linear_time(show: Callable[[str], object], shape: str) -> None:
    assert growth(lambda size: shape * size, show) < LINEAR
