"""The names that a dotenv file holds: all of them for us, and for an agent those that are no piece of a value.

A secret that was pasted without quotes and wrapped leaves lines that read like assignments. `key_names` judges a name
by itself; this module looks at what stands around it. When in doubt a name is counted and not told.
"""

from __future__ import annotations

import re

from offprompt.request import key_names
from offprompt.sinks.dotenv.document import Document
from offprompt.sinks.dotenv.statement import Statement

MAX_REPORTED = 100
"""Names that an agent is told: enough to find its way, and few enough for a result that it reads whole."""
MAX_JUDGED = 1000
"""Assignments that are judged. No file that people keep has more, and a file of 1 MiB would take seconds."""

_QUOTES = "'\"`"
_LINE_OF_ITS_OWN = re.compile(r"\s*(?:#|-----END|$)|[^=:]*[=:]")


def held_keys(document: Document) -> tuple[str, ...]:
    """Return the names that have a value, for this program alone: one may be a piece of a value."""
    return tuple(name for name in document.names() if document.holds(name))


def reported_keys(document: Document, limit: int = MAX_REPORTED) -> tuple[tuple[str, ...], int]:
    """Return at most `limit` names that both readers find at the same place, and how many others there may be.

    Each name counts once.
    """
    by_both = {(found.at, found.name) for found in document.python}
    told: dict[str, None] = {}
    others = {found.name for found in document.python if found.value is not None}
    others.update(found.name for found in document.node)
    open_quote = False
    piece_ends = 0  # the line that the last piece of a value ends in
    above = _Above("", 0)
    last_lines = range(0)  # of the assignment before
    for found in document.node[:MAX_JUDGED]:
        line, end = document.line(found.at), document.line(found.end)
        if above.line != line - 1:
            # The last line of a quoted value says nothing: its quotes end it.
            inside = line - 1 in last_lines[1:]
            above = _Above("" if inside else document.line_text(line - 1), line - 1)
        last_lines = range(line, end + 1)
        in_doubt = open_quote or (found.at, found.name) not in by_both
        if not in_doubt and _is_name(found, above, continues=0 < piece_ends == line - 1):
            told[found.name] = None
        elif not (found.value or "").strip("="):
            piece_ends = end
        open_quote = open_quote or _leaves_quote_open(document.text, found)
        if len(told) == limit:
            break
    return tuple(told), len(others - told.keys())


class _Above:
    """The line above an assignment.

    `is_junk`: it is no assignment, no comment and no end of a PEM text. `may_go_on`: its value stands without quotes
    and is no word or number, so that it may go on in the next line.
    """

    def __init__(self, text: str, line: int) -> None:
        self.line = line
        self.is_junk = _LINE_OF_ITS_OWN.match(text) is None
        last = re.split("[=:]", text, maxsplit=1)[-1].split()[-1:]
        self.may_go_on = bool(last) and last[0][-1] not in _QUOTES and not key_names.is_word(last[0])


def _is_name(found: Statement, above: _Above, *, continues: bool) -> bool:
    """Whether a name stands before the `=`. `continues`: the line above ends with a piece of a value."""
    trust = key_names.trust(found.name)
    value = found.value or ""
    if trust == "doubtful" or (value and not value.strip("=")):
        return False
    if key_names.turned_round(found.name, value):
        return False
    if continues or above.is_junk:
        return trust == "sure"
    return bool(value) or trust == "sure" or (found.name.isupper() and not above.may_go_on)


def _leaves_quote_open(text: str, found: Statement) -> bool:
    """Whether the value starts with a quote that its line does not close: what follows may belong to it."""
    raw = text[found.at : found.end].partition("=")[2].strip()
    return raw[:1] in _QUOTES and raw != "" and (len(raw) == 1 or raw[-1] != raw[0])
