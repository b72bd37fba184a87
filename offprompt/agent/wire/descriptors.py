"""The descriptors of a conversation, kept private: nobody else reads or writes them. Standard library only.

A `print`, a C library or a child process that writes to descriptor 1 would break the protocol; one that reads 0 would
steal from it (docs/protocol.md, F4).
"""

from __future__ import annotations

import os
import select
import sys

CAN_POLL = hasattr(select, "poll")
"""False on Windows, where pipes cannot be waited for."""

PIPE_BUF = getattr(select, "PIPE_BUF", 512)
"""Bytes that a descriptor takes without blocking when it is said to be ready: 512 by POSIX, 4096 on Linux."""

MAX_UNSENT = 8 * 1024 * 1024
"""Bytes that wait for a client that does not read; then its conversation ends (docs/protocol.md, F8)."""

MAX_REMARK = min(1024, PIPE_BUF)
"""Bytes of one line on stderr (docs/protocol.md, F8)."""


def take_wire() -> tuple[int, int] | None:
    """Move stdin and stdout to private descriptors, which no child inherits, and return the two.

    Afterwards 0 reads nothing and 1 is stderr. Return None when the process has no stdin or stdout: there is nobody to
    talk to. The null device takes the place of a missing stderr, so that nothing else becomes descriptor 2.
    """
    missing = [fd for fd in (0, 1, 2) if not _is_open(fd)]
    for _ in missing:
        os.open(os.devnull, os.O_RDWR)  # takes the lowest free number each time
    if 0 in missing or 1 in missing:
        return None
    reading, writing = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for fd in (reading, writing):
            msvcrt.setmode(fd, os.O_BINARY)
    return reading, writing


def remark(text: str) -> None:
    """Say a line of the light loop on stderr."""
    say(f"offprompt: {text}")


def say(text: str) -> None:
    """Say one line on stderr, in ASCII and cut at `MAX_REMARK` (docs/protocol.md, F8).

    A line that would block, or that nobody can read, is dropped.
    """
    line = text.encode("ascii", "backslashreplace")[: MAX_REMARK - 1] + b"\n"
    try:
        if not CAN_POLL or _is_ready(2):
            os.write(2, line)
    except OSError:
        pass


def _is_ready(fd: int) -> bool:
    ready = select.poll()
    ready.register(fd, select.POLLOUT)
    return any(event & select.POLLOUT for _, event in ready.poll(0))


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
