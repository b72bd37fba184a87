"""The ways a value can be written behind `NAME=`, best first, and whether one of them carries it.

No rule of thumb decides which form carries which value: both readers and the shell's view read every form back
(docs/dotenv.md has the table and the shares measured).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from offprompt.sinks.dotenv import node, python, shell
from offprompt.text import is_storable, listed

# Nothing that a reader or a shell could take for more than a character. zsh also expands `=` at the start of a value
# and behind a colon.
_BARE = re.compile(r"(?!=)(?!.*:=)[A-Za-z0-9_./:@%+,=-]+")

CLOSINGS = {"\\": " #", "'": " #'", '"': ' #"'}
"""The comments that may belong to a form, by the character of a value that they are for."""


def forms(value: str, newline: str = "\n") -> Iterator[str]:
    r"""Return the candidates. `newline` ends the file's lines; every reader of dotenv files takes any line end for LF.

    bare     abc123
    single   'a "b" $c', lines as they are
    double   "it's", lines as they are
    escaped  "first\rsecond": a CR as backslash r, since both readers take a CR in the file for a line end
    raw      a'b'"c": without quotes round it
    closed   a'b"c #' and others: raw, with a comment that keeps a shell in step. The readers of dotenv files cut the
             comment off; for a shell it closes the quote that the value leaves open, or parts its last backslash
             from the end of the line. Not used to hide a CR from a shell: in a CRLF file it meets that in every line
    """
    if _BARE.fullmatch(value):
        yield value
    if "'" not in value and "\r" not in value:
        yield "'" + value.replace("\n", newline) + "'"
    if '"' not in value:
        yield '"' + value.replace("\r", "\\r").replace("\n", newline) + '"'
    if value and "\n" not in value and "\r" not in value:
        yield value
        yield from (value + closing for last, closing in CLOSINGS.items() if last in value)


NO_TEXT = "This value holds a character that no text file can hold. Paste it again, or type it."


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that a dotenv file can hold behind `name`. `carry` makes it, and nothing judges the value again."""

    name: str
    value: str = field(repr=False)
    _forms: tuple[str, ...] = field(repr=False)

    def forms(self, newline: str) -> tuple[str, ...]:
        """The forms to try in a file whose lines end in `newline`: the first that carries the value, then the rest."""
        return tuple(form.replace("\n", newline) for form in self._forms)


def carry(name: str, value: str) -> Carried | tuple[str, ...]:
    """Judge a value once: return what carries it, or why no dotenv file can hold it.

    The reasons are sentences for the person who typed the value, without any part of it. The judgement depends on
    nothing else that a file holds.
    """
    if not is_storable(value):
        return (NO_TEXT,)
    if python.is_filled(value):
        return ("A part of this value reads ${…}, which Python's dotenv would replace with something else.", _WAY_OUT)
    tried = tuple(forms(value))
    runs = False
    for number, form in enumerate(tried):
        if _reads(f"{name}={form}\n", name, value):
            if not _runs(name, form, value):
                return Carried(name, value, tried[number:])
            runs = True
    if runs:
        return (f"With its {_marks(value)}, a shell that sources the file would run a part of this value.", _WAY_OUT)
    return (f"With its {_marks(value)}, node and Python would read this value differently.", _WAY_OUT)


def objections(name: str, value: str) -> tuple[str, ...]:
    """Return why no dotenv file can hold the value, as `carry` says it; () when one can."""
    found = carry(name, value)
    return () if isinstance(found, Carried) else found


_WAY_OUT = "Use another value, or ask the agent to request it in a file of its own."


def _reads(text: str, name: str, value: str) -> bool:
    pair = [(name, value)]
    return [(found.name, found.value) for found in node.statements(text)] == pair and [
        (found.name, found.value) for found in python.statements(text)
    ] == pair


def _runs(name: str, form: str, value: str) -> bool:
    return shell.script(f"{name}={form}\n").view(0, len(name) + 1 + len(form), name, value).runs


def _marks(value: str) -> str:
    kinds = {
        "single quotes": "'",
        "double quotes": '"',
        "backslashes": "\\",
        "dollar signs": "$",
        "backticks": "`",
        "line breaks": "\n",
        "carriage returns": "\r",
        "number signs": "#",
        "blanks": " ",
    }
    found = [kind for kind, mark in kinds.items() if mark in value] or ["special characters"]
    return listed(found)
