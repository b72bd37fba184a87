"""Values put into a sink as the writer puts them: judged first, then written all or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from offprompt.errors import ValueNotCarried
from offprompt.request.outcome import Written
from offprompt.request.target import TargetState
from offprompt.service.sinks import SINKS
from offprompt.sinks.sink import Change, Target, WriteOrder

KEY = bytes(range(32))


def judged(change: Change, kind: str = "dotenv") -> Change:
    """`change` as the sink makes it; ValueNotCarried where no target of this kind holds its value."""
    found = SINKS[kind].change(change.name, change.value, generated=change.generated)
    if isinstance(found, Change):
        return found
    raise ValueNotCarried(name=change.name)


def put(
    project: Path | str,
    *changes: Change,
    path: str = ".env",
    kind: str = "dotenv",
    agreed: bool = False,
    held: Sequence[str] = (),
    lands: str | None = None,
) -> Written:
    """Write `changes`, all of which a person typed."""
    made = tuple(judged(change, kind) for change in changes)
    names = tuple(change.name for change in changes)
    return SINKS[kind].write(
        WriteOrder(
            Target(str(project), kind, path),
            (*names, *held),
            made,
            tuple(held),
            typed=frozenset(names),
            agreed=agreed,
            lands=lands,
            fingerprint_key=KEY,
        )
    )


def inspect(project: Path | str, path: str = ".env", kind: str = "dotenv") -> TargetState:
    """What is known of a target before anything is written."""
    return SINKS[kind].inspect(Target(str(project), kind, path))
