"""When cloudflared is started again after a failure, and when not. Pure: the time is an argument, in seconds.

Every start asks Cloudflare for a new link; wrappers that restarted at once were limited for it (9router issue 1545).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from offprompt import errors
from offprompt.tunnel.causes import Cause

MOST_STARTS = 5
STARTS_SECONDS = 300.0
"""At most so many starts in so many seconds, whatever the reasons."""
HEALTHY_SECONDS = 60.0
"""A tunnel that was up so long has put its failures before behind it."""

_LIMITED = (60.0, 120.0, 240.0, 480.0)
_SERVICE = (2.0, 4.0, 8.0)
_CRASH = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
_ONCE = (0.0,)
_NEVER: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rule:
    """What follows from a cause: the pauses before each start that comes by itself, the last one `for_ever` or not.

    `asked` is what somebody who asks gets: "start", "wait" (an error until the pause is over) or "error" for good.
    """

    pauses: tuple[float, ...]
    for_ever: bool = False
    asked: str = "start"


_RULES = {
    Cause.RATE_LIMITED: _Rule(_LIMITED, for_ever=True, asked="wait"),
    Cause.SERVICE_DOWN: _Rule(_SERVICE),
    Cause.SERVICE_REFUSED: _Rule(_SERVICE),
    Cause.SERVICE_GARBLED: _Rule(_SERVICE),
    Cause.NO_DNS: _Rule(_NEVER),
    Cause.INTERCEPTED: _Rule(_NEVER),
    Cause.SERVICE_TIMEOUT: _Rule(_NEVER),
    Cause.NO_NETWORK: _Rule(_NEVER),
    Cause.NO_DNS_EDGE: _Rule(_NEVER),
    Cause.METRICS_PORT: _Rule(_NEVER, asked="error"),
    Cause.BAD_CONFIG: _Rule(_NEVER, asked="error"),
    Cause.BAD_FLAGS: _Rule(_NEVER, asked="error"),
    Cause.SILENT: _Rule(_NEVER, asked="error"),
    Cause.CANNOT_RUN: _Rule(_NEVER),
    Cause.REFUSED_BY_EDGE: _Rule(_ONCE),
    Cause.UDP_BLOCKED: _Rule(_ONCE),
    Cause.TCP_BLOCKED: _Rule(_ONCE),
    Cause.STUCK: _Rule(_ONCE),
    Cause.INVISIBLE: _Rule(_NEVER),
    Cause.FOREIGN: _Rule(_NEVER),
    Cause.CRASHED: _Rule(_CRASH, for_ever=True),
    Cause.UNKNOWN: _Rule(_CRASH, for_ever=True),
    Cause.LOST: _Rule(_CRASH, for_ever=True),
}


@dataclass(slots=True)
class Backoff:
    """The failures so far of one service's tunnel."""

    _starts: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_STARTS))
    _failures: dict[Cause, int] = field(default_factory=dict)
    _refused: errors.TunnelUnavailable | None = None
    _refused_until: float = 0.0

    def started(self, now: float) -> None:
        """cloudflared was started."""
        self._starts.append(now)

    def asked_anew(self) -> None:
        """Somebody asks where nothing was being tried: what was given up is begun from its first pause.

        Limits and crashes are not forgotten for that: they are no better for somebody's asking.
        """
        for cause in [cause for cause in self._failures if not _RULES[cause].for_ever]:
            del self._failures[cause]

    def failed(self, cause: Cause, error: errors.TunnelUnavailable, now: float, up_for: float) -> float | None:
        """Seconds until the next start, if anybody still wants it then; None: none comes by itself.

        `up_for` is how long the tunnel had been up, 0 when never.
        """
        if up_for >= HEALTHY_SECONDS:
            self._failures.clear()
        rule = _RULES[cause]
        count = self._failures.get(cause, 0)
        self._failures[cause] = count + 1
        last = len(rule.pauses) - 1
        pause = None if count > last and not rule.for_ever else rule.pauses[min(count, last)]
        if rule.asked != "start":
            self._refused = error
            self._refused_until = float("inf") if pause is None else now + pause
        return None if pause is None else max(pause, self._budget(now))

    def refusal(self, now: float) -> errors.TunnelUnavailable | None:
        """The error for somebody who asks now, where a start would be wrong; else None."""
        if self._refused is not None and now < self._refused_until:
            return self._refused
        pause = self._budget(now)
        return errors.TooManyStarts(count=MOST_STARTS, seconds=int(pause) + 1) if pause > 0 else None

    def _budget(self, now: float) -> float:
        """Seconds until one more start is within the limit."""
        full = len(self._starts) == MOST_STARTS
        return max(0.0, self._starts[0] + STARTS_SECONDS - now) if full else 0.0
