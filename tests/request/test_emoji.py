from __future__ import annotations

import unicodedata

from offprompt.request.emoji import EMOJI, EMOJI_NAMES, names_of
from tests.request.vectors import cases


def test_there_are_64_different_emoji_with_64_different_names() -> None:
    """Six bits index one of them; a name read aloud means one only."""
    assert len(EMOJI) == len(set(EMOJI)) == 64
    assert len(EMOJI_NAMES) == len(set(EMOJI_NAMES)) == 64


def test_the_list_is_the_one_that_the_page_is_tested_with() -> None:
    """The order is part of the protocol."""
    assert [(case["emoji"], case["name"]) for case in cases("emoji.json")] == list(zip(EMOJI, EMOJI_NAMES, strict=True))


def test_every_emoji_is_of_unicode_9_or_older_and_drawn_as_emoji_by_default() -> None:
    """The facts are Unicode's own tables: DerivedAge and emoji-data."""
    for case in cases("emoji.json"):
        assert float(case["age"]) <= 9.0, case
        assert case["presentation"] == "Yes", case


def test_every_emoji_is_one_code_point_that_takes_two_cells() -> None:
    """What has emoji presentation is wide (UAX 11): four of them line up in a terminal."""
    for emoji in EMOJI:
        assert len(emoji) == 1
        assert unicodedata.east_asian_width(emoji) == "W"


def test_names_are_plain_short_words() -> None:
    for name in EMOJI_NAMES:
        assert name.isascii()
        assert name.islower()
        assert name.isalpha()
        assert len(name) <= 10


def test_a_fingerprint_can_be_read_aloud() -> None:
    assert names_of(("🍋", "🦉", "⏰", "🔥")) == ("lemon", "owl", "clock", "fire")
    assert names_of(()) == ()
