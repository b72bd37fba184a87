"""The ways a value can be written behind `NAME=`, best first, and whether one of them carries it.

Which form carries which value is not decided by rules of thumb: every form is tried and read back by both readers and
the shell's view (docs/dotenv.md has the table and the shares measured).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from offprompt.sinks.dotenv import node, python, shell
from offprompt.text import is_storable

# Nothing that a reader or a shell could take for more than a character. zsh also expands `=` at the start of a value
# and behind a colon.
_BARE = re.compile(r"(?!=)(?!.*:=)[A-Za-z0-9_./:@%+,=-]+")

CLOSINGS = {"\\": " #", "'": " #'", '"': ' #"'}
"""The comments that may belong to a form, by the character of a value that they are for."""


def forms(value: str, newline: str = "\n") -> Iterator[str]:
    r"""The candidates. `newline` is how the file ends its lines; every reader of dotenv files takes them all for LF.

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


def objections(name: str, value: str) -> tuple[str, ...]:
    """Why no dotenv file can hold the value: sentences for the person who typed it, without any part of it; () when
    one can.

    Pure and independent of what else a file holds.
    """
    if not is_storable(value):
        return (NO_TEXT,)
    if python.is_filled(value):
        return ("A part of this value reads ${…}, which Python's dotenv would replace with something else.", _WAY_OUT)
    runs = False
    for form in forms(value):
        text = f"{name}={form}\n"
        if _reads(text, name, value):
            if not shell.view(text, 0, len(text) - 1, name, value).runs:
                return ()
            runs = True
    if runs:
        return (f"With its {_marks(value)}, a shell that sources the file would run a part of this value.", _WAY_OUT)
    return (f"With its {_marks(value)}, node and Python would read this value differently.", _WAY_OUT)


_WAY_OUT = "Use another value, or ask the agent to request it in a file of its own."


def _reads(text: str, name: str, value: str) -> bool:
    pair = [(name, value)]
    return [(found.name, found.value) for found in node.statements(text)] == pair and [
        (found.name, found.value) for found in python.statements(text)
    ] == pair


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
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " and " + found[-1]
