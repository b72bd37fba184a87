"""What an operator sees through the manhole: the open requests, the tunnel, the place. No value, key, token or link.

The objects here hold none of these, and no attribute leads to one: they get functions, not the service. That keeps a
slip of the eye or a copied screen harmless. It does not bind the operator, whose prompt can reach everything in the
process (docs/security.md, "The manhole").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from offprompt.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from offprompt.request.ledger import Ledger
    from offprompt.request.record import Record


class View(Protocol):
    """What has a name at the operator's prompt; its repr is what the operator reads."""

    def now(self) -> object:
        """Return how it stands, as an object with attributes."""


def views(ledger: Ledger, tunnel: TunnelFacts, where: WhereNow, clock: Callable[[], float]) -> dict[str, View]:
    """Return the names of the prompt. `clock()` is the service's time in seconds."""
    return {
        "requests": requests_view(ledger, clock),
        "tunnel": Moment(lambda: tunnel_now(tunnel, clock())),
        "where": Moment(lambda: where),
    }


class Moment:
    """One thing at the moment of looking: `tunnel` shows it, `tunnel.now()` returns it with its attributes."""

    __slots__ = ("_now",)

    def __init__(self, now: Callable[[], object]) -> None:
        """`now()` looks."""
        self._now = now

    def now(self) -> object:
        """Return how it stands."""
        return self._now()

    def __repr__(self) -> str:
        return repr(self._now())


# --- where the service runs -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WhereNow:
    """`place` is here, away or unclear; `reason` a sentence."""

    place: str
    reason: str

    def __repr__(self) -> str:
        return f"{self.place}: {self.reason}"


# --- the tunnel -------------------------------------------------------------------------------------------------------

_DOING = {
    "down": "no tunnel is running: none was needed yet, or the last one could not be had",
    "finding": "looking for cloudflared, or downloading it",
    "starting": "cloudflared is starting",
    "proving": "cloudflared is registered; a request through it has not come back yet",
    "up": "the tunnel is up",
    "resting": "cloudflared ended; it is started again after a rest",
    "stopped": "the tunnel is stopped",
}


class TunnelFacts(Protocol):
    """What the prompt reads of a tunnel."""

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
    """A tunnel at one moment: for `seconds` in its state, after `attempts` starts of cloudflared."""

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


def tunnel_now(tunnel: TunnelFacts, now: float) -> TunnelNow:
    """Return what `tunnel` may show at `now`, in seconds of the service's clock."""
    return TunnelNow(
        state=one_line(tunnel.state),
        seconds=max(0, int(now - tunnel.since)),
        host=one_line(tunnel.host()),
        attempts=tunnel.attempts,
        last_error=one_line(tunnel.last_error, 400),
    )


# --- the open requests ------------------------------------------------------------------------------------------------

SHORT = 8
"""Hex digits of an id that are shown: 32 bits tell a thousand open requests apart. Any beginning is understood."""
_ROW = "{:<8}  {:<8}  {:>6}  {:>6}  {:<16}  {:<24}  {}"


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """One open request. `request_id` is the agent's name for it; `age` and `expires_in` are whole seconds."""

    request_id: str
    status: str
    names: tuple[str, ...]
    host: str
    project: str
    path: str
    remote: bool
    age: int
    expires_in: int

    def __repr__(self) -> str:
        return _ROW.format(
            self.request_id[:SHORT],
            self.status,
            _seconds(self.age),
            _seconds(self.expires_in),
            one_line(self.host, 16),
            one_line(self.project, 24),
            " ".join(self.names),
        )


class Requests:
    """The open requests: `requests` lists them, `requests.cancel("1b6eea06")` cancels one."""

    __slots__ = ("_cancel", "_open")

    def __init__(self, open_requests: Callable[[], tuple[OpenRequest, ...]], cancel: Callable[[str], bool]) -> None:
        """List by `open_requests()`, and cancel by `cancel(request_id)`, which returns whether it did so at once."""
        self._open = open_requests
        self._cancel = cancel

    def now(self) -> tuple[OpenRequest, ...]:
        """Return the open requests."""
        return self._open()

    def __iter__(self) -> Iterator[OpenRequest]:
        return iter(self._open())

    def __len__(self) -> int:
        return len(self._open())

    def __getitem__(self, beginning: str) -> OpenRequest:
        """Return the one open request whose id begins like this; raise KeyError for none and for several."""
        found = self._like(beginning)
        if len(found) != 1:
            raise KeyError(_not_one(len(found)))
        return found[0]

    def _like(self, beginning: str) -> list[OpenRequest]:
        return [each for each in self._open() if each.request_id.startswith(str(beginning))]

    def __repr__(self) -> str:
        rows = [repr(each) for each in self._open()]
        if not rows:
            return "no open requests"
        head = _ROW.format("id", "status", "age", "left", "asked by", "project", "names")
        return "\n".join([head, *rows, "", 'requests.cancel("id") cancels one'])

    def cancel(self, beginning: str) -> str:
        """Cancel the one open request whose id begins with `beginning`, tell agent and page, and say what happened."""
        found = self._like(beginning)
        if len(found) != 1:
            return _not_one(len(found))
        request = found[0]
        done = self._cancel(request.request_id)
        names = " ".join(request.names)
        if done:
            return f"cancelled {request.request_id[:SHORT]} ({names})"
        return f"{request.request_id[:SHORT]} ({names}) is being written: it is cancelled if that fails"


def requests_view(ledger: Ledger, clock: Callable[[], float]) -> Requests:
    """Return what `ledger` may show; `clock()` is its time in seconds."""

    def listed() -> tuple[OpenRequest, ...]:
        now = clock()
        ledger.sweep(now)
        return tuple(_shown(record, now) for record in ledger.open_records())

    def cancel(request_id: str) -> bool:
        now = clock()
        for record in ledger.open_records():
            if record.request_id == request_id:
                return record.cancel("operator", now)
        return False

    return Requests(listed, cancel)


def _shown(record: Record, now: float) -> OpenRequest:
    return OpenRequest(
        request_id=record.request_id,
        status=record.status,
        names=record.spec.names,
        host=one_line(record.order.host),
        project=one_line(record.order.project, 1024),
        path=one_line(record.spec.sink.path, 1024),
        remote=record.order.remote,
        age=int(now - record.opened_at),
        expires_in=record.expires_in(now),
    )


def _not_one(count: int) -> str:
    if count:
        return f"{count} open requests have ids that begin like this: give more of it"
    return "no open request has an id that begins like this"


def _seconds(seconds: int) -> str:
    return f"{seconds // 60}m{seconds % 60:02}s"
