"""The bounds that every web door keeps, with their reasons; a door has its own for bodies."""

from __future__ import annotations

import sys
from dataclasses import dataclass

HEAD_DEADLINE = 15.0
"""Seconds for all headers of a request, from its first byte; for the first request of a connection, from its beginning.
A browser sends them at once; the rest is the network's and a tunnel's."""

BODY_DEADLINE = 60.0
"""Seconds for the body, from the end of the headers: 480 KB at 64 kbit/s, the slowest line worth serving."""

IDLE = 120.0
"""Seconds that a connection may rest between two requests. Longer than cloudflared keeps its own (90 s, its default for
keepAliveTimeout), so that no request of a tunnel meets a connection that is just being closed."""

LINGER = 2.0
"""Seconds that a refused client is still listened to. A connection closed on unread bytes is reset, and the reset can
overtake the answer (RFC 9112, section 9.6)."""

LINGER_BYTES = 4 * 1024 * 1024
"""Bytes of a refused request that are read and thrown away at most, before the connection is closed the hard way."""

MAX_CONNECTIONS = 4096
"""Connections at once, where descriptors allow: four for each of the 1,000 requests that can be open."""

MAX_OVERLAP = 256
"""Connections above that, while those that make room for them are still being closed: twice the queue of a listening
port, as no more are accepted in the one turn of the reactor that closing takes. More are dropped."""

SPARE_DESCRIPTORS = 128
"""Descriptors that connections never take: files being written, git, the tunnel, agents on a socket, operators."""

SELECT_DESCRIPTORS = {"darwin": 1024, "win32": 512}
"""The most descriptors that select(2) can watch, where it is Twisted's usual reactor (FD_SETSIZE; on Windows as CPython
is built)."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """How many connections are held for long, and how many more while others are being closed."""

    connections: int
    overlap: int


def capacity(open_files: int, platform: str) -> Capacity:
    """Return the capacity of a process that may have `open_files`; `platform` is `sys.platform`.

    It is at least 16 connections, so that a person is served even where the limit of open files makes no sense.
    """
    usable = max(20, min(open_files, SELECT_DESCRIPTORS.get(platform, open_files)) - SPARE_DESCRIPTORS)
    overlap = min(MAX_OVERLAP, usable // 5)
    return Capacity(min(MAX_CONNECTIONS, usable - overlap), overlap)


def open_file_limit() -> int:
    """Return how many files and sockets this process may have open."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit; that of select(2) is what counts there
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
