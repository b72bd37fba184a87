"""The sink of kind `file`: one value is the whole file, as a PEM key or a service account's JSON needs it."""

from __future__ import annotations

from collections.abc import Sequence

from offprompt.errors import NotHeld
from offprompt.request.outcome import Written
from offprompt.request.target import TargetState
from offprompt.sinks import project_file
from offprompt.sinks.project_file import Composition
from offprompt.sinks.sink import Change, Target, WriteOrder
from offprompt.text import is_storable

NO_TEXT = "This value holds a character that no text file can hold. Paste it again, or type it."


class PlainFile:
    """Files of a project that hold one value each."""

    takes_one = True
    usual_path = ""

    def inspect(self, target: Target) -> TargetState:
        """Return what there is. Its bytes are not read: they are to be replaced whatever they are."""
        return project_file.inspect(target)

    def change(self, name: str, value: str, *, generated: bool = False) -> Change | tuple[str, ...]:
        """Return the change, or why no text file can hold the value."""
        return Change(name, value, generated) if is_storable(value) else (NO_TEXT,)

    def write(self, order: WriteOrder) -> Written:
        """Put the value in the file's place."""
        path = order.target.path
        composed, text = project_file.write(
            order,
            lambda old: compose_file(old is not None and old.size > 0, order.changes, order.held, path),
            whole=False,
        )
        return order.written(dict(composed.outcomes), dict.fromkeys(composed.written, text))


def compose_file(full: bool, changes: Sequence[Change], held: Sequence[str], path: str) -> Composition:
    """Return the value as the file's text. `full`: there is a file, and it is not empty. Raises NotHeld."""
    if held and not full:
        raise NotHeld(name=held[0], path=path)
    if not changes or (full and changes[0].generated):
        return Composition(None, tuple((change.name, "kept") for change in changes))
    (change,) = changes
    outcome = "generated" if change.generated else "replaced" if full else "added"
    return Composition(change.value, ((change.name, outcome),))
