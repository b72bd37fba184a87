"""Waiting ends with the event, with the time or with the call, and leaves nothing behind."""

from __future__ import annotations

import itertools

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock
from twisted.trial.unittest import SynchronousTestCase

from offprompt.agent.tools.wait import until, while_open
from offprompt.request.fields import describe
from offprompt.request.order import RequestOrder
from offprompt.request.record import Record
from offprompt.request.spec import Entry, RequestSpec


def a_record() -> Record:
    entry = Entry("STRIPE_SECRET_KEY")
    numbers = itertools.count(1)
    order = RequestOrder(RequestSpec((entry,)), (describe(entry),), session="s", project="/shop")
    return Record(order, lambda n: next(numbers).to_bytes(n, "big"), 0.0)


def closed(record: Record) -> bool:
    return not record.open


class UntilTests(SynchronousTestCase):
    def test_what_is_so_already_is_not_waited_for(self) -> None:
        record, clock = a_record(), Clock()
        record.cancel("agent", 0.0)
        assert self.successResultOf(until(closed, record, 5, clock)) is True
        assert clock.getDelayedCalls() == []

    def test_a_change_ends_the_wait_at_once(self) -> None:
        record, clock = a_record(), Clock()
        waiting = until(closed, record, 5, clock)
        record.fetched(1.0)
        self.assertNoResult(waiting)
        record.cancel("person", 1.0)
        assert self.successResultOf(waiting) is True
        assert clock.getDelayedCalls() == []

    def test_the_time_ends_the_wait(self) -> None:
        record, clock = a_record(), Clock()
        waiting = until(closed, record, 5, clock)
        clock.advance(5)
        assert self.successResultOf(waiting) is False
        record.cancel("person", 6.0)

    def test_a_cancelled_wait_frees_the_record_and_the_clock(self) -> None:
        record, clock = a_record(), Clock()
        waiting = until(closed, record, 5, clock)
        waiting.cancel()
        self.failureResultOf(waiting, CancelledError)
        assert clock.getDelayedCalls() == []
        record.cancel("person", 6.0)


class WhileOpenTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.record, self.clock = a_record(), Clock()
        self.given_up: list[object] = []
        self.outcome: Deferred[str] = Deferred(self.given_up.append)
        self.waiting = while_open(self.record, 5, self.outcome, self.clock)

    def free(self) -> None:
        assert self.clock.getDelayedCalls() == []
        self.record.cancel("person", 6.0)

    def test_an_outcome_in_time_is_the_answer(self) -> None:
        self.outcome.callback("here")
        assert self.successResultOf(self.waiting) == "here"
        assert self.given_up == []
        self.free()

    def test_an_outcome_that_is_there_counts_also_when_no_time_is_left(self) -> None:
        late: Deferred[str] = Deferred()
        late.callback("here")
        assert self.successResultOf(while_open(self.record, 0, late, self.clock)) == "here"
        self.outcome.callback("here")

    def test_a_failure_in_time_is_the_answer(self) -> None:
        self.outcome.errback(ValueError())
        self.failureResultOf(self.waiting, ValueError)
        self.free()

    def test_the_end_of_the_time_gives_the_outcome_up(self) -> None:
        self.clock.advance(5)
        assert self.successResultOf(self.waiting) is None
        assert self.given_up == [self.outcome]
        self.free()

    def test_the_end_of_the_request_gives_the_outcome_up_at_once(self) -> None:
        self.record.cancel("person", 1.0)
        assert self.successResultOf(self.waiting) is None
        assert self.given_up == [self.outcome]
        self.free()

    def test_a_cancelled_wait_cancels_the_outcome(self) -> None:
        self.waiting.cancel()
        self.failureResultOf(self.waiting, CancelledError)
        assert self.given_up == [self.outcome]
        self.free()
