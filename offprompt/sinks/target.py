"""The file that values are to be written to, and what can be said of it before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from offprompt.request.target import TargetState
from offprompt.sinks import git, place
from offprompt.sinks.content import read
from offprompt.sinks.dotenv.document import Document

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
    """What there is before anything is written. Blocks: for at most 2 s where git does not answer, else milliseconds.

    `keys` are the names that have a value: `NAME=` with nothing behind it is a place for one, and counts as missing.

    Raises:
        SinkRefused: leaves that say why the target will not be written.
        SinkFailed: the system refused to look.
        ProjectMissing: the project's folder is not there any more.
    """
    with place.found(target.project, target.path) as found:
        content = None if found.missing else read(found, target.path, whole=target.kind == "dotenv")
        real = found.real
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
    )
