"""New content in a file's place in one step: a reader sees the old file or the new one, also after a crash."""

from __future__ import annotations

import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from offprompt.sinks.content import Content
from offprompt.sinks.place import Place

_TEMPORARY = re.compile(r"\.offprompt-[0-9a-f]{16}\.tmp")
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MODE = 0o600


class AtomicReplacement:
    """New content on the disk beside its target, ready to take its place; `withdraw` removes it unless it did."""

    def __init__(self, place: Place, data: bytes, old: Content | None) -> None:
        """Write `data` and wait until the disk has it. Raise OSError, with nothing left behind."""
        self._place = place
        self._data = data
        self._owner = None if old is None else old.owner
        self._name = f".offprompt-{secrets.token_hex(8)}.tmp"
        self._named = False
        self._descriptor = -1
        try:
            # A file without a name vanishes with its process: a kill leaves no value behind but in the instant between
            # link and rename. Some file systems have none of these; then it has its name from the start.
            self._descriptor = self._nameless()
            if self._descriptor < 0:
                self._open_named()
            self._fill()
        except BaseException:
            self.withdraw()
            raise

    def _nameless(self) -> int:
        if sys.platform.startswith("linux"):
            with suppress(OSError):
                return os.open(".", os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC, _MODE, dir_fd=self._place.folder)
        return -1

    def _open_named(self) -> None:
        self._descriptor = os.open(self._name, _NEW, _MODE, dir_fd=self._place.folder)
        self._named = True

    def _fill(self) -> None:
        os.fchmod(self._descriptor, _MODE)
        if os.geteuid() == 0:  # root writes for the project's user, whom a file of root's would lock out
            status = os.fstat(self._place.folder)
            os.fchown(self._descriptor, *(self._owner or (status.st_uid, status.st_gid)))
        left = memoryview(self._data)
        while left:
            left = left[os.write(self._descriptor, left) :]
        os.fsync(self._descriptor)

    def replace(self) -> bytes | None:
        """Take the target's place. Raise OSError; the old file is then untouched.

        Returns:
            What the file holds, read back from it. None where the disk cannot name a nameless file: the content was
            written anew under a name. That took its time, so the target has to be compared before another call.
        """
        folder = self._place.folder
        if not self._named and not self._link():
            os.close(self._descriptor)
            self._descriptor = -1
            self._open_named()
            self._fill()
            return None
        os.rename(self._name, self._place.name, src_dir_fd=folder, dst_dir_fd=folder)
        self._named = False
        with suppress(OSError):  # some file systems cannot; the file is in its place already
            os.fsync(folder)
        return os.pread(self._descriptor, len(self._data) + 1, 0)

    def _link(self) -> bool:
        """Give the nameless file its name, in the way of open(2), O_TMPFILE, that needs no privilege."""
        source = f"/proc/self/fd/{self._descriptor}"
        with suppress(OSError):
            os.link(source, self._name, dst_dir_fd=self._place.folder, follow_symlinks=True)
            self._named = True
        return self._named

    def withdraw(self) -> None:
        """Close what is open and remove what did not take the target's place. May be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if self._named:
            self._named = False
            with suppress(OSError):
                os.unlink(self._name, dir_fd=self._place.folder)


@contextmanager
def replacement(place: Place, data: bytes, old: Content | None) -> Iterator[AtomicReplacement]:
    """Yield new content for the target. It goes when the `with` ends, unless it took the target's place."""
    new = AtomicReplacement(place, data, old)
    try:
        yield new
    finally:
        new.withdraw()


def sweep(folder: int) -> None:
    """Remove what killed writers left in the folder. Call it under the folder's lock: a living writer's looks alike."""
    for name in os.listdir(folder):
        if _TEMPORARY.fullmatch(name):
            with suppress(OSError):
                if stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                    os.unlink(name, dir_fd=folder)
