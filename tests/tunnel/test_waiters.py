"""Callers wait together and are told together; one who leaves changes nothing for the others."""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.internet.task import Clock

from offprompt import errors
from offprompt.tunnel.waiters import Waiters


class Group:
    def __init__(self) -> None:
        self.clock = Clock()
        self.waiters = Waiters(self.clock, errors.NotConnected)
        self.told: list[object] = []

    def join(self):
        return self.waiters.add().addCallbacks(self.told.append, lambda failure: self.told.append(failure.type))


def test_all_get_the_answer_and_the_deadline_is_gone() -> None:
    group = Group()
    for _ in range(3):
        group.join()
    group.waiters.wait_until(20)
    group.waiters.answer("https://x")
    assert (group.told, len(group.waiters), group.clock.getDelayedCalls()) == (["https://x"] * 3, 0, [])


def test_all_are_told_when_the_deadline_passes() -> None:
    group = Group()
    group.join()
    group.waiters.wait_until(20)
    group.clock.advance(5)
    group.join()
    group.waiters.wait_until(25)  # there is one
    assert group.waiters.deadline == 20
    group.clock.advance(14.9)
    assert group.told == []
    group.clock.advance(0.1)
    assert group.told == [errors.NotConnected] * 2
    assert group.waiters.deadline is None


def test_a_deadline_that_has_passed_counts_at_once() -> None:
    group = Group()
    group.join()
    group.waiters.wait_until(0)
    assert group.told == [errors.NotConnected]


def test_where_nobody_waits_no_time_runs() -> None:
    group = Group()
    group.waiters.wait_until(20)
    assert group.clock.getDelayedCalls() == []


def test_one_who_leaves_is_told_so_and_the_last_one_ends_the_time() -> None:
    group = Group()
    first, second = group.join(), group.join()
    group.waiters.wait_until(20)
    first.cancel()
    assert (group.told, len(group.waiters)) == ([CancelledError], 1)
    assert group.clock.getDelayedCalls() != []
    second.cancel()
    assert group.clock.getDelayedCalls() == []
