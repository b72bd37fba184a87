"""Waiting for a person, without a poll."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IReactorTime
    from twisted.python.failure import Failure

    from offprompt.request.record import Record

    Subscribe = Callable[[Callable[[object], None]], Callable[[], None]]

T = TypeVar("T")


def closed(record: Record) -> bool:
    """Return whether the request is in a final state."""
    return record.closed_at is not None


def seen_since(begun: float) -> Callable[[Record], bool]:
    """Return what tells whether a page has shown a sign of itself since `begun`, or the request is closed."""
    return lambda record: closed(record) or (record.seen_at is not None and record.seen_at >= begun)


def until(
    happened: Callable[[Record], bool],
    record: Record,
    seconds: float,
    clock: IReactorTime,
    other: Subscribe | None = None,
) -> Deferred[bool]:
    """Wait until `happened(record)`, for at most `seconds`, or until a watcher of `other` is called.

    Fire with True at once when it is so already, or as soon as a change of the record makes it so. Fire with False when
    the time is over or `other` comes first. Fail with CancelledError when cancelled; record and clock are then free.
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


def while_open(record: Record, seconds: float, outcome: Deferred[T], clock: IReactorTime) -> Deferred[T | None]:
    """Wait for `outcome` as long as `record` is open, and for at most `seconds`.

    Fire with what `outcome` fires with. Fire with None as soon as the record closes or the time is over; `outcome` is
    then cancelled. Fail as `outcome` fails. Cancelling this cancels `outcome`.
    """
    given_up = False

    def give_up(happened: bool) -> None:
        nonlocal given_up
        given_up = True
        outcome.cancel()

    def ended(result: T | Failure) -> T | Failure | None:
        limit.cancel()
        return None if given_up else result

    limit = until(closed, record, seconds, clock)
    # A limit that is reached ends the outcome; an outcome that comes first ends the limit, whose failure nobody needs.
    waiting = outcome.addBoth(ended)
    limit.addCallbacks(give_up, lambda cancelled: None)
    return waiting
