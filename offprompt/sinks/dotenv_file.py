"""The sink of kind `dotenv`: names and values in a file that programs load, every other byte of which stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from offprompt.errors import NotHeld, TargetInTheWay
from offprompt.request.outcome import Written
from offprompt.request.target import TargetState
from offprompt.sinks import project_file
from offprompt.sinks.content import Content
from offprompt.sinks.dotenv.document import Document, put
from offprompt.sinks.dotenv.file_keys import held_keys, reported_keys
from offprompt.sinks.dotenv.forms import Carried, carry
from offprompt.sinks.project_file import Composition
from offprompt.sinks.sink import Change, Target, WriteOrder


@dataclass(frozen=True, slots=True)
class DotenvChange(Change):
    """A change with the ways of writing its value that carry it, so that the value is judged once."""

    carried: Carried = field(repr=False, kw_only=True)


class DotenvFile:
    """Dotenv files of a project."""

    takes_one = False
    usual_path = ".env"

    def inspect(self, target: Target) -> TargetState:
        """Return what there is. `keys` are the names that have a value: `NAME=` alone is a place for one."""
        return project_file.inspect(target, lambda content: held_keys(Document(content.text(target.path))))

    def change(self, name: str, value: str, *, generated: bool = False) -> Change | tuple[str, ...]:
        """Return the change, or why no dotenv file can hold the value."""
        carried = carry(name, value)
        return DotenvChange(name, value, generated, carried=carried) if isinstance(carried, Carried) else carried

    def write(self, order: WriteOrder) -> Written:
        """Write the changes into the file, all or none."""

        changes = cast("tuple[DotenvChange, ...]", order.changes)  # they are all ours
        last: Document | None = None

        def compose(old: Content | None) -> Composition:
            nonlocal last
            text = "" if old is None else old.text(order.target.path)
            composed, last = compose_dotenv(text, changes, order.held, order.target.path)
            return composed

        composed, text = project_file.write(order, compose, whole=True)
        document = last if last is not None and last.text == text else Document(text)
        file_keys, file_keys_more = reported_keys(document)
        return order.written(
            dict(composed.outcomes),
            {name: document.by_node.get(name) or "" for name in composed.written},
            file_keys=file_keys,
            file_keys_more=file_keys_more,
            shell_differs=composed.shell_differs,
        )


def compose_dotenv(
    text: str, changes: Sequence[DotenvChange], held: Sequence[str], path: str
) -> tuple[Composition, Document]:
    """Return what a dotenv file is to hold, as text and as it is read, with every change put into it.

    `text` is what it holds now, "" for a file that does not exist.

    A name with nothing behind it (`NAME=`) is not held: such a place is filled, also by a generated value.

    Raises:
        NotHeld: a name of `held` is not there.
        TargetInTheWay: see `document.put`; `path` is for the sentences.
    """
    document = Document(text)
    for name in held:
        if not document.holds(name):
            raise NotHeld(name=name, path=path)
    outcomes = []
    written = []
    for change in changes:
        is_there = document.holds(change.name)
        if is_there and change.generated:
            outcomes.append((change.name, "kept"))
            continue
        document = put(document, change.carried, path)
        outcomes.append((change.name, "generated" if change.generated else "replaced" if is_there else "added"))
        written.append(change)
    # Only the whole says how a shell reads each: what comes later may close a quote that an earlier line left open.
    shell_differs = []
    for change in written:
        seen = document.sourced(change.name, change.value)
        if seen.runs:
            raise TargetInTheWay(name=change.name, path=path, line=document.doubtful_line(seen.lost_at))
        if not seen.exact:
            shell_differs.append(change.name)
    new = None if document.text == text else document.text
    return Composition(new, tuple(outcomes), tuple(shell_differs)), document
