"""The file that values are to be written to, and what can be said of it before."""

from __future__ import annotations

import os
import posixpath
import stat
from dataclasses import dataclass
from typing import Literal

from offprompt.request.target import TargetState
from offprompt.sinks import git, place
from offprompt.sinks.content import Content, read
from offprompt.sinks.dotenv.document import Document
from offprompt.sinks.trust import public_folder, trust_of

_READ_BY_OTHERS = 0o044


@dataclass(frozen=True, slots=True)
class Target:
    """`path` (relative, inside `project`) is where values go; `project` is an absolute folder without links in its
    path.
    """

    project: str
    kind: Literal["dotenv", "file"]
    path: str


def inspect(target: Target) -> TargetState:
    """Return what there is before anything is written.

    Blocks: for at most 2 s where git does not answer, else milliseconds. Everything is judged by where the path lands.
    `keys` are the names that have a value: `NAME=` with nothing behind it is a place for one, and counts as missing.

    Raises:
        SinkRefused: leaves that say why the target will not be written.
        SinkFailed: the system refused to look.
        ProjectMissing: the project's folder is not there any more.
    """
    with place.found(target.project, target.path) as found:
        content = None if found.missing else read(found, target.path, whole=target.kind == "dotenv")
        real = found.real
        writable = found.writable and not _is_kept_by_another(found, content)
    keys: tuple[str, ...] = ()
    if content is not None and target.kind == "dotenv":
        document = Document(content.text(target.path))
        keys = tuple(name for name in document.names() if document.holds(name))
    known = git.state(target.project, real)
    return TargetState(
        exists=content is not None,
        git=known.git,
        ignored=known.ignored,
        readable_by_others=content is not None and bool(content.mode & _READ_BY_OTHERS),
        keys=keys,
        lands=lands(target, real),
        public=public_folder(real),
        trusted=trust_of(real, executable=content is not None and content.runs),
        writable=writable,
    )


def lands(target: Target, real: str) -> str:
    """Return `real`, the way with links resolved, when it is not what the target's path says by itself; else ""."""
    inside = target.path.removeprefix(target.project.rstrip("/") + "/")
    return "" if real == posixpath.normpath(inside) else real


def _is_kept_by_another(found: place.Place, content: Content | None) -> bool:
    """Whether a sticky folder keeps the file for another account: rename(2), EPERM."""
    folder = os.fstat(found.folder)
    user = os.geteuid()
    return (
        content is not None and bool(folder.st_mode & stat.S_ISVTX) and user not in (0, folder.st_uid, content.owner[0])
    )
