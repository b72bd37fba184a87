"""A cancelled Deferred that fails with CancelledError, whatever what is inside it makes of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from twisted.python.failure import Failure

T = TypeVar("T")


def cancellable(inner: Deferred[T]) -> Deferred[T]:
    """Return a Deferred with the result of `inner`. Cancelled, cancel `inner` and fail with CancelledError at once.

    Twisted wraps a cancellation in FirstError (`gatherResults`) or ResponseNeverReceived (`Agent`). A coroutine that
    takes that for a failure of its question would ask on, for nobody.
    """
    left = False

    def leave(outer: Deferred[T]) -> None:  # Deferred.cancel fails `outer` itself afterwards
        nonlocal left
        left = True
        inner.cancel()

    def settle(result: T | Failure) -> None:
        if not left:
            outer.callback(result)  # a Failure too: it starts the errbacks

    outer: Deferred[T] = Deferred(leave)
    inner.addBoth(settle)
    return outer
