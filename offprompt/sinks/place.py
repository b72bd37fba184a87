"""Finding the folder of a target: every step from the project's folder is taken by descriptor.

The system follows no symbolic link for us. A link is read and its steps are taken one by one like those of the path,
so that one that is swapped in at any moment leads either to a folder inside the project or to a refusal, never outside.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from offprompt.errors import (
    FolderClosed,
    OffpromptError,
    PathNotFolder,
    PathOutside,
    PathUnusable,
    ProjectMissing,
    SystemLacks,
    TooManyLinks,
    WriteFailed,
)
from offprompt.sinks.path import steps

_MOST_LINKS = 40
"""Links on one path: Linux's own limit (path_resolution(7))."""

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_FOLLOW | getattr(os, "O_CLOEXEC", 0)

_NEEDED = {os.open, os.stat, os.readlink, os.mkdir, os.rename, os.unlink, os.rmdir}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target is.

    Attributes:
        folder: descriptor of the deepest folder on the way that exists.
        trail: device and inode of each folder from the project's to that one: two equal trails are the same way.
        missing: the folders behind it that do not exist yet.
        name: the file's name.
        real: the way from the project's folder, links resolved, with forward slashes.
    """

    folder: int
    trail: tuple[tuple[int, int], ...]
    missing: tuple[str, ...]
    name: str
    real: str

    @property
    def writable(self) -> bool:
        """Whether this account may make or replace a file in the folder."""
        effective = os.access in os.supports_effective_ids
        return os.access(".", os.W_OK | os.X_OK, dir_fd=self.folder, effective_ids=effective)

    def same_way(self, other: Place) -> bool:
        """Whether both lead through the same folders to the same name."""
        return (self.trail, self.missing, self.name) == (other.trail, other.missing, other.name)


def require_system() -> None:
    """Raise SystemLacks where folders cannot be walked by descriptor or locked: Windows, for now.

    A walk by path follows a link that is swapped in between two calls, and no lock holds off other processes of ours.
    So values are not written there. WSL has all of it.
    """
    if not os.supports_dir_fd >= _NEEDED or not _NO_FOLLOW:
        raise SystemLacks(what="way to open files relative to an open folder")


@contextmanager
def found(project: str, path: str) -> Iterator[Place]:
    """Yield the place of `path` in the folder `project` (absolute, without links). Its descriptors end with the `with`.

    Raises:
        ProjectMissing: the project's folder is not there any more.
        SinkRefused: leaves Path… and TooManyLinks; FolderClosed where a folder on the way may not be opened.
        SinkFailed: the system refused for a reason of its own, such as too many open files.
    """
    require_system()
    walk = _Walk(project, path)
    try:
        yield walk.taken()
    finally:
        walk.close()


class _Walk:
    def __init__(self, project: str, path: str) -> None:
        self.project = project
        self.path = path
        self.left = list(steps(path, project)[::-1])
        self.links = 0
        self.missing: list[str] = []
        self.names: list[str] = []
        self.folders: list[int] = []
        try:
            self.folders.append(os.open(project, _FOLDER))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                raise ProjectMissing(folder=project) from None
            raise self.refusal(error) from None

    def close(self) -> None:
        while self.folders:
            os.close(self.folders.pop())

    def taken(self) -> Place:
        while True:
            if not self.left:  # a link led to a folder, or to where the path came from
                raise PathUnusable(path=self.path)
            name = self.left.pop()
            if name == "..":
                self.back()
            elif self.missing:
                if not self.left:
                    return self.place(name)
                self.missing.append(name)
            elif not self.through(name):
                return self.place(name)

    def place(self, name: str) -> Place:
        trail = tuple((status.st_dev, status.st_ino) for status in map(os.fstat, self.folders))
        real = "/".join([*self.names, *self.missing, name])
        return Place(self.folders[-1], trail, tuple(self.missing), name, real)

    def back(self) -> None:
        if self.missing:
            raise PathUnusable(path=self.path)
        if not self.names:
            raise PathOutside(path=self.path)
        self.names.pop()
        os.close(self.folders.pop())

    def through(self, name: str) -> bool:
        """Take one step; False when `name` is the file at the end of the way."""
        last = not self.left
        try:
            mode = os.stat(name, dir_fd=self.folders[-1], follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                self.follow(os.readlink(name, dir_fd=self.folders[-1]))
                return True
            if last:
                return False
            self.folders.append(os.open(name, _FOLDER, dir_fd=self.folders[-1]))
            self.names.append(name)
        except OSError as error:
            if error.errno != errno.ENOENT:
                raise self.refusal(error) from None
            if not last:
                self.missing.append(name)
            return not last
        return True

    def refusal(self, error: OSError) -> OffpromptError:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            return PathNotFolder(path=self.path)
        if error.errno in (errno.EACCES, errno.EPERM):
            return FolderClosed(path=self.path)
        if error.errno in (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ):
            return PathUnusable(path=self.path)
        return WriteFailed(path=self.path, reason=error.strerror or "unknown")

    def follow(self, link: str) -> None:
        self.links += 1
        if self.links > _MOST_LINKS:
            raise TooManyLinks(path=self.path)
        ahead = steps(link, self.project, link=self.path)
        if link.startswith("/"):
            while self.names:
                self.back()
        self.left += ahead[::-1]
