"""Sets of characters, written as the inside of a regular expression's class: tests for them, and words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Letters = Literal["", "all", "capital", "small"]


@dataclass(frozen=True, slots=True)
class Characters:
    """What a set holds, for words. `hex`: hexadecimal digits, no other letter or digit. `signs`: all else, singly."""

    letters: Letters
    digits: bool
    hex: bool
    signs: str


def only(value: str, of: str) -> bool:
    """Whether every character of `value` is in the set."""
    return _class(of).fullmatch(value) is not None


@lru_cache(maxsize=256)
def _class(of: str) -> re.Pattern[str]:
    return re.compile(f"[{of}]*")


def characters(of: str) -> Characters:
    """Return what the set holds. A hyphen stands last in it, as in all sets of the registry."""
    ranges = [of[at : at + 3] for at in _starts(of)]
    signs = "".join(one for at, one in enumerate(of) if not any(start <= at < start + 3 for start in _starts(of)))
    if {"a-f", "A-F"} & set(ranges) and not {"a-z", "A-Z"} & set(ranges):
        return Characters("", False, True, signs)
    small, capital = "a-z" in ranges, "A-Z" in ranges
    letters: Letters = "all" if small and capital else "small" if small else "capital" if capital else ""
    return Characters(letters, "0-9" in ranges, False, signs)


def _starts(of: str) -> list[int]:
    found, at = [], 0
    while at < len(of):
        if at + 2 < len(of) and of[at + 1] == "-":
            found.append(at)
            at += 3
        else:
            at += 1
    return found
