"""One secret request and its states.

    awaiting --begin_write--> writing --finish_write--> written
       |  ^                      |
       |  +-----fail_write-------+--cancel--> yielding --finish_write--> written
       +--cancel--> cancelled                     +------fail_write----> cancelled
       +--expire--> expired

A cancel during a write is left to the write: it wins only when the write fails. An expiry during a write is not noted
at all: a write that fails gives the claim back, and the ledger finds the request past its time. The private key lives
in the record until the request is closed. Values never enter it: they are handed from the seal to the sink.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from automat import TypeMachineBuilder
from nacl.public import PrivateKey

from offprompt import errors
from offprompt.encoding import base64url
from offprompt.request.fingerprint import key_id
from offprompt.request.link import Link
from offprompt.request.outcome import Written  # Automat reads the annotations of inputs while it runs
from offprompt.request.target import TargetState

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.request.fields import Field
    from offprompt.request.spec import RequestSpec

Status = Literal["awaiting", "writing", "written", "expired", "cancelled"]
Canceller = Literal["agent", "person", "operator"]

LIFETIME_HERE = 10 * 60.0
"""Seconds a link is good for on the person's own machine, where the page opens by itself."""
LIFETIME_REMOTE = 30 * 60.0
"""Seconds from a sandbox, where the person may be away from the agent and has to carry the link over."""

SIGHT = 25.0
"""Seconds without a sign of the page after which it counts as closed: it asks every 10 s, a busy browser later."""


@dataclass(frozen=True, slots=True)
class Order:
    """Everything that is settled before a request is opened."""

    spec: RequestSpec
    fields: tuple[Field, ...]
    session: str
    project: str
    host: str = ""
    remote: bool = False
    target: TargetState = field(default_factory=TargetState)

    @property
    def lifetime(self) -> float:
        """Seconds that the link is good for."""
        return LIFETIME_REMOTE if self.remote else LIFETIME_HERE


class _Inputs(Protocol):
    def begin_write(self) -> None: ...
    def finish_write(self, result: Written) -> None: ...
    def fail_write(self) -> None: ...
    def cancel(self, by: Canceller) -> bool: ...
    def expire(self) -> bool: ...


@dataclass
class _Core:
    """The machine's data: `key` is the private key while the request is open, else None."""

    key: bytes | None = field(repr=False)
    status: Status = "awaiting"
    cancelled_by: Canceller | None = None
    result: Written | None = None

    def close(self, status: Status) -> None:
        self.status = status
        self.key = None


_builder = TypeMachineBuilder(_Inputs, _Core)
_awaiting = _builder.state("awaiting")
_writing = _builder.state("writing")
_yielding = _builder.state("yielding")
_written = _builder.state("written")
_expired = _builder.state("expired")
_cancelled = _builder.state("cancelled")


@_awaiting.upon(_Inputs.begin_write).to(_writing)
def _claim(inputs: _Inputs, core: _Core) -> None:
    core.status = "writing"


@_writing.upon(_Inputs.fail_write).to(_awaiting)
def _give_back(inputs: _Inputs, core: _Core) -> None:
    core.status = "awaiting"


@_writing.upon(_Inputs.finish_write).to(_written)
def _finish(inputs: _Inputs, core: _Core, result: Written) -> None:
    core.close("written")
    core.result = result


@_yielding.upon(_Inputs.finish_write).to(_written)
def _finish_all_the_same(inputs: _Inputs, core: _Core, result: Written) -> None:
    core.cancelled_by = None
    core.close("written")
    core.result = result


@_yielding.upon(_Inputs.fail_write).to(_cancelled)
def _cancel_after_all(inputs: _Inputs, core: _Core) -> None:
    core.close("cancelled")


@_awaiting.upon(_Inputs.cancel).to(_cancelled)
def _cancel(inputs: _Inputs, core: _Core, by: Canceller) -> bool:
    core.cancelled_by = by
    core.close("cancelled")
    return True


@_writing.upon(_Inputs.cancel).to(_yielding)
def _leave_to_the_write(inputs: _Inputs, core: _Core, by: Canceller) -> bool:
    core.cancelled_by = by
    return False


@_awaiting.upon(_Inputs.expire).to(_expired)
def _expire(inputs: _Inputs, core: _Core) -> bool:
    core.close("expired")
    return True


for _state in (_writing, _yielding):

    @_state.upon(_Inputs.begin_write).loop()
    def _claimed(inputs: _Inputs, core: _Core) -> None:
        raise errors.RequestBusy()

    @_state.upon(_Inputs.expire).loop()
    def _too_late_to_expire(inputs: _Inputs, core: _Core) -> bool:
        return False


