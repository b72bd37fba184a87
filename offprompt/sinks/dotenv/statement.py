"""One assignment in a dotenv file, as one reader sees it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Statement:
    """One assignment of `value` to `name`.

    It goes from `at`, the name's first character, to `end`, behind the value and before a comment. Offsets count
    characters of the whole text. `value` is None where python-dotenv sees a name without `=`.
    """

    name: str
    value: str | None = field(repr=False)
    at: int
    end: int


def newlines_made_plain(text: str) -> str:
    r"""Return the text with every CR LF and every CR as LF, as node's dotenv and Python's `open` make it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
