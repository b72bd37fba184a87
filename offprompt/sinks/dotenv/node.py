"""What node's `dotenv` reads (npm `dotenv` 17 and 18): the same statements, in linear time.

The package applies one regular expression to the whole text. This module reads the same values, and spells out what
JavaScript takes for white space, line ends and word characters. tests/sinks/dotenv/test_node.py compares the two on
random text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from offprompt.sinks.dotenv.statement import Statement, newlines_made_plain

# ECMA-262, 12.2 White Space and 12.3 Line Terminators.
_SPACES = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_ENDS = "\n\r\u2028\u2029"
_TRIMMED = _SPACES.replace("\u2000-\u200a", "".join(map(chr, range(0x2000, 0x200B))))

_SPACE = re.compile(f"[{_SPACES}]*")
_END = re.compile(f"[{_ENDS}]")


def _quoted(mark: str) -> str:
    # A backslash keeps the mark from closing, unless nothing else closes it: then the mark closes after all. Runs of
    # other characters are possessive, since no mark can close inside one.
    return rf"[{_SPACES}]*{mark}(?:[^{mark}\\]++|\\{mark}|\\)*{mark}"


_STATEMENT = re.compile(
    rf"(?:export[{_SPACES}]+)?(?P<name>[A-Za-z0-9_.-]+)(?:[{_SPACES}]*=[{_SPACES}]*?|:[{_SPACES}]+?)"
    rf"(?P<value>{_quoted(chr(39))}|{_quoted(chr(34))}|{_quoted('`')}|[^#\r\n]+)?"
    rf"[{_SPACES}]*(?:#[^{_ENDS}]*)?(?![^{_ENDS}])"
)
_OPENS = re.compile(rf"(?<![^{_ENDS}])['\"`]")
_CLOSES = re.compile(rf"['\"`](?![^{_ENDS}])")


def statements(text: str) -> Iterator[Statement]:
    """Return the assignments in the order of the file. The last one of a name counts."""
    at = 0
    while at < len(text):
        start = _skipped(text, at)
        starts_a_line = at == 0 or text[at - 1] in _ENDS or _END.search(text, at, start)
        found = _STATEMENT.match(text, start) if starts_a_line else None
        if found is None:
            line_end = _END.search(text, start)
            if line_end is None:
                return
            at = line_end.end()
            continue
        at = found.end()
        raw = (found["value"] or "").rstrip(_TRIMMED)
        end = found.start("value") + len(raw) if raw else _skipped(text, found.end("name")) + 1
        yield Statement(found["name"], _value(raw.lstrip(_TRIMMED)), found.start("name"), end)


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None  # it matches the empty string
    return found.end()


def _value(raw: str) -> str:
    raw = newlines_made_plain(raw) if "\r" in raw else raw
    value = _unwrapped(raw)
    return value.replace("\\n", "\n").replace("\\r", "\r") if raw.startswith('"') else value


def _unwrapped(text: str) -> str:
    """Return the text without each quote that starts a line and the last such quote that ends one.

    The package does so with one expression, in time that grows with the square of the lines.
    """
    last = {found[0]: found.start() for found in _CLOSES.finditer(text)}
    kept, at = [], 0
    for found in _OPENS.finditer(text):
        start, end = found.start(), last.get(found[0], -1)
        if at <= start < end:
            kept += [text[at:start], text[start + 1 : end]]
            at = end + 1
    return "".join([*kept, text[at:]])
