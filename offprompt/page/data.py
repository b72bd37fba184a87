"""A request as the page and `offprompt fill` get it: objects for JSON, as docs/protocol.md describes them.

Names, never values.
"""

from __future__ import annotations

import posixpath
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from offprompt.registry.icons import icons
from offprompt.text import listed, visible

if TYPE_CHECKING:
    from offprompt.request.fields import Field
    from offprompt.request.outcome import Written
    from offprompt.request.record import Record
    from offprompt.request.submission import Faults


def request_object(record: Record, now: float, *, tunnel: bool) -> dict[str, Any]:
    """Return the request. Through a tunnel the project is its folder's name alone: a path says much of a machine."""
    target, sink = record.target, record.spec.sink
    project = record.order.project
    return {
        "v": 1,
        "token": record.token,
        "key_id": record.key_id,
        "nonce": record.nonce,
        "host": visible(record.order.host),
        "project": visible(posixpath.basename(project.replace("\\", "/")) if tunnel else project),
        "reason": visible(record.spec.reason),
        "sink": {
            "kind": sink.kind,
            "path": visible(sink.path),
            "lands": visible(target.lands),
            "exists": target.exists,
            "tracked": target.tracked,
            "git": target.git,
            "ignored": target.ignored,
            "readable_by_others": target.readable_by_others,
            "public": visible(target.public),
            "trusted": target.trusted,
            "writable": target.writable,
            "agree": target.needs_consent,
        },
        "expires_in": record.expires_in(now),
        "icons": icons({field.key.key_id for field in record.fields if field.key is not None}),
        "secrets": [_secret(field, present=field.name in record.present) for field in record.fields],
    }


def _secret(field: Field, *, present: bool) -> dict[str, Any]:
    return {
        "name": field.name,
        "label": field.label,
        "caption": visible(field.caption),
        "secret": field.secret,
        "multiline": field.multiline,
        "present": present,
        "url": field.url,
        "key": None if field.key is None else field.key.as_object(),
        "rules": [rule.as_object() for rule in field.rules],
        "generate": None if field.generate is None else asdict(field.generate),
    }


def status_object(record: Record, now: float) -> dict[str, Any]:
    """Return what became of the request: once it is written, all that the answer to its submission holds.

    A page whose answer was lost needs the outcomes as well as the fingerprint: by both it finds out which of its
    presses was written. A write under way counts as awaiting, as it may still fail and give the request back.
    """
    if record.result is not None:
        return {**written_object(record.result), "expires_in": 0}
    return {
        "status": record.public_status,
        "expires_in": record.expires_in(now) if record.open else 0,
    }


def written_object(written: Written) -> dict[str, Any]:
    """Return the answer to the submission that was written.

    `notes` are lines for the person, `shell_differs` the names they are about; both are absent when there are none.
    """
    keys = [{"name": key.name, "outcome": key.outcome} for key in written.outcomes]
    file = visible(written.file)
    members: dict[str, Any] = {
        "status": "written",
        "fingerprint": list(written.fingerprint),
        "file": file,
        "keys": keys,
    }
    if written.shell_differs:
        members["shell_differs"] = list(written.shell_differs)
        members["notes"] = [
            f"A shell that sources {file} would read {listed(written.shell_differs)} differently. "
            "Programs that load the file themselves read what you typed."
        ]
    return members


def shown_path(record: Record) -> str:
    """Return the target's path as a person sees it: with the place where it lands when that is another."""
    path, lands = visible(record.spec.sink.path), visible(record.target.lands)
    return f"{path} → {lands}" if lands else path


def faults_object(faults: Faults) -> dict[str, Any]:
    """Return why a submission was not written."""
    return {"errors": {name: list(lines) for name, lines in faults.errors.items()}, "form": list(faults.form)}
