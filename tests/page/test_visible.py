"""Text from outside shows what it holds."""

from __future__ import annotations

import pytest

from offprompt.page.visible import visible


@pytest.mark.parametrize(
    "honest",
    ["", "Checkout needs it.\n\n\tTwo lines.", "naïve 漢字 עברית العربية 🍋 👩‍👩‍👧", "a\u200fb\u200e", "~/shop-2"],
)
def test_honest_text_stays_as_it_is(honest: str) -> None:
    assert visible(honest) == honest


@pytest.mark.parametrize(
    "sly", ["\u202e", "\u202a", "\u2066", "\u2069", "\x00", "\x07", "\x1b", "\x7f", "\x9b", "\ufeff", "\U000e0041"]
)
def test_what_would_hide_or_turn_is_shown_as_a_gap(sly: str) -> None:
    assert visible(f"a{sly}b") == "a\ufffdb"


def test_a_line_ends_in_one_way() -> None:
    assert visible("a\r\nb\rc") == "a\nb\ufffdc"
