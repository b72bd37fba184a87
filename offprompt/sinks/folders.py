"""Folders on the way to a new target."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

from offprompt.sinks.place import Place

_MODE = 0o700
_OPEN = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def _opened(name: str, folder: int) -> int:
    try:
        return os.open(name, _OPEN, dir_fd=folder)
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link was put in its place
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
        raise


def _give(folder: int, above: int) -> None:
    """Give a new folder of root's to the owner of the one above: root writes for the project's user."""
    if os.geteuid() == 0:
        status = os.fstat(above)
        os.fchown(folder, status.st_uid, status.st_gid)


class CreatedFolders:
    """The folders made for one write. They go again when nothing is written."""

    def __init__(self) -> None:
        self._created: list[tuple[int, str]] = []  # an open descriptor of the folder above, and the name in it

    def make(self, place: Place) -> None:
        """Make what is missing on the way to the place, mode 0700, one inside the other.

        Raise OSError; NotADirectoryError or FileNotFoundError where something was moved or put there meanwhile.
        """
        folder = os.dup(place.folder)
        try:
            for name in place.missing:
                made = False
                with suppress(FileExistsError):
                    os.mkdir(name, _MODE, dir_fd=folder)
                    made = True
                    self._created.append((os.dup(folder), name))
                    with suppress(OSError):  # some file systems cannot
                        os.fsync(folder)
                inner = _opened(name, folder)
                if made:
                    _give(inner, folder)
                os.close(folder)
                folder = inner
        finally:
            os.close(folder)

    def remove(self) -> None:
        """Remove them, innermost first, as far as they are empty."""
        while self._created:
            folder, name = self._created.pop()
            with suppress(OSError):
                os.rmdir(name, dir_fd=folder)
            os.close(folder)

    def keep(self) -> None:
        """Let them stay, and close what is open."""
        while self._created:
            os.close(self._created.pop()[0])
