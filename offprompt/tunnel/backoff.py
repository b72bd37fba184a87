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
"""At most MOST_STARTS in STARTS_SECONDS, for whatever reasons."""
HEALTHY_SECONDS = 60.0
"""A tunnel that was up for so long clears the earlier failures."""

_LIMITED = (60.0, 120.0, 240.0, 480.0)
_SERVICE = (2.0, 4.0, 8.0)
_CRASH = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
_ONCE = (0.0,)
_NEVER: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rule:
    """What follows from a cause.

    `pauses` are the seconds before each start that comes by itself; the last one is repeated when `for_ever`. `asked`
    is what a new caller gets: "start", "wait" (an error until the pause is over) or "error" for good.
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
    """The starts and failures of one service's tunnel so far."""

    _starts: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_STARTS))
    _failures: dict[Cause, int] = field(default_factory=dict)
    _refused: errors.TunnelUnavailable | None = None
    _refused_until: float = 0.0

    def started(self, now: float) -> None:
        """Count a start of cloudflared."""
        self._starts.append(now)

    def asked_anew(self) -> None:
        """Forget the failures after which nothing is tried: a new caller begins at the first pause.

        Limits and crashes stay: a new caller does not make them less likely.
        """
        for cause in [cause for cause in self._failures if not _RULES[cause].for_ever]:
            del self._failures[cause]

    def failed(self, cause: Cause, error: errors.TunnelUnavailable, now: float, up_for: float) -> float | None:
        """Count a failure. Return the seconds until the next start, None when none comes by itself.

        `up_for` is how long the tunnel was up, 0 for one that never was.
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
        """Return the error for a new caller where a start would be wrong now; else None."""
        if self._refused is not None and now < self._refused_until:
            return self._refused
        pause = self._budget(now)
        return errors.TooManyStarts(count=MOST_STARTS, seconds=int(pause) + 1) if pause > 0 else None

    def _budget(self, now: float) -> float:
        """Return the seconds until one more start is within the limit."""
        full = len(self._starts) == MOST_STARTS
        return max(0.0, self._starts[0] + STARTS_SECONDS - now) if full else 0.0
