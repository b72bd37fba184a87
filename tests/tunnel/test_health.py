"""R17: a tunnel that is dead is noticed, one that is only reconnecting is left alone."""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock

from offprompt.tunnel.health import watch
from tests.tunnel.acting import LIMITS


class Patient:
    """A tunnel that answers as told, and one that looks after it."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.is_ready = True
        self.is_proven = True
        self.asked: list[tuple[str, float]] = []
        self.watching = Deferred.fromCoroutine(watch(self.clock, self.ready, self.proven, LIMITS))

    async def ready(self) -> bool:
        self.asked.append(("ready", self.clock.seconds()))
        return self.is_ready

    async def proven(self) -> bool:
        self.asked.append(("proven", self.clock.seconds()))
        return self.is_proven

    def pass_time(self, seconds: float) -> None:
        for _ in range(int(seconds * 2)):
            self.clock.advance(0.5)

    @property
    def dead(self) -> bool:
        return self.watching.called


def test_R17_a_healthy_one_is_asked_every_ten_seconds_and_nothing_goes_through_it():
    patient = Patient()
    patient.pass_time(3600)
    assert not patient.dead
    assert len(patient.asked) == 360
    assert {what for what, _ in patient.asked} == {"ready"}


def test_R17_one_that_misses_and_does_not_answer_through_the_tunnel_is_dead():
    patient = Patient()
    patient.is_ready = patient.is_proven = False
    patient.pass_time(LIMITS.look_every + LIMITS.look_sooner - 0.5)
    assert not patient.dead
    patient.pass_time(0.5)
    assert patient.dead
    assert patient.asked[-1] == ("proven", LIMITS.look_every + LIMITS.look_sooner)


def test_R17_one_miss_and_all_is_well_again():
    patient = Patient()
    for _ in range(10):
        patient.is_ready = patient.is_proven = False
        patient.pass_time(LIMITS.look_every)
        patient.is_ready = patient.is_proven = True
        patient.pass_time(LIMITS.look_sooner)
    assert not patient.dead
    assert "proven" not in {what for what, _ in patient.asked}


def test_R17_three_misses_are_the_end_whatever_comes_through():
    patient = Patient()
    patient.is_ready = False
    patient.pass_time(LIMITS.look_every + 2 * LIMITS.look_sooner)
    assert patient.dead


def test_R17_after_a_sleep_it_is_tried_through_the_tunnel():
    patient = Patient()
    patient.pass_time(20)
    patient.clock.advance(3600)
    assert patient.asked[-2:] == [("ready", 3620.0), ("proven", 3620.0)]
    assert not patient.dead
    patient.is_proven = False
    patient.clock.advance(3600)
    assert not patient.dead
    patient.is_ready = False
    patient.pass_time(LIMITS.look_sooner)
    assert patient.dead


def test_a_stopped_watch_leaves_no_timer():
    patient = Patient()
    patient.watching.addErrback(lambda failure: failure.trap(CancelledError))
    patient.watching.cancel()
    assert patient.clock.getDelayedCalls() == []
