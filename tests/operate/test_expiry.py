"""The ledger is swept when something is due, and the clock is left alone otherwise."""

from __future__ import annotations

import os

from twisted.internet.task import Clock

from offprompt.operate.expiry import Expiry
from offprompt.request.fields import describe
from offprompt.request.ledger import Ledger
from offprompt.request.lifetime import LIFETIME_HERE, LIFETIME_REMOTE, MEMORY
from offprompt.request.order import RequestOrder
from offprompt.request.spec import Entry, RequestSpec


def order(name: str, remote: bool = False) -> RequestOrder:
    entry = Entry(name)
    return RequestOrder(RequestSpec((entry,)), (describe(entry),), session="s", project="/shop", remote=remote)


def watched() -> tuple[Ledger, Clock, Expiry]:
    ledger, clock = Ledger(os.urandom), Clock()
    expiry = Expiry(ledger, clock)
    expiry.startService()
    return ledger, clock, expiry


def test_nothing_is_scheduled_while_nothing_is_open():
    _, clock, _ = watched()
    assert clock.getDelayedCalls() == []


def test_a_request_expires_on_its_second_and_is_forgotten_an_hour_later():
    ledger, clock, _ = watched()
    record, _new = ledger.open(order("A"), clock.seconds())
    clock.advance(LIFETIME_HERE - 0.01)
    assert record.status == "awaiting"
    clock.advance(0.01)
    assert record.status == "expired"
    assert len(clock.getDelayedCalls()) == 1
    clock.advance(MEMORY)
    assert ledger.by_token(record.token, clock.seconds()) is None
    assert clock.getDelayedCalls() == []


def test_the_nearest_of_several_is_waited_for():
    ledger, clock, _ = watched()
    late, _new = ledger.open(order("A", remote=True), clock.seconds())
    soon, _new = ledger.open(order("B"), clock.seconds())
    clock.advance(LIFETIME_HERE)
    assert (soon.status, late.status) == ("expired", "awaiting")
    clock.advance(LIFETIME_REMOTE - LIFETIME_HERE)
    assert late.status == "expired"


def test_a_write_that_fails_after_its_time_gives_back_to_an_expired_request():
    ledger, clock, _ = watched()
    record, _new = ledger.open(order("A"), clock.seconds())
    record.begin_write()
    clock.advance(LIFETIME_HERE + 5)
    assert record.status == "writing"
    record.fail_write(clock.seconds())
    clock.advance(0)
    assert record.status == "expired"


def test_a_stopped_service_leaves_no_timer_behind():
    ledger, clock, expiry = watched()
    ledger.open(order("A"), clock.seconds())
    expiry.stopService()
    assert clock.getDelayedCalls() == []
    ledger.open(order("B"), clock.seconds())
    assert clock.getDelayedCalls() == []
