"""The answer to a call about a request: how it stands, and what to do next. Never a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt.agent.mcp.results import of_fields
from offprompt.agent.tools import notes
from offprompt.request.consent import reasons
from offprompt.request.emoji import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.agent.mcp.events import Object
    from offprompt.agent.tools.services import Origin
    from offprompt.request.outcome import Written
    from offprompt.request.record import Record
    from offprompt.request.spec import RequestSpec


def of(
    record: Record,
    now: float,
    origin: Origin | None = None,
    url: str = "",
    *,
    note: str = "",
    problems: Sequence[str] = (),
) -> Object:
    """Return how `record` stands at `now`, as the result of a tool. Fields are absent when empty.

    Args:
        record: the request.
        now: the time, in seconds of the service's clock.
        origin, url: where the page can be reached, and its link there; given when the agent has to show it.
        note: replaces the words that fit the status.
        problems: a sentence for each setting that cannot be used.
    """
    order, status, seconds, written = record.order, record.public_status, record.expires_in(now), record.result
    spec, target, sink = order.spec, order.target, order.spec.sink
    names, agrees, path = spec.names, target.needs_consent, target.shown(sink.path)
    is_open = status == "awaiting"
    emoji = written.fingerprint if written else ()
    where: Object = {"kind": sink.kind, "path": sink.path, **({"lands": target.lands} if target.lands else {})}
    if note:
        said = [note]
    elif is_open:
        said = [_awaiting(order.remote, origin)]
    elif written:
        said = [_written(spec, written, path)]
    else:
        said = [_unwritten(record, status)]
    if is_open and target.lands:
        said.append(notes.lands(sink.path, target.lands))
    if is_open and agrees:
        said.append(notes.consent(reasons(target, sink.path)))
    fields: Object = {
        "tell_user": f"Fingerprint {' '.join(emoji)} ({', '.join(names_of(emoji))})" if emoji else "",
        "request_id": record.request_id,
        "status": status,
        "expires_in": seconds if is_open else None,
        "names": list(names),
        "kept": _kept_generated(spec, written) if written else [],
        "fingerprint": " ".join(emoji),
        "file_keys": list(written.file_keys) if written else [],
        "file_keys_more": (written.file_keys_more or None) if written else None,
        "sink": where,
        "url": url if is_open else "",
        "note": " ".join([*said, *problems]),
    }
    return of_fields(fields)


def too_late(record: Record, now: float) -> Object:
    """Return the answer to a cancel that comes when nothing can be withdrawn any more."""
    return of(record, now, note=notes.too_late(record.public_status))


def _kept_generated(spec: RequestSpec, written: Written) -> list[str]:
    generated = {entry.name for entry in spec.entries if entry.generate is not None}
    return [one.name for one in written.outcomes if one.outcome == "kept" and one.name in generated]


def _awaiting(remote: bool, origin: Origin | None) -> str:
    if origin is None:
        return notes.preparing() if remote else notes.page_open()
    said = [notes.link(remote)]
    if remote and not origin.public:
        said.append(notes.forward(origin.port, origin.problem))
    if origin.asked_port:
        said.append(notes.port_taken(origin.asked_port, origin.port))
    return " ".join(said)


def _written(spec: RequestSpec, written: Written, path: str) -> str:
    if written.fingerprint:
        said = [notes.written(path)]
    else:
        said = [notes.generated(path) if spec.generated_only else notes.nothing_typed(path)]
    kept = [one.name for one in written.outcomes if one.outcome == "kept"]
    if kept:
        said.append(notes.kept(kept, path))
    if written.shell_differs:
        said.append(notes.shell_differs(written.shell_differs, path))
    return " ".join(said)


def _unwritten(record: Record, status: str) -> str:
    if status == "expired":
        return notes.expired()
    by = {"person": notes.declined, "operator": notes.stopped}
    return by.get(record.cancelled_by or "", notes.withdrawn)()
