"""Folders and files that no other account can change: keys, sockets, and programs that we keep."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.ownership import changeable_by_others, others_can_write

if TYPE_CHECKING:
    from collections.abc import Callable


def private_folder(path: str) -> str:
    """Make `path` with mode 0700 where it is missing, and return it.

    Raises:
        NotPrivate: it is no folder, belongs to another account, or others may read it or write in it.
        ChangeableByOthers: another account could put something else in its place.
    """
    os.makedirs(path, mode=0o700, exist_ok=True)
    _refuse_if_shared(path, os.lstat(path), stat.S_ISDIR)
    refuse_if_changeable(path)
    return path


def private_file(path: str) -> None:
    """Raise NotPrivate unless `path` is a regular file of this account's that nobody else can write to or read."""
    _refuse_if_shared(path, os.lstat(path), stat.S_ISREG)


def own_folder(path: str) -> str:
    """Make `path` with mode 0700 where it is missing, and return it. Others may read it, and not change it.

    Raises:
        ChangeableByOthers: another account can write in it, owns it, or could put something else in its place.
    """
    os.makedirs(path, mode=0o700, exist_ok=True)
    refuse_if_changeable(path)
    return path


def refuse_if_changeable(path: str) -> None:
    """Raise ChangeableByOthers when another account can change `path` or a folder or link on the way there.

    A folder itself must not be writable for others, sticky or not: they could add files.
    """
    place = changeable_by_others(path)
    status = os.stat(path)
    if not place and stat.S_ISDIR(status.st_mode) and others_can_write(status):
        place = path
    if place:
        raise errors.ChangeableByOthers(path=place)


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
