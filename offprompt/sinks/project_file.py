"""A file in a project, whatever is written into it: looked at before, and replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
import posixpath
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from offprompt.errors import (
    ConsentMissing,
    DiskFull,
    NoPermission,
    SinkFailed,
    TargetMoved,
    TargetRestless,
    TrackedTarget,
    WriteFailed,
)
from offprompt.request.consent import reasons
from offprompt.request.target import TargetState
from offprompt.sinks import git, lock, place
from offprompt.sinks.atomic import replacement, sweep
from offprompt.sinks.content import Content, file_version, read
from offprompt.sinks.folders import CreatedFolders
from offprompt.sinks.sink import Target, WriteOrder
from offprompt.sinks.trust import public_folder, trust_of

TRIES = 5
"""Times that a file which changes meanwhile is read anew. Only programs that take no lock can cause one."""

_READ_BY_OTHERS = 0o044


@dataclass(frozen=True, slots=True)
class Composition:
    """What a file is to hold: `text`, None when it stays as it is, and what became of each name.

    `shell_differs` is as in Written.
    """

    text: str | None = field(repr=False)
    outcomes: tuple[tuple[str, str], ...]
    shell_differs: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """The names that were not kept."""
        return tuple(name for name, outcome in self.outcomes if outcome != "kept")


def inspect(target: Target, keys: Callable[[Content], tuple[str, ...]] | None = None) -> TargetState:
    """Return what there is before anything is written; see `Sink.inspect`.

    Everything is judged by where the path lands. `keys` finds the names that the content holds; without it the content
    is not read.
    """
    with place.found(target.project, target.path) as found:
        content = None if found.missing else read(found, target.path, whole=keys is not None)
        real = found.real
        writable = found.writable and not _is_kept_by_another(found, content)
    held = keys(content) if keys is not None and content is not None else ()
    known = git.state(target.project, real)
    return TargetState(
        exists=content is not None,
        git=known.git,
        ignored=known.ignored,
        readable_by_others=content is not None and bool(content.mode & _READ_BY_OTHERS),
        keys=held,
        lands=_lands(target, real),
        public=public_folder(real),
        trusted=trust_of(real, executable=content is not None and content.runs),
        writable=writable,
    )


def write(
    order: WriteOrder, compose: Callable[[Content | None], Composition], *, whole: bool
) -> tuple[Composition, str]:
    """Replace the file by what `compose` makes of its content; see `Sink.write`.

    `compose` is called anew whenever the file changes meanwhile. `whole`: it needs the bytes that are there.

    Returns:
        What `compose` returned in the end, and the text that the file holds, read back from it.
    """
    created: list[CreatedFolders] = []  # one for each try that found the way too short
    try:
        for _ in range(TRIES):
            written = _write_once(order, compose, created, whole=whole)
            if written is not None:
                while created:
                    created.pop().keep()
                return written
        raise TargetRestless(path=order.target.path, times=TRIES)
    except OSError as error:
        raise _refused_by_system(error, order.target.path) from None
    finally:
        while created:
            created.pop().remove()


def _write_once(
    order: WriteOrder, compose: Callable[[Content | None], Composition], created: list[CreatedFolders], *, whole: bool
) -> tuple[Composition, str] | None:
    """None when the way or the file changed meanwhile."""
    target = order.target
    with place.found(target.project, target.path) as found:
        _require_landing(order, found)
        if not order.agreed:
            _require_no_consent(target, found)
        if found.missing:
            compose(None)  # what is refused is refused before a folder is made
            with suppress(FileNotFoundError, NotADirectoryError):  # something was moved: the next try sees what
                created.append(CreatedFolders())
                created[-1].make(found)
            return None
        with lock.held(found.folder, target.path) as locked:
            if locked:
                sweep(found.folder)
            old = read(found, target.path, whole=whole)
            if old is not None and old.runs and not order.agreed:
                _refuse(target, TargetState(trusted=trust_of(found.real, executable=True)))
            composed = compose(old)
            if composed.text is None:
                return composed, "" if old is None else old.data.decode()
            now = _replaced(target, found, old, composed.text.encode())
            return None if now is None else (composed, now.decode())


def _replaced(target: Target, found: place.Place, old: Content | None, data: bytes) -> bytes | None:
    """What the file holds, read back from it; None, and the file untouched, when it or the way changed meanwhile."""
    with suppress(FileNotFoundError), replacement(found, data, old) as new:  # not found: the folder is gone
        while _unchanged(target, found, old):
            now = new.replace()
            if now is not None:
                return now
    return None


def _unchanged(target: Target, found: place.Place, old: Content | None) -> bool:
    with place.found(target.project, target.path) as again:
        return again.same_way(found) and file_version(again) == (None if old is None else old.version)


def _lands(target: Target, real: str) -> str:
    """Return `real`, the way with links resolved, when it is not what the target's path says by itself; else ""."""
    inside = target.path.removeprefix(target.project.rstrip("/") + "/")
    return "" if real == posixpath.normpath(inside) else real


def _require_landing(order: WriteOrder, found: place.Place) -> None:
    now, path = _lands(order.target, found.real), order.target.path
    if order.lands is not None and now != order.lands:
        raise TargetMoved(path=path, now=now or path, then=order.lands or path)


def _require_no_consent(target: Target, found: place.Place) -> None:
    known = git.tracked(target.project, found.real)
    if known == "tracked":
        raise TrackedTarget(path=target.path)
    lands, public, trusted = _lands(target, found.real), public_folder(found.real), trust_of(found.real)
    _refuse(target, TargetState(git=known, lands=lands, public=public, trusted=trusted))


def _refuse(target: Target, state: TargetState) -> None:
    """Refuse the write where `state` needs the person's consent: it did not when they were asked."""
    if state.needs_consent:
        raise ConsentMissing(reasons=" ".join(reasons(state, target.path)))


def _is_kept_by_another(found: place.Place, content: Content | None) -> bool:
    """Whether a sticky folder keeps the file for another account: rename(2), EPERM."""
    folder = os.fstat(found.folder)
    if content is None or not folder.st_mode & stat.S_ISVTX:
        return False
    return os.geteuid() not in (0, folder.st_uid, content.owner[0])


def _refused_by_system(error: OSError, path: str) -> SinkFailed:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(path=path)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return NoPermission(path=path)
    return WriteFailed(path=path, reason=error.strerror or "unknown")
