"""What every kind of sink does: say what there is, judge a value, write.

A new kind is one file beside this one and one line in `offprompt/service/sinks.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, cast

from offprompt.request.fingerprint import fingerprint
from offprompt.request.outcome import KeyOutcome, Outcome, Written
from offprompt.request.target import TargetState


@dataclass(frozen=True, slots=True)
class Target:
    """Where values go: `kind` names the sink, `path` is the agent's, relative to `project`.

    `project` is an absolute folder without links in its path.
    """

    project: str
    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Change:
    """`name` is to hold `value`. A `generated` one stays as it is where the target holds the name when it is written.

    A sink may add to it, in a class of its own, what it found out when it judged the value.
    """

    name: str
    value: str = field(repr=False)
    generated: bool = False


@dataclass(frozen=True, slots=True)
class WriteOrder:
    """One write: all of the changes, or none.

    Attributes:
        target: where to.
        names: the requested names, in the agent's order.
        changes: what the sink made of the values by `Sink.change`, each name once.
        held: names that the target must hold, since the person left them as they are.
        typed: names whose values a person sent.
        agreed: the person agreed to write into this target; without it one that needs that is refused.
        lands: where the path led when the person was asked, as in TargetState; None when nobody was told.
        fingerprint_key: 32 bytes; None when nobody typed anything.
    """

    target: Target
    names: tuple[str, ...]
    changes: tuple[Change, ...]
    held: tuple[str, ...] = ()
    typed: frozenset[str] = frozenset()
    agreed: bool = False
    lands: str | None = None
    fingerprint_key: bytes | None = field(default=None, repr=False)

    def written(
        self,
        outcomes: Mapping[str, str],
        values: Mapping[str, str],
        *,
        file_keys: tuple[str, ...] = (),
        file_keys_more: int = 0,
        shell_differs: tuple[str, ...] = (),
    ) -> Written:
        """Return the result of the write.

        Args:
            outcomes: what became of each change, by its name; a name without one was kept.
            values: what the target holds now for the names that were not kept, read back from it.
            file_keys, file_keys_more, shell_differs: as in Written.
        """
        became = {name: outcomes.get(name, "kept") for name in self.names}
        typed = {name: values[name] for name in self.typed if became[name] != "kept"}
        told = tuple(Outcome(name, cast("KeyOutcome", outcome)) for name, outcome in became.items())
        seen = fingerprint(self.fingerprint_key, typed) if typed and self.fingerprint_key is not None else ()
        return Written(
            fingerprint=seen,
            file=TargetState(lands=self.lands or "").shown(self.target.path),
            outcomes=told,
            file_keys=file_keys,
            shell_differs=shell_differs,
            file_keys_more=file_keys_more,
        )


class Sink(Protocol):
    """A kind of place where values land."""

    @property
    def takes_one(self) -> bool:
        """Whether it takes exactly one value, which becomes the whole target."""
        ...

    @property
    def usual_path(self) -> str:
        """The path where the agent gives none; "" when it has to give one."""
        ...

    def inspect(self, target: Target) -> TargetState:
        """Return what there is before anything is written. Blocks for some milliseconds, at most 2 s.

        Raises:
            SinkRefused: leaves that say why the target will not be written.
            SinkFailed: the system refused to look.
            ProjectMissing: the project's folder is not there any more.
        """
        ...

    def change(self, name: str, value: str, *, generated: bool = False) -> Change | tuple[str, ...]:
        """Return the change that `write` takes, or why no target of this kind can hold the value.

        The lines are sentences for the person, without any part of the value. Pure.
        """
        ...

    def write(self, order: WriteOrder) -> Written:
        """Write, and return what was written. Blocks: milliseconds and the disk's fsync, at most some seconds.

        Raises:
            SinkRefused: nothing was written, and the leaf says why; ValueNotCarried and NotHeld give the `name`.
            SinkFailed: the system refused, and nothing was written.
            ProjectMissing: the project's folder is not there any more.
        """
        ...
