"""Waiting for a person, without a poll."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from twisted.internet.defer import Deferred, TimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IReactorTime

    from offprompt.request.record import Record

    Subscribe = Callable[[Callable[[object], None]], Callable[[], None]]

T = TypeVar("T")


def closed(record: Record) -> bool:
    """Whether nothing more comes of it."""
    return not record.open


def until(
    happened: Callable[[Record], bool],
    record: Record,
    seconds: float,
    clock: IReactorTime,
    other: Subscribe | None = None,
) -> Deferred[bool]:
    """Wait until `happened(record)`, for at most `seconds`, or until a watcher of `other` is called.

    Fires with True at once when it is so already, True as soon as a change of the record makes it so, and False when
    the time is over or the other thing came first. Cancelling it frees the record and the clock; it then fails with
    CancelledError.
    """
    waiting: Deferred[bool] = Deferred()
    if happened(record) or seconds <= 0:
        waiting.callback(happened(record))
        return waiting

    def changed(record: Record) -> None:
        if happened(record) and not waiting.called:
            waiting.callback(True)

    def late(cause: object = None) -> None:
        if not waiting.called:
            waiting.callback(False)

    unsubscribe = record.subscribe(changed)
    unsubscribe_other = other(late) if other is not None else None
    timer = clock.callLater(seconds, late)

    def free(result: object) -> object:
        unsubscribe()
        if unsubscribe_other is not None:
            unsubscribe_other()
        if timer.active():
            timer.cancel()
        return result

    return waiting.addBoth(free)


async def within(seconds: float, outcome: Deferred[T], clock: IReactorTime) -> T | None:
    """What `outcome` fires with, or None when it takes longer than `seconds`; it is cancelled then."""
    try:
        return await outcome.addTimeout(max(0.0, seconds), clock)
    except TimeoutError:
        return None
