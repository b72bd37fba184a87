"""Notices that a tunnel is dead while its process lives on, as after a sleep or a change of network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twisted.internet.task import deferLater

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from offprompt.tunnel.limits import Limits

MOST_MISSES = 3
"""Misses in a row until a tunnel is given up. Two are enough when a request through it fails as well."""
JUMP = 5.0
"""Seconds that a look may be late. After more the computer has slept."""


async def watch(
    reactor: Any, ready: Callable[[], Awaitable[bool]], proven: Callable[[], Awaitable[bool]], limits: Limits
) -> None:
    """Look after a tunnel that is up. Return when it is dead; else run until cancelled.

    `ready` asks cloudflared, which costs nothing; `proven` sends a request through the tunnel, and is asked after a
    sleep, and when cloudflared has missed before.
    """
    misses = 0
    while misses < MOST_MISSES:
        pause = limits.look_sooner if misses else limits.look_every
        due = reactor.seconds() + pause
        await deferLater(reactor, pause)
        slept = reactor.seconds() > due + JUMP
        well = await ready() and (not slept or await proven())
        misses = 0 if well else misses + 1
        if misses > 1 and not await proven():
            return
