"""What `offprompt fill` shows: a request, a question, a result, as lines of text. Pure."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from offprompt.request.emoji import EMOJI, EMOJI_NAMES
from offprompt.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from offprompt.cli.fill.request import AskedSecret, Sheet

WIDTH = 78
"""Columns: what a terminal of 80 shows without breaking."""
INDENT = 13
"""Columns before what stands behind a head such as "Time left"."""
_NAMES = dict(zip(EMOJI, EMOJI_NAMES, strict=True))


def introduction(sheet: Sheet) -> tuple[str, ...]:
    """Who asks, why, and what will be written where."""
    count = len(sheet.secrets)
    why = [line for part in sheet.reason for line in textwrap.wrap(part, WIDTH - INDENT) or [""]]
    return (
        "",
        f"{sheet.host or 'An agent'} asks for {_values(count)}.",
        "",
        *_row("Why", why if any(why) else ["(it gives no reason)"]),
        *_row("Project", [sheet.project]),
        *_row("File", [sheet.path, *textwrap.wrap("; ".join(_file_facts(sheet)), WIDTH - INDENT)]),
        *_row("Time left", [_time_left(sheet.expires_in)]),
        "",
        "What you type is not shown, and is sealed on this computer before it is sent.",
        "Nothing is sent before the end. Ctrl-C stops.",
    )


def question(number: int, of: int, secret: AskedSecret, *, keep: bool) -> tuple[str, ...]:
    """What a person should know before typing one value; `keep`: Enter alone leaves it as it is."""
    head = f"{number}/{of}  {secret.name}" + (f"  {secret.label}" if secret.label else "")
    notes = [secret.caption, secret.url, *secret.rules]
    if secret.multiline:
        notes.append("Several lines. End with a line that holds a single dot, or with Ctrl-D.")
    if not secret.secret:
        notes.append("Shown while you type: it is not secret.")
    if keep:
        notes.append("The file has it already. Leave it empty to keep what is there.")
    return ("", head, *(f"     {line}" for note in notes if note for line in textwrap.wrap(note, WIDTH - 5)))


def left_to_the_service(secrets: Iterable[AskedSecret]) -> tuple[str, ...]:
    """The values that nobody types."""
    names = [secret.name for secret in secrets if secret.generated]
    return ("", f"Made by offprompt, nothing to type: {', '.join(names)}") if names else ()


def ready(typed: int, path: str) -> str:
    """The last question."""
    what = f"seal {_values(typed)} and write them" if typed > 1 else "seal the value and write it" if typed else "write"
    return f"Press Enter to {what} to {path}. "


def outcomes(path: str, keys: Mapping[str, str], notes: Iterable[str]) -> tuple[str, ...]:
    """What was written: each name with what became of it."""
    width = max(map(len, keys), default=0)
    rows = [f"  {name:<{width}}  {outcome}" for name, outcome in keys.items()]
    return ("", f"Written to {path}.", *rows, *(line for note in notes for line in textwrap.wrap(note, WIDTH)))


def fingerprint_line(fingerprint: Iterable[str]) -> str:
    """The four emoji and their names."""
    emoji = tuple(fingerprint)
    return f"Fingerprint  {' '.join(emoji)}   ({', '.join(_NAMES.get(each, '?') for each in emoji)})"


def faults(lines: Mapping[str, Iterable[str]], form: Iterable[str]) -> tuple[str, ...]:
    """Why nothing was written yet."""
    shown = [f"  {name}: {line}" for name, several in lines.items() for line in several]
    return ("", "Nothing is written yet:", *shown, *(f"  {one_line(line)}" for line in form))


def _row(head: str, lines: list[str]) -> list[str]:
    return [f"  {head if not number else '':<{INDENT - 2}}{line}".rstrip() for number, line in enumerate(lines)]


def _file_facts(sheet: Sheet) -> list[str]:
    facts = ["exists" if sheet.exists else "new"]
    if sheet.exists and sheet.kind == "file":
        facts = ["exists and will be replaced"]
    if sheet.tracked:
        facts.append("TRACKED BY GIT")
    elif sheet.ignored:
        facts.append("ignored by git")
    else:
        facts.append("not tracked by git")
    if sheet.readable_by_others:
        facts.append("others on that computer can read it now, afterwards only its owner can")
    return facts


def _time_left(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes} minutes" if minutes > 1 else f"{seconds} seconds"


def _values(count: int) -> str:
    return "one value" if count == 1 else f"{count} values"
