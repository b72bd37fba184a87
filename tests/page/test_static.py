"""The page's templates, tokens and words, as files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from offprompt.request.emoji import EMOJI_NAMES

ROOM = Path(__file__).parents[2] / "offprompt" / "page"
TOKENS = (ROOM / "static" / "tokens.css").read_text()


def _colours(block: str) -> dict[str, tuple[float, float, float]]:
    """The colours of one set, each as its three linear components (WCAG 2.2, relative luminance)."""
    found = {}
    for name, hexed in re.findall(r"--([\w-]+): #([0-9a-f]{6});", block):
        parts = [int(hexed[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        found[name] = (red, green, blue)
    return found


def _luminance(colour: tuple[float, float, float]) -> float:
    red, green, blue = colour
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_DARK_AT = TOKENS.index("prefers-color-scheme: dark")
SETS = {"light": _colours(TOKENS[:_DARK_AT]), "dark": _colours(TOKENS[_DARK_AT:])}

TEXT = [
    *(
        (ink, ground)
        for ink in ("ink", "quiet", "accent", "accent-strong", "amber", "red", "green")
        for ground in ("ground", "surface")
    ),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("accent-strong", "tint"),
    ("ink", "amber-tint"),
    ("amber", "amber-tint"),
    ("red", "red-tint"),
]


@pytest.mark.parametrize("scheme", SETS)
def test_colours_have_the_contrast_that_reading_needs(scheme: str) -> None:
    colours = SETS[scheme]

    def contrast(one: str, other: str) -> float:
        low, high = sorted((_luminance(colours[one]), _luminance(colours[other])))
        return (high + 0.05) / (low + 0.05)

    assert not [(ink, ground) for ink, ground in TEXT if contrast(ink, ground) < 4.5]
    assert contrast("ink", "surface") >= 7  # values
    assert not [
        (edge, ground) for edge in ("edge", "accent") for ground in ("ground", "surface") if contrast(edge, ground) < 3
    ]


def test_both_sets_hold_the_same_names() -> None:
    assert SETS["light"].keys() == SETS["dark"].keys()


def test_colours_and_sizes_of_text_come_from_the_tokens_alone() -> None:
    style = (ROOM / "static" / "page.css").read_text()
    assert not re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(", style)
    assert not re.findall(r"font-size: (?!var\(|2\.5rem|inherit)", style)


@pytest.mark.parametrize(
    ("template", "places"),
    [
        (
            "page.html",
            {
                "lang",
                "dir",
                "title",
                "says",
                "noscript",
                "reason",
                "nonce",
                "style",
                "script",
                "request",
                "words",
                "languages",
            },
        ),
        ("notice.html", {"lang", "dir", "nonce", "style", "heading", "body"}),
    ],
)
def test_a_template_has_these_places_and_nothing_that_loads(template: str, places: set[str]) -> None:
    text = (ROOM / "static" / template).read_text()
    assert set(re.findall(r"\{\{(\w+)\}\}", text)) == places
    assert re.findall(r'(?:src|href|action)="([^"]*)"', text) == ["data:,"]
    assert "style=" not in text
    assert not re.search(r"\son\w+=", text)


def test_every_word_is_text_and_every_emoji_has_its_name() -> None:
    words = json.loads((ROOM / "words" / "en.json").read_text())
    assert set(words) == {"lang", "dir", "name", "page", "notice"}
    assert words["page"]["emoji"].split("|") == list(EMOJI_NAMES)
    for phrase in words["page"].values():
        assert isinstance(phrase, str) or phrase.keys() == {"one", "other"}
        assert "<" not in str(phrase)
    assert set(words["notice"]) == {"403", "404", "410.written", "410.expired", "410.cancelled", "421"}
    assert all(notice.keys() == {"heading", "body"} for notice in words["notice"].values())
