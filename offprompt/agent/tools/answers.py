"""The answer to a call about a request: how it stands, and what to do next. Never a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt.agent.mcp.results import of_fields
from offprompt.agent.tools import notes
from offprompt.request.agreement import reasons
from offprompt.request.emoji import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.agent.mcp.events import Object
    from offprompt.agent.tools.origins import Origin
    from offprompt.request.record import Record


def of(
    record: Record, now: float, origin: Origin | None = None, *, note: str = "", problems: Sequence[str] = ()
) -> Object:
    """Return how `record` stands at `now`, as the result of a tool. Fields are absent when empty.

    Args:
        record: the request.
        now: the time, in seconds of the service's clock.
        origin: where the page can be reached; given when the agent has to show the link.
        note: replaces the words that fit the status.
        problems: a sentence for each setting that cannot be used.
    """
    is_open, written, spec = record.open, record.result, record.spec
    emoji = written.fingerprint if written else ()
    where = {"kind": spec.sink.kind, "path": spec.sink.path, "lands": record.target.lands}
    said = [note or (_awaiting(record, origin) if is_open else _closed(record))]
    if is_open:
        said += _of_target(record)
    fields: Object = {
        "tell_user": f"Fingerprint {' '.join(emoji)} ({', '.join(names_of(emoji))})" if emoji else "",
        "request_id": record.request_id,
        "status": record.public_status,
        "expires_in": record.expires_in(now) if is_open else None,
        "names": list(spec.names),
        "kept": _kept_generated(record),
        "fingerprint": " ".join(emoji),
        "file_keys": list(written.file_keys) if written else [],
        "file_keys_more": (written.file_keys_more or None) if written else None,
        "sink": {name: value for name, value in where.items() if value},
        "url": str(record.link(origin.url)) if origin is not None and is_open else "",
        "note": " ".join([*said, *problems]),
    }
    return of_fields({name: value for name, value in fields.items() if value not in ("", [], None)})


def too_late(record: Record, now: float) -> Object:
    """Return the answer to a cancel that comes when nothing can be withdrawn any more."""
    return of(record, now, note=notes.too_late(record.public_status))


def _kept_generated(record: Record) -> list[str]:
    generated = {entry.name for entry in record.spec.entries if entry.generate is not None}
    outcomes = record.result.outcomes if record.result else ()
    return [one.name for one in outcomes if one.outcome == "kept" and one.name in generated]


def _awaiting(record: Record, origin: Origin | None) -> str:
    remote = record.order.remote
    if origin is None:
        return notes.preparing() if remote else notes.page_open()
    said = [notes.link(remote)]
    if remote and not origin.public:
        said.append(notes.forward(origin.port, origin.problem))
    if origin.asked_port:
        said.append(notes.port_taken(origin.asked_port, origin.port))
    return " ".join(said)


def _of_target(record: Record) -> list[str]:
    target, path = record.target, record.spec.sink.path
    said = [notes.lands(path, target.lands)] if target.lands else []
    if target.needs_agreement:
        said.append(notes.agreement(reasons(target, path)))
    return said


def _closed(record: Record) -> str:
    if record.status == "written":
        return _written(record)
    if record.status == "expired":
        return notes.expired()
    by = {"person": notes.declined, "operator": notes.stopped}
    return by.get(record.cancelled_by or "", notes.withdrawn)()


def _written(record: Record) -> str:
    written, path = record.result, record.target.shown(record.spec.sink.path)
    assert written is not None
    unseen = notes.generated if record.spec.generated_only else notes.nothing_typed
    said = [(notes.written if written.fingerprint else unseen)(path)]
    kept = [one.name for one in written.outcomes if one.outcome == "kept"]
    if kept:
        said.append(notes.kept(kept, path))
    if written.shell_differs:
        said.append(notes.shell_differs(written.shell_differs, path))
    return " ".join(said)
