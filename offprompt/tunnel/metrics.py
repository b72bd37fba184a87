"""Asks cloudflared itself, on its port of 127.0.0.1, whether it is connected."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.web.client import Agent, HTTPConnectionPool

from offprompt.tunnel.fetch import page
from offprompt.tunnel.output import HOST

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_ANSWER = 4096
"""Bytes; both answers have less than 200."""


class Metrics:
    """The metrics server of one child; `port` says where it listens, 0 while that is not known."""

    def __init__(self, reactor: Any, port: Callable[[], int], seconds: float) -> None:
        """`seconds` is the time for one answer."""
        self._reactor = reactor
        self._seconds = seconds
        self._port = port

    @property
    def known(self) -> bool:
        """Whether it can be asked."""
        return self._port() != 0

    async def ready(self) -> bool:
        """Return whether a connection to Cloudflare's edge stands: 200, not 503."""
        return (await self._get("/ready"))[0] == 200

    async def host(self) -> str:
        """Return the tunnel's host, "" when it does not say."""
        status, body = await self._get("/quicktunnel")
        try:
            named = json.loads(body)["hostname"] if status == 200 else ""
        except (ValueError, KeyError, TypeError, RecursionError):
            return ""
        return named if isinstance(named, str) and re.fullmatch(HOST, named) else ""

    async def _get(self, path: str) -> tuple[int, bytes]:
        """Return the status and body there; (0, b"") when nothing answers in time."""
        agent = Agent(self._reactor, pool=HTTPConnectionPool(self._reactor, persistent=False))
        asked = Deferred.fromCoroutine(page(agent, f"http://127.0.0.1:{self._port()}{path}", MAX_ANSWER))
        try:
            return await asked.addTimeout(self._seconds, self._reactor)
        except CancelledError:
            raise
        except Exception:
            return 0, b""
