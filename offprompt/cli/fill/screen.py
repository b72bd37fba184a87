"""What `offprompt fill` shows: a request, a question, a result, as lines of text. Pure.

What an agent wrote stands behind a bar and nothing else does, so that no word of it can be taken for ours.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, cast

from offprompt.cli.cells import wrapped
from offprompt.request.consent import reasons
from offprompt.request.emoji import EMOJI, EMOJI_NAMES
from offprompt.request.target import TargetState
from offprompt.text import listed, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from offprompt.cli.fill.request import AskedRequest, AskedValue, Destination
    from offprompt.request.target import Git, Trust

WIDTH = 78
"""Cells of a line: what a terminal of 80 shows without breaking it."""
LEAST_WIDTH = 40
INDENT = 18
"""Cells before what stands behind a head such as "It calls itself"."""
BAR, NO_BAR = "| ", "  "
MAX_ODD = 4
"""Letters of a path that are named: more are for nobody to read."""
_NAMES = dict(zip(EMOJI, EMOJI_NAMES, strict=True))

_UNWRITABLE = (
    "offprompt may not write this file now. Change the rights of the file or its folder before you type anything."
)


def introduction(request: AskedRequest, columns: int) -> tuple[str, ...]:
    """Return who asks, why, and what will be written where, for a terminal of `columns` cells."""
    width = _width(columns)
    destination = request.destination
    reason = request.reason if any(request.reason) else ("(no reason)",)
    rows = (
        *_row("It calls itself", [request.host or "(no name)"], width, BAR),
        *_row("Its reason", reason, width, BAR),
        *_row("Its project", [request.project], width, BAR),
        *_row("Its file", [str(destination)], width, BAR),
        *_row("", ["; ".join(_facts(destination))], width),
        *_row("Take care", cautions(destination, request.project), width),
        *_row("Time left", [_time_left(request.expires_in)], width),
    )
    text = (
        "What stands behind | is the agent's own word. What you type is not shown, and is sealed on this computer "
        "before it is sent. Nothing is sent before the end. Ctrl-C stops."
    )
    return ("", f"An agent asks for {_values(len(request.values))}.", "", *rows, "", *wrapped(text, width))


def cautions(destination: Destination, project: str = "") -> list[str]:
    """Return what a person should know of the destination before they type a value."""
    found = consents(destination)
    if destination.readable_by_others:
        found.append("Other accounts on that computer can read this file now. After writing only its owner can.")
    if not destination.writable:
        found.append(_UNWRITABLE)
    odd = dict.fromkeys(letter for letter in f"{project}{destination.path}{destination.lands}" if not letter.isascii())
    if odd:
        named = [f"{letter} (U+{ord(letter):04X}, {_letter_name(letter)})" for letter in [*odd][:MAX_ODD]]
        more = [f"{len(odd) - MAX_ODD} more"] if len(odd) > MAX_ODD else []
        found.append(f"The path holds characters that are not plain ASCII: {listed([*named, *more])}.")
    return found


def consents(destination: Destination) -> list[str]:
    """Return the reasons for which the person has to agree, a sentence each."""
    if not destination.agree:
        return []
    target = TargetState(
        git=cast("Git", destination.git),
        lands=destination.lands,
        public=destination.public,
        trusted=cast("Trust", destination.trusted),
    )
    return list(reasons(target, destination.path)) or ["The service asks for your word before it writes there."]


def question(
    number: int, of: int, value: AskedValue, columns: int, *, keep: bool, expected: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return what a person should know before they type a value.

    `keep`: Enter alone leaves it as it is. `expected`: how it should look, by `remarks.expectations`.
    """
    width = _width(columns) - 5
    head = f"{number}/{of}  {value.name}" + (f"  {value.label}" if value.label else "")
    notes = [f"Expected: {'; '.join(expected)}."] if expected else []
    if value.multiline:
        notes.append("Several lines. End with a line that holds a single dot, or with Ctrl-D.")
    if not value.secret:
        notes.append("Shown while you type: it is not secret.")
    if keep:
        notes.append("The file has it already. Leave it empty to keep what is there.")
    caption = [BAR + line for line in wrapped(value.caption, width - len(BAR))] if value.caption else []
    url = [value.url] if value.url else []  # whole, so that it can be clicked
    said = [*caption, *url, *(line for note in notes for line in wrapped(note, width))]
    return ("", head, *(f"     {line}" for line in said))


def left_to_the_service(values: Iterable[AskedValue]) -> tuple[str, ...]:
    """Return a line about the values that nobody types."""
    names = [value.name for value in values if value.generated]
    return ("", f"Made by offprompt, nothing to type: {', '.join(names)}") if names else ()


def ready(typed: int, place: str) -> str:
    """Return the last question."""
    what = f"seal {_values(typed)} and write them" if typed > 1 else "seal the value and write it" if typed else "write"
    return f"Press Enter to {what} to {place}. "


def outcomes(place: str, keys: Mapping[str, str], notes: Iterable[str], columns: int) -> tuple[str, ...]:
    """Return what was written: each name with what became of it."""
    width = max(map(len, keys), default=0)
    rows = [f"  {name:<{width}}  {outcome}" for name, outcome in keys.items()]
    return ("", f"Written to {place}.", *rows, *(line for note in notes for line in wrapped(note, _width(columns))))


def fingerprint_line(fingerprint: Iterable[str]) -> str:
    """Return the four emoji and their names, as the agent's host shows them."""
    return f"Fingerprint {named_emoji(fingerprint)}"


def named_emoji(fingerprint: Iterable[str]) -> str:
    """Return the four emoji and their names."""
    emoji = tuple(fingerprint)
    return f"{' '.join(emoji)} ({', '.join(_NAMES.get(each, '?') for each in emoji)})"


def faults(lines: Mapping[str, Iterable[str]], form: Iterable[str]) -> tuple[str, ...]:
    """Return why nothing was written yet."""
    shown = [f"  {name}: {line}" for name, several in lines.items() for line in several]
    return ("", "Nothing is written yet:", *shown, *(f"  {one_line(line)}" for line in form))


def _width(columns: int) -> int:
    return max(LEAST_WIDTH, min(WIDTH, columns - 2))


def _row(head: str, parts: Iterable[str], width: int, bar: str = NO_BAR) -> list[str]:
    """Return one fact, its head before its first line and `bar` before each."""
    lines = [bar + line for part in parts for line in wrapped(part, width - INDENT - len(bar))]
    return [f"  {head if not number else '':<{INDENT - 2}}{line}".rstrip() for number, line in enumerate(lines)]


def _facts(destination: Destination) -> list[str]:
    found = ["exists" if destination.exists else "new"]
    if destination.exists and destination.kind == "file":
        found = ["exists and will be replaced"]
    if destination.git == "untracked":
        found.append("ignored by git" if destination.ignored else "not ignored by git: take care not to commit it")
    elif destination.git == "tracked":
        found.append("tracked by git")
    else:
        found.append("not known to git")
    return found


def _letter_name(letter: str) -> str:
    return unicodedata.name(letter, "no name").lower()


def _time_left(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes} minutes" if minutes > 1 else f"{seconds} seconds"


def _values(count: int) -> str:
    return "one value" if count == 1 else f"{count} values"
