"""Splits a child's output into lines, however a pipe cuts it."""

from __future__ import annotations

import re

MAX_LINE = 64 * 1024
"""Bytes kept of a line. cloudflared logs what Cloudflare's API answers as one message; 300 kB were seen. The rest of a
longer line is dropped as it comes."""

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Splitter:
    """Bytes in, lines out: without CR and terminal colours, undecodable bytes replaced.

    The lines do not depend on how the bytes were cut. Never holds more than `limit` bytes and the piece just fed.
    """

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._kept = bytearray()

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that `data` completes."""
        *completed, rest = data.split(b"\n")
        lines = []
        for piece in completed:
            self._keep(piece)
            lines.append(self._take())
        self._keep(rest)
        return lines

    def end(self) -> list[str]:
        """Return the last line, where it came without its newline."""
        return [self._take()] if self._kept else []

    def _keep(self, piece: bytes) -> None:
        self._kept += piece[: self._limit - len(self._kept)]

    def _take(self) -> str:
        line = self._kept.decode("utf-8", "replace")
        self._kept.clear()
        return _ANSI.sub("", line.removesuffix("\r"))
