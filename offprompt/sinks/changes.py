"""What a target is to hold after the changes, pure: the new content, and what happened to each name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from offprompt.errors import NotHeld, TargetInTheWay, ValueNotCarried
from offprompt.sinks.dotenv.document import Document, put
from offprompt.sinks.dotenv.forms import Carried, carry


@dataclass(frozen=True, slots=True)
class Change:
    """`name` is to hold `value`. A `generated` one stays as it is where the file holds the name when it is written."""

    name: str
    value: str = field(repr=False)
    generated: bool = False


@dataclass(frozen=True, slots=True)
class Composed:
    """The new content, None when it stays as it is; `outcomes` and `shell_differs` as in SinkWritten."""

    text: str | None = field(repr=False)
    outcomes: tuple[tuple[str, str], ...]
    shell_differs: tuple[str, ...] = ()


def compose_dotenv(text: str, changes: Sequence[Change], held: Sequence[str], path: str) -> Composed:
    """Every change put into the text of a dotenv file, "" for one that does not exist.

    A name with nothing behind it (`NAME=`) is not held: such a place is filled, also by a generated value.

    Raises:
        NotHeld: a name of `held` is not there.
        ValueNotCarried, TargetInTheWay: see `document.put`; `path` is for the sentences.
    """
    document = Document(text)
    for name in held:
        if not document.holds(name):
            raise NotHeld(name=name, path=path)
    outcomes = []
    written = []
    for change in changes:
        there = document.holds(change.name)
        if there and change.generated:
            outcomes.append((change.name, "kept"))
            continue
        carried = carry(change.name, change.value)
        if not isinstance(carried, Carried):
            raise ValueNotCarried(name=change.name)
        document = put(document, carried, path)
        outcomes.append((change.name, _outcome(change, there)))
        written.append(change)
    # Only the whole says how a shell reads each: what comes later may close a quote that an earlier line left open.
    shell_differs = []
    for change in written:
        seen = document.sourced(change.name, change.value)
        if seen.runs:
            raise TargetInTheWay(name=change.name, path=path, line=document.doubtful_line(seen.lost_at))
        if not seen.exact:
            shell_differs.append(change.name)
    return Composed(None if document.text == text else document.text, tuple(outcomes), tuple(shell_differs))


def compose_file(full: bool, changes: Sequence[Change], held: Sequence[str], path: str) -> Composed:
    """The value is the file. `full`: there is one, and it is not empty. Raises NotHeld."""
    if held and not full:
        raise NotHeld(name=held[0], path=path)
    if not changes or (full and changes[0].generated):
        return Composed(None, tuple((change.name, "kept") for change in changes))
    (change,) = changes
    return Composed(change.value, ((change.name, _outcome(change, full)),))


def values_in(kind: str, text: str, names: Sequence[str]) -> Mapping[str, str]:
    """What a target of this kind holds for the names."""
    if kind == "file":
        return dict.fromkeys(names, text)
    found = Document(text).by_node
    return {name: found.get(name) or "" for name in names}


def _outcome(change: Change, there: bool) -> str:
    if change.generated:
        return "generated"
    return "replaced" if there else "added"
