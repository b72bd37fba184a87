"""Text measured in the cells of a terminal. Pure."""

from __future__ import annotations

import re
import unicodedata

LEAST_WIDTH = 20
"""Cells below which breaking lines helps nobody."""
_PARTS = re.compile(r" +|[^ ]+")
_EMOJI_STYLE = "\ufe0f"
"""Asks for the emoji of the letter before it, which most terminals draw one cell wider."""


def cells(text: str, *, ambiguous: int = 1) -> int:
    """Return how many cells `text` takes (Unicode UAX 11); `ambiguous` is the width of what fonts draw differently."""
    return sum(_width(letter, ambiguous) for letter in text)


def wrapped(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` cells, broken at blanks, else within a word; [""] for no text.

    A letter that some terminals draw wide counts as wide. So no terminal of that width breaks a line by itself, and
    what stands before each line is never missing.
    """
    lines, line, room = [], "", width
    for part in _PARTS.findall(text):
        size = cells(part, ambiguous=2)
        if size > room and line.strip(" "):
            lines.append(line.rstrip(" "))
            line, room = "", width
        if part[0] == " ":
            if line and size <= room:
                line, room = line + part, room - size
            continue
        for letter in part:
            size = _width(letter, 2)
            if size > room:
                lines.append(line)
                line, room = "", width
            line, room = line + letter, room - size
    return [*lines, line.rstrip(" ")] if line.strip(" ") or not lines else lines


def laid_out(line: str, columns: int) -> list[str]:
    """Return `line` in lines of fewer than `columns` cells, each with its indent; one that has no blank stays whole."""
    text = line.lstrip(" ")
    indent = line[: len(line) - len(text)]
    width = columns - 1 - len(indent)
    if cells(line) < columns or " " not in text.rstrip() or width < LEAST_WIDTH:
        return [line]
    return [indent + piece for piece in wrapped(text, width)]


def _width(letter: str, ambiguous: int) -> int:
    if letter == _EMOJI_STYLE:
        return 1
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    kind = unicodedata.east_asian_width(letter)
    return 2 if kind in "WF" else ambiguous if kind == "A" else 1