for _state in (_written, _expired, _cancelled):

    @_state.upon(_Inputs.begin_write).loop()
    def _closed(inputs: _Inputs, core: _Core) -> None:
        raise errors.RequestClosed(status=core.status)

    @_state.upon(_Inputs.expire).loop()
    def _closed_before(inputs: _Inputs, core: _Core) -> bool:
        return False


for _state in (_yielding, _written, _expired, _cancelled):

    @_state.upon(_Inputs.cancel).loop()
    def _nothing_to_cancel(inputs: _Inputs, core: _Core, by: Canceller) -> bool:
        return False


_machine = _builder.build()


class Record:
    """A secret request: an order, its keys, its state.

    `request_id` is the agent's handle, `token` stands in the link, `nonce` in the page: 128 random bits each, in hex.
    Times are seconds of the service's clock.
    """

    def __init__(self, order: Order, random: Callable[[int], bytes], now: float) -> None:
        self.request_id = random(16).hex()
        self.token = random(16).hex()
        self.nonce = random(16).hex()
        key = PrivateKey(random(PrivateKey.SIZE))
        self.public_key = bytes(key.public_key)
        self.key_id = key_id(self.public_key)
        self.order = order
        self.opened_at = now
        self.expires_at = now + order.lifetime
        self.closed_at: float | None = None
        self.page_fetched = False
        self.seen_at: float | None = None
        self._core = _Core(bytes(key))
        self._machine = _machine(self._core)
        self._watchers: list[Callable[[Record], None]] = []

    def __repr__(self) -> str:
        return f"<Record {self.request_id[:8]} {self.status} {' '.join(self.spec.names)}>"

    @property
    def spec(self) -> RequestSpec:
        """What the agent asked for."""
        return self.order.spec

    @property
    def fields(self) -> tuple[Field, ...]:
        """What the page shows, in the agent's order."""
        return self.order.fields

    @property
    def target(self) -> TargetState:
        """The target as it was when the request was opened."""
        return self.order.target

    @property
    def present(self) -> frozenset[str]:
        """The requested names that the target held when the request was opened."""
        return frozenset(self.spec.names) & frozenset(self.target.keys)

    @property
    def status(self) -> Status:
        """The state's name; "writing" also while a cancel waits for the write."""
        return self._core.status

    @property
    def open(self) -> bool:
        """Whether something may still be written."""
        return self.status in ("awaiting", "writing")

    @property
    def cancelled_by(self) -> Canceller | None:
        """Who cancelled it, or wishes to while a write is under way."""
        return self._core.cancelled_by

    @property
    def result(self) -> Written | None:
        """What was written, once it was."""
        return self._core.result

    @property
    def private_key(self) -> bytes:
        """The key that opens this request's seals.

        Raises:
            RequestClosed: the request is closed and the key dropped.
        """
        if self._core.key is None:
            raise errors.RequestClosed(status=self.status)
        return self._core.key

    def link(self, origin: str) -> Link:
        """The link to this request's page at `origin`."""
        return Link(origin, self.token, base64url(self.public_key))

    def expires_in(self, now: float) -> int:
        """Whole seconds that are left, 0 when none."""
        return max(0, int(self.expires_at - now))

    def subscribe(self, watcher: Callable[[Record], None]) -> Callable[[], None]:
        """Call `watcher` with this record after every change of its status and when its page is fetched.

        The answer ends that; calling it twice is fine.
        """
        self._watchers.append(watcher)

        def unsubscribe() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return unsubscribe

    def fetched(self, now: float) -> None:
        """A browser has fetched the page."""
        self.page_fetched = True
        self.seen_at = now
        self._tell()

    def looked_at(self, now: float) -> None:
        """A page has asked how the request stands."""
        self.seen_at = now

    def in_sight(self, now: float) -> bool:
        """Whether a page is open somewhere: one that is asks every ten seconds."""
        return self.seen_at is not None and now - self.seen_at <= SIGHT

    def begin_write(self) -> None:
        """Claim the one write.

        Raises:
            RequestBusy: somebody else's write is under way.
            RequestClosed: it was written, cancelled, or its time is over.
        """
        self._machine.begin_write()
        self._tell()

    def finish_write(self, result: Written, now: float) -> None:
        """The values are in the file."""
        self._machine.finish_write(result)
        self._closed(now)

    def fail_write(self, now: float) -> None:
        """Nothing was written: give the claim back, or let a cancel that waited take effect."""
        self._machine.fail_write()
        self._closed(now)

    def cancel(self, by: Canceller, now: float) -> bool:
        """Close the request unwritten; False when it was closed before or when a write under way decides."""
        done = self._machine.cancel(by)
        if done:
            self._closed(now)
        return done

    def expire(self, now: float) -> bool:
        """Close the request because its time is over; False when it was closed before or is being written."""
        done = self._machine.expire()
        if done:
            self._closed(now)
        return done

    def _closed(self, now: float) -> None:
        if not self.open:
            self.closed_at = now
        self._tell()

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher(self)
