"""The callers who wait for a link, with one deadline for all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IDelayedCall, IReactorTime


class Waiters:
    """Callers, each with a Deferred. When the deadline passes, all fail with what `late()` returns."""

    def __init__(self, clock: IReactorTime, late: Callable[[], Exception]) -> None:
        self._clock = clock
        self._late = late
        self._waiting: list[Deferred[str]] = []
        self._deadline: IDelayedCall | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def deadline(self) -> float | None:
        """When they are told, in seconds of the clock; None while that is open."""
        return None if self._deadline is None else self._deadline.getTime()

    def add(self) -> Deferred[str]:
        """Return a Deferred for one more caller. Cancelled, it leaves the others alone."""
        waiter: Deferred[str] = Deferred(self.drop)
        self._waiting.append(waiter)
        return waiter

    def wait_until(self, deadline: float) -> None:
        """Set the deadline, unless there is one or nobody waits; one that has passed counts at once."""
        if self._deadline is not None or not self._waiting:
            return
        left = deadline - self._clock.seconds()
        if left > 0:
            self._deadline = self._clock.callLater(left, self._pass)
        else:
            self._pass()

    def answer(self, origin: str) -> None:
        """Give all of them `origin`."""
        for waiter in self._take():
            waiter.callback(origin)

    def refuse(self, error: Exception) -> None:
        """Fail all of them with `error`."""
        for waiter in self._take():
            waiter.errback(error)

    def _pass(self) -> None:
        self.refuse(self._late())

    def _take(self) -> list[Deferred[str]]:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None
        taken, self._waiting = self._waiting, []
        return taken

    def drop(self, waiter: Deferred[str]) -> None:
        """Forget `waiter`, which is told nothing."""
        if waiter in self._waiting:
            self._waiting.remove(waiter)
        if not self._waiting:
            self._take()
