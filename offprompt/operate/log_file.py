"""The file of OFFPROMPT_LOG: private to this account, and never larger than two halves."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from offprompt import errors

if TYPE_CHECKING:
    from collections.abc import Iterator

HALF = 4 * 1024 * 1024
"""Bytes after which the file is renamed to `<path>.1` and a new one begins: weeks of a quiet service."""


class LogFile:
    """Appends text to `path`, mode 0600; `path.1` holds what came before.

    Several processes may write to one file, as every agent starts its own. A line is one write to the file's end.
    Before each line a process looks whether another one has begun a new file.
    """

    def __init__(self, path: str, half: int = HALF) -> None:
        """Open `path`, and make it when it is missing.

        Raises:
            OSError: it cannot be opened.
            NotPrivate: it is no regular file, or another user's.
        """
        self._path = path
        self._half = half
        self._fd = self._opened()

    def write(self, text: str) -> None:
        """Append `text`.

        Raises:
            OSError: the disk is full, or the folder is gone.
        """
        self._renew()
        os.write(self._fd, text.encode("utf-8", "replace"))

    def flush(self) -> None:
        """Do nothing: every line is written at once."""

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def _renew(self) -> None:
        """Open a new file when this one is full, or when another process has begun one."""
        if self._is_current():
            if os.fstat(self._fd).st_size < self._half:
                return
            with _alone(self._fd):  # of two that find it full, one moves it; the other sees the new one
                if self._is_current():
                    os.replace(self._path, f"{self._path}.1")
        opened = self._opened()
        os.close(self._fd)
        self._fd = opened

    def _is_current(self) -> bool:
        """Return whether the file that is open here is the one at `path`."""
        own = os.fstat(self._fd)
        try:
            there = os.stat(self._path)
        except FileNotFoundError:
            return False
        return (there.st_dev, there.st_ino) == (own.st_dev, own.st_ino)

    def _opened(self) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"):  # a link leads elsewhere; a pipe waits for its reader
            flags |= getattr(os, name, 0)
        fd = os.open(self._path, flags, 0o600)
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
            os.close(fd)
            raise errors.NotPrivate(path=self._path)
        if hasattr(os, "fchmod"):
            os.fchmod(fd, 0o600)
        return fd


@contextlib.contextmanager
def _alone(fd: int) -> Iterator[None]:
    """Keep other processes that ask for the same file waiting until the block ends."""
    try:
        import fcntl
    except ImportError:  # Windows, where a file that others have open cannot be moved anyway: it goes on growing
        with contextlib.suppress(PermissionError):
            yield
        return
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)
