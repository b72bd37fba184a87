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

import hmac
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, Protocol

from automat import TypeMachineBuilder
from nacl.public import PrivateKey

from offprompt import errors
from offprompt.encoding import base64url
from offprompt.observers import Observers
from offprompt.request import archive
from offprompt.request.fingerprint import key_id
from offprompt.request.lifetime import SIGHT
from offprompt.request.link import Link
from offprompt.request.order import RequestOrder
from offprompt.request.outcome import Written  # Automat reads the annotations of inputs while it runs

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.request.fields import Field
    from offprompt.request.spec import RequestSpec
    from offprompt.request.target import TargetState

Status = Literal["awaiting", "writing", "written", "expired", "cancelled"]
Canceller = Literal["agent", "person", "operator"]


class _Inputs(Protocol):
    def begin_write(self) -> None: ...
    def finish_write(self, result: Written) -> None: ...
    def fail_write(self) -> None: ...
    def cancel(self, by: Canceller) -> bool: ...
    def expire(self) -> bool: ...


@dataclass(slots=True)
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


@_yielding.upon(_Inputs.cancel).loop()
def _wished_before(inputs: _Inputs, core: _Core, by: Canceller) -> bool:
    return False


_machine = _builder.build()


@lru_cache(maxsize=16)
def _closed_core(status: Status, cancelled_by: Canceller | None) -> _Core:
    return _Core(None, status, cancelled_by)


class Record:
    """A secret request: an order, its keys, its state.

    `request_id` is the agent's handle, `token` stands in the link, `nonce` in the page: 128 random bits each, in hex.
    Times are seconds of the service's clock. Once it is closed, it keeps what `offprompt.request.archive` says.
    """

    __slots__ = (
        "__weakref__",
        "_archive",
        "_core",
        "_machine",
        "_observers",
        "_order",
        "closed_at",
        "expires_at",
        "key_id",
        "nonce",
        "opened_at",
        "page_fetched",
        "public_key",
        "request_id",
        "seen_at",
        "session",
        "token",
    )

    def __init__(self, order: RequestOrder, random: Callable[[int], bytes], now: float) -> None:
        self.request_id = random(16).hex()
        self.token = random(16).hex()
        self.nonce = random(16).hex()
        key = PrivateKey(random(PrivateKey.SIZE))
        self.public_key = bytes(key.public_key)
        self.key_id = key_id(self.public_key)
        self.session = order.session
        self.opened_at = now
        self.expires_at = now + order.lifetime
        self.closed_at: float | None = None
        self.page_fetched = False
        self.seen_at: float | None = None
        self._core = _Core(bytes(key))
        self._machine: _Inputs | None = _machine(self._core)
        self._observers: Observers[[Record]] | None = Observers()
        self._order: RequestOrder | None = order
        self._archive = b""

    def __repr__(self) -> str:
        return f"<Record {self.request_id[:8]} {self.status} {' '.join(self.spec.names)}>"

    @property
    def order(self) -> RequestOrder:
        """What was settled before it was opened; once it is closed, as far as the archive keeps it."""
        return archive.unpack_order(self._archive, self.session) if self._order is None else self._order

    @property
    def spec(self) -> RequestSpec:
        """What the agent asked for."""
        return self.order.spec

    @property
    def fields(self) -> tuple[Field, ...]:
        """What the page shows, in the agent's order; () once it is closed."""
        return self.order.fields

    @property
    def target(self) -> TargetState:
        """The target as it was when the request was opened."""
        return self.order.target

    @property
    def present(self) -> frozenset[str]:
        """The requested names that the target held when the request was opened."""
        return self.order.present

    @property
    def status(self) -> Status:
        """The state's name; "writing" also while a cancel waits for the write."""
        return self._core.status

    @property
    def public_status(self) -> Status:
        """The state as agents and pages are told: a write under way may still fail, and counts as awaiting."""
        return "awaiting" if self.open else self.status

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
        if self._core.result is None and self._archive:
            return archive.unpack_result(self._archive)
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

    def asked_for(self, spec: RequestSpec) -> bool:
        """Return whether the agent asked for exactly `spec`."""
        return archive.asked_for(self._archive, spec) if self._order is None else self._order.spec == spec

    def has_nonce(self, text: str) -> bool:
        """Return whether `text` is the nonce, in a time that tells nothing of it; never once the request is closed."""
        return self.nonce != "" and hmac.compare_digest(text.encode("utf-8", "replace"), self.nonce.encode())

    def link(self, origin: str) -> Link:
        """Return the link to this request's page at `origin`."""
        return Link(origin, self.token, base64url(self.public_key))

    def expires_in(self, now: float) -> int:
        """Return the whole seconds that are left, 0 when none."""
        return max(0, int(self.expires_at - now))

    def subscribe(self, observer: Callable[[Record], object]) -> Callable[[], None]:
        """Call `observer` with this record after every change of its status and when its page is fetched.

        Return what ends that; calling it twice is fine. A closed request changes no more.
        """
        return (lambda: None) if self._observers is None else self._observers.subscribe(observer)

    def fetched(self, now: float) -> None:
        """Note that a browser has fetched the page."""
        self.page_fetched = True
        self.seen_at = now
        self._tell()

    def polled(self, now: float) -> None:
        """Note that a page has asked how the request stands."""
        self.seen_at = now

    def page_is_open(self, now: float) -> bool:
        """Return whether a page is open somewhere: one that is asks every ten seconds."""
        return self.seen_at is not None and now - self.seen_at <= SIGHT

    def begin_write(self) -> None:
        """Claim the one write.

        Raises:
            RequestBusy: somebody else's write is under way.
            RequestClosed: it was written, cancelled, or its time is over.
        """
        self._require_open().begin_write()
        self._tell()

    def finish_write(self, result: Written, now: float) -> None:
        """Note that the values are in the file."""
        self._require_open().finish_write(result)
        self._changed(now)

    def fail_write(self, now: float) -> None:
        """Give the claim back, as nothing was written, or let a cancel that waited take effect."""
        self._require_open().fail_write()
        self._changed(now)

    def cancel(self, by: Canceller, now: float) -> bool:
        """Close the request unwritten; False when it was closed before or when a write under way decides."""
        done = self._machine is not None and self._machine.cancel(by)
        if done:
            self._changed(now)
        return done

    def expire(self, now: float) -> bool:
        """Close the request because its time is over; False when it was closed before or is being written."""
        done = self._machine is not None and self._machine.expire()
        if done:
            self._changed(now)
        return done

    def _require_open(self) -> _Inputs:
        if self._machine is None:
            raise errors.RequestClosed(status=self.status)
        return self._machine

    def _changed(self, now: float) -> None:
        if self.open:
            self._tell()
            return
        self.closed_at = now
        self._archive = archive.pack(self.order, self._core.result)
        self._machine = None
        self.key_id = self.nonce = ""
        try:
            self._tell()  # who waits answers now, and need not unpack what was just packed
        finally:
            self._core = _closed_core(self._core.status, self._core.cancelled_by)
            self._order = self._observers = None

    def _tell(self) -> None:
        if self._observers is not None:
            self._observers.tell(self)
