"""What `python-dotenv` reads (PyPI `python-dotenv` 1.x, `dotenv_values` and `load_dotenv` as most call them).

It reads statement by statement. Where it cannot read one, it skips the rest of the line. By default it fills `${NAME}`
from the environment, in any quotes: `is_filled` tells whether it would. tests/sinks/dotenv/test_python.py compares this
module and the package on random text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from offprompt.sinks.dotenv.statement import Statement, newlines_made_plain

_SPACE = re.compile(r"\s*")
_EXPORT = re.compile(r"(?:export[^\S\r\n]+)?")
_NAME = re.compile(r"([^=#\s]+)")
_QUOTED_NAME = re.compile(r"'([^']+)'")
_EQUALS = re.compile(r"[^\S\r\n]*(=[^\S\r\n]*)?")
_QUOTED = {
    "'": re.compile(r"'((?:[^'\\]++|\\.)*+)'", re.DOTALL),
    '"': re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL),
}
_BARE = re.compile(r"[^\r\n]*")
_BARE_COMMENT = re.compile(r"\s#")
_COMMENT = re.compile(r"(?:[^\S\r\n]*#[^\r\n]*)?")
_LINE_END = re.compile(r"[^\S\r\n]*(?:\r\n|\n|\r|$)")
_REST = re.compile(r"[^\r\n]*(?:\r|\n|\r\n)?")

_ESCAPED = {"'": re.compile(r"\\[\\']"), '"': re.compile(r"\\[\\'\"abfnrtv]")}
_MEANT = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}

# The package's expression, but that a name ends where the next `${` begins: each would be followed to the same end.
_FILLED = re.compile(r"\$\{(?:[^}:$]++|\$(?!\{))*+(?::-[^}]*)?\}")


def is_filled(value: str) -> bool:
    """Whether python-dotenv would replace a part of the value, as `${HOME}` or `${X:-y}`."""
    # Not beyond the last brace: without one to find, every `${` of a long value would be followed to its end.
    return _FILLED.search(value, 0, value.rfind("}") + 1) is not None


def statements(text: str) -> Iterator[Statement]:
    """Return the statements in the order of the file, before `${…}` is filled. The last one of a name counts."""
    reading = _Reading(text)
    while reading.at < len(text):
        try:
            found = reading.statement()
        except _Unreadable:
            reading.take(_REST)
            continue
        if found is not None:
            yield found


class _Unreadable(Exception):
    pass


class _Reading:
    """The offset up to which a text is read. A statement that turns out to be unreadable stays read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1 if text.startswith("\ufeff") else 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise _Unreadable
        self.at = found.end()
        return found

    def statement(self) -> Statement | None:
        self.take(_SPACE)
        if self.at == len(self.text):
            return None
        self.take(_EXPORT)
        at = self.at
        mark = self.text[at : at + 1]
        name = None if mark == "#" else self.take(_QUOTED_NAME if mark == "'" else _NAME)[1]
        name_end = self.at
        equals = self.take(_EQUALS)[1]
        if equals is None:
            value, end = None, name_end
        else:
            value, end = self.value(len(equals) - 1)
        self.take(_COMMENT)
        self.take(_LINE_END)
        return None if name is None else Statement(_plain(name), value, at, end)

    def value(self, blanks: int) -> tuple[str, int]:
        """Return the value and where it ends. The `blanks` behind the `=` are no part of an empty value."""
        start = self.at
        mark = self.text[start : start + 1]
        if blanks and mark == "#":
            return "", start - blanks
        if mark and mark in _QUOTED:
            inner = _plain(self.take(_QUOTED[mark])[1])
            value = _ESCAPED[mark].sub(lambda found: _MEANT.get(found[0][1], found[0][1]), inner)
            return value, self.at
        bare = self.take(_BARE)[0]
        comment = _BARE_COMMENT.search(bare)
        value = (bare[: comment.start()] if comment else bare).rstrip()
        return value, start + len(value) if value else start - blanks


def _plain(text: str) -> str:
    return newlines_made_plain(text) if "\r" in text else text
