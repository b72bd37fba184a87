"""Whoever cancels is told CancelledError, and what was asked ends."""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred, gatherResults, succeed

from offprompt.tunnel.cancellation import cancellable


def outcome(deferred: Deferred) -> list:
    found: list = []
    deferred.addCallbacks(found.append, lambda failure: found.append(failure.type))
    return found


def test_a_result_and_a_failure_come_through() -> None:
    inner: Deferred[str] = Deferred()
    found = outcome(cancellable(inner))
    inner.callback("x")
    assert found == ["x"]
    inner = Deferred()
    found = outcome(cancellable(inner))
    inner.errback(ZeroDivisionError())
    assert found == [ZeroDivisionError]
    assert outcome(cancellable(succeed("at once"))) == ["at once"]


def test_a_cancellation_that_is_wrapped_comes_as_itself() -> None:
    asked: list[Deferred[str]] = [Deferred(), Deferred()]
    both = cancellable(gatherResults(asked, consumeErrors=True))
    found = outcome(both)
    both.cancel()
    assert found == [CancelledError]
    assert all(each.called for each in asked)


def test_what_comes_after_the_cancellation_is_dropped() -> None:
    first: Deferred[str] = Deferred()
    second: Deferred[str] = Deferred()

    async def slow() -> str:
        try:
            return await first
        except CancelledError:
            return await second

    outer = cancellable(Deferred.fromCoroutine(slow()))
    found = outcome(outer)
    outer.cancel()
    assert found == [CancelledError]
    second.errback(ZeroDivisionError())
    assert found == [CancelledError]


def test_a_coroutine_that_goes_on_after_failures_ends_when_it_is_cancelled() -> None:
    asked: list[Deferred[str]] = []

    def ask() -> Deferred[list[str]]:
        asked.append(Deferred())
        return cancellable(gatherResults([asked[-1]], consumeErrors=True))

    async def insist() -> None:
        while True:
            try:
                await ask()
            except CancelledError:
                raise
            except Exception:
                continue

    running = Deferred.fromCoroutine(insist())
    asked[0].errback(OSError())
    found = outcome(running)
    running.cancel()
    assert (found, len(asked)) == ([CancelledError], 2)
