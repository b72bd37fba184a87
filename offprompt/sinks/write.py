"""Writing values into a project's file: refused as a whole, or written as a whole."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from offprompt.errors import (
    AgreementMissing,
    DiskFull,
    NoPermission,
    SinkFailed,
    TargetMoved,
    TargetRestless,
    TrackedTarget,
    ValueNotCarried,
    WriteFailed,
)
from offprompt.request.agreement import reasons
from offprompt.request.target import TargetState
from offprompt.sinks import atomic, content, folders, git, lock, place
from offprompt.sinks.changes import Change, Composed, compose_dotenv, compose_file, values_in
from offprompt.sinks.dotenv import forms
from offprompt.sinks.dotenv.document import Document
from offprompt.sinks.target import Target, lands
from offprompt.sinks.trust import public_folder, trust_of
from offprompt.text import is_storable

__all__ = ["Change", "SinkWritten", "check", "write"]

TRIES = 5
"""Times that a file which changes meanwhile is read anew. Only programs that take no lock can cause one."""


@dataclass(frozen=True, slots=True)
class SinkWritten:
    """What a write did.

    Attributes:
        outcomes: name and `added`, `replaced`, `generated` or `kept`, in the order of the changes.
        held: what the file holds now for every name that was not kept, read from it after the write.
        keys: the names a dotenv file holds now, in its order; () for a file.
        shell_differs: names that a shell which sources the file reads otherwise, or may.
    """

    outcomes: tuple[tuple[str, str], ...]
    held: Mapping[str, str] = field(repr=False)
    keys: tuple[str, ...] = ()
    shell_differs: tuple[str, ...] = ()


def check(kind: str, name: str, value: str) -> tuple[str, ...]:
    """Why the value cannot be written in a sink of this kind: lines for the person, without any part of it; () when it
    can.
    """
    if kind == "dotenv":
        return forms.objections(name, value)
    return () if is_storable(value) else (forms.NO_TEXT,)


def write(
    target: Target,
    changes: Sequence[Change],
    *,
    allow_tracked: bool,
    held: Sequence[str] = (),
    landed: str | None = None,
) -> SinkWritten:
    """Write the changes, all or none. Blocks: milliseconds and the disk's fsync, at most 5 s for a lock and 2 s for
    git.

    Args:
        target: where to.
        changes: one for a file; for dotenv any number of different names.
        allow_tracked: the person agreed to write into this target; without it one that needs that is refused.
        held: names that the file must hold, since the person left them as they are.
        landed: where the path led when the person was asked, as in TargetState; None for no matter.

    Raises:
        SinkRefused: nothing was written, and the leaf says why; ValueNotCarried and NotHeld give the `name`.
        SinkFailed: the file system refused, and nothing was written.
        ProjectMissing: the project's folder is not there any more.
    """
    for change in changes:
        if check(target.kind, change.name, change.value):
            raise ValueNotCarried(name=change.name)
    made = folders.Made()
    try:
        for _ in range(TRIES):
            written = _write_once(target, changes, held, made, landed, agreed=allow_tracked)
            if written is not None:
                made.keep()
                return written
        raise TargetRestless(path=target.path, times=TRIES)
    except OSError as error:
        raise _refused_by_system(error, target.path) from None
    finally:
        made.remove()


def _write_once(
    target: Target,
    changes: Sequence[Change],
    held: Sequence[str],
    made: folders.Made,
    landed: str | None,
    *,
    agreed: bool,
) -> SinkWritten | None:
    """None when the way or the file changed meanwhile."""
    with place.found(target.project, target.path) as found:
        _require_landing(target, found, landed)
        if not agreed:
            _require_agreement_is_not_needed(target, found)
        if found.missing:
            _compose(target, None, changes, held)  # what is refused is refused before a folder is made
            with suppress(FileNotFoundError, NotADirectoryError):  # something was moved: the next try sees what
                made.make(found)
            return None
        with lock.held(found.folder, target.path) as locked:
            if locked:
                atomic.sweep(found.folder)
            old = content.read(found, target.path, whole=target.kind == "dotenv")
            if old is not None and old.runs and not agreed:
                _refuse(target, TargetState(trusted=trust_of(found.real, executable=True)))
            composed = _compose(target, old, changes, held)
            if composed.text is None:
                return _told(target, "" if old is None else old.data.decode(), composed)
            now = _published(target, found, old, composed.text.encode())
            return None if now is None else _told(target, now.decode(), composed)


def _require_landing(target: Target, found: place.Place, landed: str | None) -> None:
    now = lands(target, found.real)
    if landed is not None and now != landed:
        raise TargetMoved(path=target.path, now=now or target.path, then=landed or target.path)


def _require_agreement_is_not_needed(target: Target, found: place.Place) -> None:
    known = git.tracked(target.project, found.real)
    if known == "tracked":
        raise TrackedTarget(path=target.path)
    _refuse(
        target,
        TargetState(
            git=known,
            lands=lands(target, found.real),
            public=public_folder(found.real),
            trusted=trust_of(found.real),
        ),
    )


def _refuse(target: Target, state: TargetState) -> None:
    if state.needs_agreement:
        raise AgreementMissing(reasons=" ".join(reasons(state, target.path)))


def _published(target: Target, found: place.Place, old: content.Content | None, data: bytes) -> bytes | None:
    """What the file holds, read back from it; None, and the file untouched, when it or the way changed meanwhile."""
    with suppress(FileNotFoundError), atomic.staged(found, data, old) as staged:  # not found: the folder is gone
        while _still(target, found, old):
            now = staged.replace()
            if now is not None:
                return now
    return None


def _compose(target: Target, old: content.Content | None, changes: Sequence[Change], held: Sequence[str]) -> Composed:
    if target.kind == "file":
        return compose_file(old is not None and old.size > 0, changes, held, target.path)
    return compose_dotenv("" if old is None else old.text(target.path), changes, held, target.path)


def _told(target: Target, text: str, composed: Composed) -> SinkWritten:
    written = [name for name, outcome in composed.outcomes if outcome != "kept"]
    return SinkWritten(
        outcomes=composed.outcomes,
        held=values_in(target.kind, text, written),
        keys=Document(text).reported_keys()[0] if target.kind == "dotenv" else (),
        shell_differs=composed.shell_differs,
    )


def _still(target: Target, found: place.Place, old: content.Content | None) -> bool:
    with place.found(target.project, target.path) as again:
        return again.same_way(found) and content.mark(again) == (None if old is None else old.mark)


def _refused_by_system(error: OSError, path: str) -> SinkFailed:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(path=path)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return NoPermission(path=path)
    return WriteFailed(path=path, reason=error.strerror or "unknown")
