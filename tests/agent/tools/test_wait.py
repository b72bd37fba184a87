"""Waiting ends with the event, with the time or with the call, and leaves nothing behind."""

from __future__ import annotations

import itertools

from twisted.internet.defer import CancelledError
from twisted.internet.task import Clock
from twisted.trial.unittest import SynchronousTestCase

from offprompt.agent.tools.wait import until
from offprompt.request.fields import describe
from offprompt.request.record import Order, Record
from offprompt.request.spec import Entry, RequestSpec


def a_record() -> Record:
    entry = Entry("STRIPE_SECRET_KEY")
    numbers = itertools.count(1)
    order = Order(RequestSpec((entry,)), (describe(entry),), session="s", project="/shop")
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
