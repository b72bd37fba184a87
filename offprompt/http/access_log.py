"""No access log: a path holds the token that gives access, and a referrer may hold anything."""

from __future__ import annotations

from typing import Any


class WithoutAccessLog:
    """Twisted's `Site` without the log of requests that it would write, and without the clock of that log.

    The clock would wake the process every second.
    """

    def startFactory(self) -> None:
        """Open no log."""

    def stopFactory(self) -> None:
        """Close none."""

    def log(self, request: Any) -> None:
        """Write nothing about `request`."""
