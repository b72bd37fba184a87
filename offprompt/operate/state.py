"""The folder that outlives a process: the manhole's keys and its socket, nobody else's to read."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from offprompt import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFAULT_SOCKET = "manhole.sock"
"""The manhole's socket in that folder, where `offprompt attach` looks when it is told nothing else."""


def state_directory(environ: Mapping[str, str], home: str) -> str:
    """`$XDG_STATE_HOME/offprompt`, else `~/.local/state/offprompt` (XDG Base Directory 0.8: only if absolute)."""
    base = environ.get("XDG_STATE_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home, ".local", "state"), "offprompt")


def private_folder(path: str) -> str:
    """Make `path` with mode 0700 where it is missing; the path again.

    Raises:
        NotPrivate: it is no folder, belongs to another user, or others may write in it or read it.
    """
    os.makedirs(path, mode=0o700, exist_ok=True)
    _refuse_if_shared(path, os.lstat(path), stat.S_ISDIR)
    return path


def private_file(path: str) -> None:
    """Raises NotPrivate unless `path` is a regular file of this user's that nobody else can write to or read."""
    _refuse_if_shared(path, os.lstat(path), stat.S_ISREG)


def write_once(path: str, content: bytes) -> None:
    """Write a new file of mode 0600.

    Raises:
        FileExistsError: it is there already.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(content)


def _refuse_if_shared(path: str, found: os.stat_result, kind: Callable[[int], bool]) -> None:
    if not kind(found.st_mode):
        raise errors.NotPrivate(path=path)
    if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077):
        raise errors.NotPrivate(path=path)
