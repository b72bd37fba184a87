"""What a target holds, read through its folder's descriptor, and the reasons not to touch it."""

from __future__ import annotations

import errno
import os
import stat
import sys
from dataclasses import dataclass, field

from offprompt.errors import (
    SinkFailed,
    TargetLinked,
    TargetMounted,
    TargetNotFile,
    TargetNotText,
    TargetTooLarge,
    TargetUnreadable,
    WriteFailed,
)
from offprompt.sinks.place import Place

MOST_BYTES = 1024 * 1024
"""Of a target that is read. Dotenv files have some KiB, and two readers read the text for every value that is set."""

# O_NONBLOCK: a named pipe that was swapped in must not hold us.
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)

FileVersion = tuple[int, int, int, int]
"""Device, inode, size in bytes and time of the last change in nanoseconds: equal while nobody wrote."""


@dataclass(frozen=True, slots=True)
class Content:
    """A target's bytes, its permission bits, its owner (user and group) and the version by which a change is seen.

    `script`: it begins with `#!`, which names the program that runs it.
    """

    data: bytes = field(repr=False)
    mode: int
    owner: tuple[int, int]
    version: FileVersion
    script: bool = False

    @property
    def runs(self) -> bool:
        """Whether the system runs it as a program, or is told which program does.

        Mode 0777 says nothing: a disk without modes shows it for every file, as WSL's of Windows does. A script says
        so itself, and what is written gets mode 0600.
        """
        return self.script or (bool(self.mode & 0o111) and self.mode & 0o777 != 0o777)

    @property
    def size(self) -> int:
        """Its length in bytes, read or not."""
        return self.version[2]

    def text(self, path: str) -> str:
        """Return the bytes as UTF-8. Raise TargetNotText (`path` is for the sentence)."""
        text = _decoded(self.data)
        if text is None:
            raise TargetNotText(path=path)
        return text


def _decoded(data: bytes) -> str | None:
    # In a function of its own, since the UnicodeDecodeError holds all bytes and would stay attached to what is raised.
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def file_version(place: Place) -> FileVersion | None:
    """Return the version of the file that is there now; None when there is none."""
    try:
        status = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    return _version(status)


def _version(status: os.stat_result) -> FileVersion:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def read(place: Place, path: str, *, whole: bool = True) -> Content | None:
    """Return what the target holds, None when it does not exist. `path` is for the sentences of refusals.

    Without `whole` its bytes are not read, and `data` is empty: they are replaced whatever they are.

    Raises:
        SinkRefused: leaves Target…: not a regular file, several links, a mount point, unreadable, too large.
        SinkFailed: the disk failed while it was read.
    """
    try:
        status = os.stat(place.name, dir_fd=place.folder, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            raise TargetNotFile(path=path)
        descriptor = os.open(place.name, _READ, dir_fd=place.folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            raise TargetUnreadable(path=path) from None
        if error.errno in (errno.ELOOP, errno.ENXIO):  # a link or a socket was swapped in
            raise TargetNotFile(path=path) from None
        raise _failed(error, path) from None
    try:
        status = os.fstat(descriptor)
        _admit(status, descriptor, place, path)
        script = _begins(descriptor) == b"#!"
        data = _all(descriptor) if whole else b""
    except OSError as error:
        raise _failed(error, path) from None
    finally:
        os.close(descriptor)
    if len(data) > MOST_BYTES:
        raise TargetTooLarge(path=path, most=MOST_BYTES)
    return Content(data, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid), _version(status), script)


def _admit(status: os.stat_result, descriptor: int, place: Place, path: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise TargetNotFile(path=path)
    if status.st_nlink > 1:
        raise TargetLinked(path=path)
    if _is_mounted(status, descriptor, place):
        raise TargetMounted(path=path)


def _is_mounted(status: os.stat_result, descriptor: int, place: Place) -> bool:
    """Whether the file is on another mount than its folder.

    By the mount's number where there is one: on an overlay of two disks, as sandboxes have it, a file says another
    device than its folder (Linux, Documentation/filesystems/overlayfs.rst, "Inode properties"). By the device
    elsewhere, where a file bound from the same disk looks like any other.
    """
    own, folder = _mount(descriptor), _mount(place.folder)
    return own != folder if own and folder else status.st_dev != place.trail[-1][0]


def _mount(descriptor: int) -> str:
    """Return Linux's number of the mount of an open file or folder (proc(5), /proc/pid/fdinfo); "" elsewhere."""
    if not sys.platform.startswith("linux"):
        return ""
    try:
        with open(f"/proc/self/fdinfo/{descriptor}") as facts:
            return next((line for line in facts if line.startswith("mnt_id:")), "")
    except OSError:
        return ""


def _begins(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 2)
    finally:
        os.lseek(descriptor, 0, os.SEEK_SET)


def _all(descriptor: int) -> bytes:
    """The bytes; one more than MOST_BYTES stands for all that are too many."""
    pieces = []
    left = MOST_BYTES + 1
    while left > 0 and (piece := os.read(descriptor, min(left, 65536))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _failed(error: OSError, path: str) -> SinkFailed:
    return WriteFailed(path=path, reason=error.strerror or "unknown")
