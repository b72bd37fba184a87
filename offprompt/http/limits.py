"""Every bound of the page's door, with its reason."""

from __future__ import annotations

from dataclasses import dataclass

MAX_BODY = 256 * 1024
"""Bytes of a request's body (docs/protocol.md, "HTTP"). The largest sealed submission is 171 KiB: 128 KiB of plaintext
and 48 bytes of box, in base64url."""

HEAD_DEADLINE = 15.0
"""Seconds for all headers of a request, from its first byte; for the first request of a connection, from its beginning.
A browser sends them at once; the rest is the network's and a tunnel's."""

BODY_DEADLINE = 60.0
"""Seconds for the body, from the end of the headers. 171 KiB take 22 s at 64 kbit/s, the slowest line worth serving."""

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

TRIES = 20
"""Posts that one link takes in `TRIES_WINDOW`: more than a person presses a button, too few to grind on."""
TRIES_WINDOW = 60.0
"""Seconds."""

MAX_NESTING = 20
"""Levels of a reason's Markdown: deeper is text. The number is CommonMark's usual preset in markdown-it."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many connections are held for long, and how many more while others are being closed."""

    connections: int
    overlap: int


def room(descriptors: int, platform: str) -> Room:
    """The room in a process that may have `descriptors` open files and sockets; `platform` is `sys.platform`.

    At least 16 connections, so that a person is served even where the limit of descriptors makes no sense.
    """
    usable = max(20, min(descriptors, SELECT_DESCRIPTORS.get(platform, descriptors)) - SPARE_DESCRIPTORS)
    overlap = min(MAX_OVERLAP, usable // 5)
    return Room(min(MAX_CONNECTIONS, usable - overlap), overlap)
