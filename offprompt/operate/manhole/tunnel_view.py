"""The tunnel as an operator sees it: what it does, since when, where it ends, what went wrong last. No link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from offprompt.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

_DOING = {
    "down": "no tunnel is running: none was needed yet, or the last one could not be had",
    "finding": "looking for cloudflared, or downloading it",
    "starting": "cloudflared is starting",
    "proving": "cloudflared is registered; a request through it has not come back yet",
    "up": "the tunnel is up",
    "resting": "cloudflared ended; it is started again after a rest",
    "stopped": "the tunnel is stopped",
}


class Facts(Protocol):
    """What a tunnel tells of itself."""

    @property
    def state(self) -> str:
        """The name of its state."""
        ...

    @property
    def since(self) -> float:
        """When the state began, in seconds of the service's clock."""
        ...

    @property
    def last_error(self) -> str:
        """A sentence; "" when nothing went wrong."""
        ...

    @property
    def attempts(self) -> int:
        """How often cloudflared was started."""
        ...

    def host(self) -> str:
        """Where it ends on the public side, "" while that is not known."""
        ...


@dataclass(frozen=True, slots=True)
class TunnelNow:
    """A tunnel at one moment: `seconds` for how long it is so, `attempts` how often cloudflared was started."""

    state: str
    seconds: int
    host: str
    attempts: int
    last_error: str

    def __repr__(self) -> str:
        lines = [f"{_DOING.get(self.state, self.state)} (for {self.seconds // 60}m{self.seconds % 60:02}s)"]
        if self.host:
            lines.append(f"host: {self.host}")
        lines.append(f"cloudflared was started {'once' if self.attempts == 1 else f'{self.attempts} times'}")
        if self.last_error:
            lines.append(f"last problem: {self.last_error}")
        return "\n".join(lines)


class TunnelView:
    """The tunnel: `tunnel` says how it stands, `tunnel.now()` as an object with attributes."""

    __slots__ = ("_now",)

    def __init__(self, now: Callable[[], TunnelNow]) -> None:
        """`now()` looks at the tunnel."""
        self._now = now

    def now(self) -> TunnelNow:
        """How it stands."""
        return self._now()

    def __repr__(self) -> str:
        return repr(self._now())


def tunnel_view(tunnel: Facts, clock: Callable[[], float]) -> TunnelView:
    """What `tunnel` may show; `clock()` is the service's time in seconds."""

    def now() -> TunnelNow:
        return TunnelNow(
            state=one_line(tunnel.state),
            seconds=max(0, int(clock() - tunnel.since)),
            host=one_line(tunnel.host()),
            attempts=tunnel.attempts,
            last_error=one_line(tunnel.last_error, 400),
        )

    return TunnelView(now)
