"""The look of every page: contrast of the tokens, and styles that use nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

OFFPROMPT = Path(__file__).parents[2] / "offprompt"
LOOK = OFFPROMPT / "look"
ENTRIES = [OFFPROMPT / "page" / "style" / "page.css"]
"""Where the style of each page begins."""

STYLES = [path for folder in (LOOK, *(entry.parent for entry in ENTRIES)) for path in folder.glob("*.css")]
STYLES.remove(LOOK / "tokens.css")

TOKENS = (LOOK / "tokens.css").read_text("utf-8")


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


@pytest.mark.parametrize("style", STYLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_colours_and_sizes_of_text_come_from_the_tokens_alone(style: Path) -> None:
    text = style.read_text("utf-8")
    assert not re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(", text)
    assert not re.findall(r"font-size: (?!var\(|2\.5rem|inherit)", text)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda path: path.parent.parent.name)
def test_a_page_takes_in_every_part_of_its_style_and_of_the_look(entry: Path) -> None:
    taken = {(entry.parent / name).resolve() for name in re.findall(r'@import "([^"]+)"', entry.read_text("utf-8"))}
    assert taken == {path for path in (*LOOK.glob("*.css"), *entry.parent.glob("*.css")) if path != entry}
