"""The ledger's clock: requests expire and closed ones are forgotten when they are due, without a poll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.application.service import Service

if TYPE_CHECKING:
    from twisted.internet.interfaces import IDelayedCall, IReactorTime

    from offprompt.request.ledger import Ledger


class Expiry(Service):
    """Sweeps `ledger` when something in it is due. While nothing is due, nothing is scheduled."""

    def __init__(self, ledger: Ledger, clock: IReactorTime) -> None:
        self.setName("expiry")
        self._ledger = ledger
        self._clock = clock
        self._timer: IDelayedCall | None = None
        ledger.on_change(self._reschedule)

    def startService(self) -> None:
        """Watch the ledger from now on."""
        super().startService()
        self._reschedule()

    def stopService(self) -> None:
        """Watch the ledger no more; its requests stay as they are."""
        super().stopService()
        self._unschedule()

    def _unschedule(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None

    def _reschedule(self) -> None:
        due = self._ledger.next_due() if self.running else None
        if due is None:
            self._unschedule()
            return
        delay = max(0.0, due - self._clock.seconds())
        if self._timer is not None and self._timer.active():
            self._timer.reset(delay)
        else:
            self._timer = self._clock.callLater(delay, self._sweep)

    def _sweep(self) -> None:
        self._timer = None
        self._ledger.sweep(self._clock.seconds())
        self._reschedule()
