"""Who can change a path: the owners and rights of every folder, link and file that leads there.

Windows has neither owners nor modes in this form; there the rights of the folders themselves protect a person's files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

MOST_LINKS = 40
"""Links followed on one way, as Linux has it (path_resolution(7))."""


def way(path: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield each folder, link and file that leads to the absolute `path`, from the root on, with its own status.

    Links are followed one at a time, so that what they pass through is yielded too. The last one is the real path.

    Raises:
        OSError: something on the way is missing or cannot be looked at.
    """
    drive, tail = os.path.splitdrive(path)
    at, links = drive + os.sep, 0
    names = _names(tail)
    yield at, os.lstat(at)
    while names:
        name = names.pop()
        if name == os.pardir:
            at = os.path.dirname(at)
            continue
        entry = os.path.join(at, name)
        status = os.lstat(entry)
        yield entry, status
        if not stat.S_ISLNK(status.st_mode):
            at = entry
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(f"too many links: {path}")
        drive, tail = os.path.splitdrive(os.readlink(entry))
        if os.path.isabs(drive + tail):
            at = drive + os.sep
        names += _names(tail)


def changeable_by_others(path: str) -> str:
    """Return the first place on the way to `path`, itself included, that another account could change; "" if none.

    Every place must belong to this account or to root. A folder that others can write is safe only with the sticky bit,
    as /tmp has it: what is ours in it stays ours.

    Raises:
        OSError: something on the way is missing or cannot be looked at.
    """
    return next((place for place, status in way(path) if is_foreign(status) or _is_open(status)), "")


def is_foreign(status: os.stat_result) -> bool:
    """Return whether neither this account nor root owns the file."""
    return hasattr(os, "geteuid") and status.st_uid not in {0, os.geteuid(), _unmapped_root()}


def others_can_write(status: os.stat_result) -> bool:
    """Return whether the mode lets everybody write, or a group that this account is not in."""
    if not hasattr(os, "geteuid"):
        return False
    group_is_ours = status.st_gid in {0, os.getegid(), *os.getgroups()}
    return bool(status.st_mode & stat.S_IWOTH) or (bool(status.st_mode & stat.S_IWGRP) and not group_is_ours)


def _is_open(status: os.stat_result) -> bool:
    if stat.S_ISLNK(status.st_mode):  # a link's mode says nothing
        return False
    sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    return others_can_write(status) and not sticky


def _unmapped_root() -> int:
    """Return the account as which root's files appear in a sandbox's user namespace that has no root, else 0.

    Without this no system program would count as trusted in bubblewrap (user_namespaces(7), "Unmapped user IDs").
    """
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            if any(line.split()[0] == "0" for line in file):
                return 0
        with open("/proc/sys/kernel/overflowuid", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError, IndexError):
        return 0


def _names(tail: str) -> list[str]:
    """The parts of a path, the first one last."""
    parts = tail.replace(os.altsep or os.sep, os.sep).split(os.sep)
    return [part for part in reversed(parts) if part not in ("", os.curdir)]
