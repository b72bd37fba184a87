"""Waiting for a person, without a poll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IReactorTime

    from offprompt.request.record import Record


def until(happened: Callable[[Record], bool], record: Record, seconds: float, clock: IReactorTime) -> Deferred[bool]:
    """Wait until `happened(record)`, for at most `seconds`.

    Fires with True at once when it is so already, True as soon as a change of the record makes it so, and False when
    the time is over. Cancelling it frees the record and the clock; it then fails with CancelledError.
    """
    waiting: Deferred[bool] = Deferred()
    if happened(record) or seconds <= 0:
        waiting.callback(happened(record))
        return waiting

    def changed(record: Record) -> None:
        if happened(record) and not waiting.called:
            waiting.callback(True)

    def late() -> None:
        if not waiting.called:
            waiting.callback(False)

    unsubscribe = record.subscribe(changed)
    timer = clock.callLater(seconds, late)

    def free(result: object) -> object:
        unsubscribe()
        if timer.active():
            timer.cancel()
        return result

    return waiting.addBoth(free)
