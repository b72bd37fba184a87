"""Text from elsewhere, made safe to show: nothing in it can move, hide or reorder what stands around it.

A terminal obeys control characters (ECMA-48), among them C1 controls of one byte. Bidirectional controls show a line in
another order than it has (Unicode UAX 9). Characters that nothing is drawn for make two different names look alike, and
carry text that only a program reads.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

REPLACEMENT = "\ufffd"
"""Stands for each character that is not shown, so that a reader sees that something was there."""

_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""General categories (Unicode, table 4-4): controls, formats, halves of pairs, line and paragraph separators."""

_DRAWN_FORMATS = frozenset(
    [*map(chr, range(0x0600, 0x0606)), "\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2", "\U000110bd", "\U000110cd"]
)
"""Formats that are drawn: signs that stand before Arabic, Syriac and Kaithi numbers (Prepended_Concatenation_Mark)."""

_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and symbols that nothing is drawn for: fillers of Hangul, joiners, the Braille pattern of no dots."""

_JOINERS = "\u200c\u200d"
"""Formats that honest text needs: Persian writes with the first, emoji of several parts with the second."""

_MARKS = "\u200e\u200f\u061c"
"""Bidirectional marks, which honest text in two directions needs; each affects only its neighbours."""

_STAYS_ON_PAGE = frozenset("\t\n" + _JOINERS + _MARKS)

_STAYS_ON_PAGE = frozenset("\t\n" + _JOINERS + _MARKS)

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def is_unseen(letter: str) -> bool:
    """Return whether nothing is drawn for `letter`, or whether it changes how others are drawn.

    Variation selectors count but for the two that choose between text and emoji: 256 of them can carry any bytes.
    """
    if letter in _DRAWN_FORMATS:
        return False
    if unicodedata.category(letter) in _UNSAFE_CATEGORIES or letter in _BLANK_LETTERS:
        return True
    return "\u180b" <= letter <= "\u180f" or "\ufe00" <= letter <= "\ufe0d" or "\U000e0100" <= letter <= "\U000e01ef"


def one_line(text: str, most: int = 200) -> str:
    """Return `text` for a terminal, on one line of at most `most` characters.

    Blanks stand for line ends and tabs, U+FFFD for what is unseen.
    """
    shown = "".join(map(_in_terminal, text[: most + 1]))
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def each_line(text: str, most: int = 40) -> tuple[str, ...]:
    """Return the lines of `text` for a terminal: at most `most`, the last is then …"""
    found = tuple(one_line(line, 2000) for line in text.replace("\r\n", "\n").split("\n", most))
    return found if len(found) <= most else (*found[: most - 1], "…")


def visible(text: str) -> str:
    """Return `text` for a page: line ends and tabs stay, U+FFFD stands for what is unseen."""
    return "".join(map(_on_page, text.replace("\r\n", "\n")))


def printable(text: str, most: int = 1024) -> str:
    """Return a path or name for a sentence, `most` characters of it at most, with ? for what does not print."""
    shown = "".join(letter if letter.isprintable() and not is_unseen(letter) else "?" for letter in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def is_storable(text: str) -> bool:
    """Return whether `text` can be stored anywhere: no NUL, no lone surrogate (RFC 3629, section 3)."""
    return _UNSTORABLE.search(text) is None


def listed(things: Iterable[str], last: str = "and") -> str:
    """Return "a", "a and b" or "a, b and c"; `last` is the word before the last one."""
    *before, end = [*things] or [""]
    return f"{', '.join(before)} {last} {end}" if before else end


def _in_terminal(letter: str) -> str:
    if letter in "\t\n":
        return " "
    return letter if letter in _JOINERS or not is_unseen(letter) else REPLACEMENT


def _on_page(letter: str) -> str:
    return letter if letter in _STAYS_ON_PAGE or not is_unseen(letter) else REPLACEMENT
