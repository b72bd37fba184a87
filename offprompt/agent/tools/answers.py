"""What an agent is told of a request: never a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt.agent.mcp import results, words

if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Object
    from offprompt.agent.tools.origins import Origin
    from offprompt.request.record import Record


def told(record: Record, now: float, origin: Origin | None = None, note: str = "") -> Object:
    """How `record` stands at `now`.

    `origin` is given when the agent has to show the link; the result of an open request then holds it. `note` replaces
    the words that fit the status.
    """
    status = "awaiting" if record.open else record.status
    written = record.result
    generated = {entry.name for entry in record.spec.entries if entry.generate is not None}
    outcomes = written.outcomes if written else ()
    return results.outcome(
        request_id=record.request_id,
        status=status,
        expires_in=record.expires_in(now) if record.open else None,
        names=record.spec.names,
        kept=[one.name for one in outcomes if one.outcome == "kept" and one.name in generated],
        fingerprint=written.fingerprint if written else (),
        file_keys=written.file_keys if written else (),
        sink=(record.spec.sink.kind, record.spec.sink.path),
        url=str(record.link(origin.url)) if origin is not None and record.open else "",
        note=note or _note(record, origin),
    )


def told_too_late(record: Record, now: float) -> Object:
    """The answer to a cancel that came when nothing could be withdrawn any more."""
    return told(record, now, note=words.note_too_late("awaiting" if record.open else record.status))


def _note(record: Record, origin: Origin | None) -> str:
    if record.open:
        return _awaiting(record, origin)
    if record.status == "written":
        return _written(record)
    if record.status == "expired":
        return words.note_expired()
    by = {"person": words.note_declined, "operator": words.note_stopped}
    return by.get(record.cancelled_by or "", words.note_withdrawn)()


def _awaiting(record: Record, origin: Origin | None) -> str:
    if origin is None:
        return words.note_preparing() if record.order.remote else words.note_open()
    notes = [words.note_link(record.order.remote)]
    if record.order.remote and not origin.public:
        notes.append(words.note_forward(origin.port, origin.problem))
    if origin.asked_port:
        notes.append(words.note_port_taken(origin.asked_port, origin.port))
    return " ".join(notes)


def _written(record: Record) -> str:
    written, path = record.result, record.spec.sink.path
    assert written is not None
    unseen = words.note_generated if record.spec.generated_only else words.note_nothing_typed
    notes = [(words.note_written if written.fingerprint else unseen)(path)]
    kept = [one.name for one in written.outcomes if one.outcome == "kept"]
    if kept:
        notes.append(words.note_kept(kept, path))
    if written.shell_differs:
        notes.append(words.note_shell_differs(written.shell_differs, path))
    return " ".join(notes)
