"""A private folder for one child, marked with its owner, so that what a killed service has left can be cleared away.

A service that is killed removes nothing. The next one looks through the folders of the same kind. Where the owner is
gone it removes the folder, and kills the child if that still runs. A process is known by its number and its start, as
numbers are used again; where the system tells no start, nothing is killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import stat
import tempfile
from collections.abc import Iterator
from typing import Any

MARK = "owner.json"
"""Says whose the folder is: {"where", "owner", "child"}, each process as [number, start]."""
MAX_MARK = 1024
"""Bytes read of it; a real one has 150."""


def make(prefix: str) -> str:
    """Make a folder of mode 0700 in the system's folder for such, marked as this process's.

    Raises:
        OSError: it cannot be made.
    """
    folder = tempfile.mkdtemp(prefix=prefix)
    try:
        _write_mark(folder, {"where": _where(), "owner": process(os.getpid())})
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def note_child(folder: str, pid: int) -> None:
    """Note that the process `pid`, which leads its own group, belongs to `folder`."""
    with contextlib.suppress(OSError):  # what cannot be noted is only not cleared away
        _write_mark(folder, {"where": _where(), "owner": process(os.getpid()), "child": process(pid)})


def clear_abandoned(prefix: str) -> None:
    """Remove the folders that `make(prefix)` made for processes that are gone, and kill their children.

    Only folders of this account count that were marked since this computer was started and in the same PID namespace:
    a container that shares /tmp with us has other processes under the same numbers.
    """
    for folder in _own_folders(prefix):
        mark = _read_mark(folder)
        if mark.get("where") != _where() or "owner" not in mark or _runs(mark["owner"]):
            continue
        if "child" in mark:
            _kill_group(mark["child"])
        shutil.rmtree(folder, ignore_errors=True)


def process(pid: int) -> list[Any]:
    """Return the process's number and its start, in clock ticks since the system's (proc_pid_stat(5), field 22).

    The start is "" where the system has no such file, and None when there is no such process.
    """
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            after_name = file.read().rpartition(")")[2].split()
        return [pid, None if after_name[0] in "ZX" else after_name[19]]
    except OSError:
        pass
    if os.path.exists("/proc/self/stat"):
        return [pid, None]
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return [pid, None]
    except OSError:  # another account's
        pass
    return [pid, ""]


def _where() -> str:
    """This start of this computer, and the space in which process numbers count; "" where the system does not tell."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def _own_folders(prefix: str) -> Iterator[str]:
    """The folders with this prefix that are this account's alone."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if not entry.name.startswith(prefix):
                continue
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                ours = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o077)
                if stat.S_ISDIR(status.st_mode) and ours:
                    yield entry.path


def _write_mark(folder: str, mark: dict[str, Any]) -> None:
    path = os.path.join(folder, MARK)
    with open(f"{path}.new", "w", encoding="ascii", opener=_private) as file:
        json.dump(mark, file)
    os.replace(f"{path}.new", path)


def _read_mark(folder: str) -> dict[str, Any]:
    """What the folder says; {} when nothing can be read: a service is just making it, or was killed doing so."""
    try:
        with open(os.path.join(folder, MARK), encoding="ascii") as file:
            mark = json.loads(file.read(MAX_MARK))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(mark, dict):
        return {}
    return {name: said for name, said in mark.items() if name == "where" or _is_process(said)}


def _is_process(said: object) -> bool:
    return isinstance(said, list) and len(said) == 2 and type(said[0]) is int and said[0] > 1


def _runs(noted: list[Any]) -> bool:
    """Whether that very process still runs."""
    return process(noted[0]) == noted


def _kill_group(noted: list[Any]) -> None:
    """Kill the group that the process leads, where it is certain that it is the same process."""
    number, start = noted
    with contextlib.suppress(OSError):
        if start and _runs(noted) and os.getpgid(number) == number:
            os.killpg(number, signal.SIGKILL)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
