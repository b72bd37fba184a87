"""R21, R22: one tunnel for many, generations, and what follows from failures. On a clock, with acted children."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from twisted.internet.defer import CancelledError, Deferred, succeed
from twisted.internet.task import Clock

from offprompt import errors
from offprompt.tunnel.attempt import Attempt
from offprompt.tunnel.backoff import MOST_STARTS, STARTS_SECONDS
from offprompt.tunnel.causes import Cause
from offprompt.tunnel.supervisor import Supervisor
from tests.tunnel.acting import BANNER, LIMITS, METRICS, REGISTERED, Play
from tests.tunnel.scripted_cloudflared import HOST


class Stage:
    """A supervisor, its programs, its callers and its observer. `plays` are the attempts so far."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.plays: list[Play] = []
        self.told: list[Any] = []
        """What callers and the observer heard, in order."""
        self.is_wanted = True
        self.finds: list[Deferred[str]] = []
        self.at_once = True
        self.refuses: Exception | None = None
        self.hear: Callable[[str], None] = lambda sentence: None
        self.supervisor = Supervisor(
            self.clock,
            lambda: self,
            self._attempt,
            lambda: 40123,
            lambda sentence: self.hear(sentence),
            lambda: self.is_wanted,
            LIMITS,
        )
        self.supervisor.observers.subscribe(self.observe)

    def observe(self, origin: str) -> None:
        self.told.append(f"at {origin}" if origin else "withdrawn")

    def ask(self) -> Deferred[None]:
        """Ask for a link; what comes of it is `told`: the origin, or the error's class."""
        return self.supervisor.origin().addCallbacks(
            self.told.append, lambda failure: self.told.append(type(failure.value))
        )

    def _attempt(self, generation: int, observer: Any) -> Attempt:
        play = Play(self.clock, generation, observer)
        play.process.refuses = self.refuses
        self.plays.append(play)
        return play.attempt

    # The programs.

    def find(self) -> Deferred[str]:
        finding: Deferred[str] = Deferred()
        self.finds.append(finding)
        if self.at_once:
            finding.callback("/usr/bin/cloudflared")
        return finding

    def when_gone(self) -> Deferred[None]:
        return succeed(None)

    # Shortcuts.

    @property
    def state(self) -> str:
        return self.supervisor.state

    def die(self, words: str = "something new\n", code: int = 1) -> None:
        self.plays[-1].process.say(words)
        self.plays[-1].process.end(code)


def test_R22_many_who_need_it_share_one_start():
    stage = Stage()
    for _ in range(10):
        stage.ask()
    assert (stage.state, len(stage.plays), len(stage.finds)) == ("starting", 1, 1)
    stage.plays[0].go_up()
    for _ in range(10):
        stage.ask()
    assert (stage.state, len(stage.plays)) == ("up", 1)
    assert stage.told == [f"at https://{HOST}"] + [f"https://{HOST}"] * 20


def test_the_page_answers_at_the_host_from_the_registration_until_the_end():
    stage = Stage()
    stage.ask()
    play = stage.plays[0]
    play.process.say(BANNER + METRICS)
    assert stage.supervisor.host == ""
    play.process.say(REGISTERED)
    assert stage.supervisor.host == HOST
    play.prover.succeed()
    assert stage.supervisor.host == HOST
    play.process.deaf = True
    play.process.end(1)
    assert stage.supervisor.host == ""


def test_R18_links_are_withdrawn_at_once_and_the_next_tunnel_has_a_new_generation():
    stage = Stage()
    stage.ask()
    stage.plays[0].go_up()
    stage.die()
    assert stage.told[-1] == "withdrawn"
    assert stage.state == "resting"
    stage.clock.advance(1)
    assert (stage.state, len(stage.plays), stage.supervisor.generation) == ("starting", 2, 2)
    stage.plays[1].go_up()
    assert stage.told[-1] == f"at https://{HOST}"


def test_when_nobody_wants_a_link_the_next_request_starts_the_next_tunnel():
    stage = Stage()
    stage.ask()
    stage.plays[0].go_up()
    stage.is_wanted = False
    stage.die()
    assert stage.told[-1] == "withdrawn"
    assert isinstance(stage.supervisor.error, errors.TunnelCrashed)
    stage.clock.advance(3600)
    assert (stage.state, len(stage.plays)) == ("down", 1)
    stage.ask()
    assert (stage.state, len(stage.plays)) == ("starting", 2)


def test_nobody_wants_it_any_more_when_the_pause_is_over():
    stage = Stage()
    callers = [stage.ask()]
    stage.die()
    assert stage.state == "resting"
    stage.is_wanted = False
    callers[0].cancel()
    stage.clock.advance(1)
    assert (stage.state, len(stage.plays)) == ("down", 1)


def test_R22_what_an_older_child_says_counts_for_nothing():
    stage = Stage()
    stage.ask()
    old = stage.plays[0]
    old.process.deaf = True
    old.process.say(BANNER + REGISTERED)
    old.prover.found()
    stage.clock.advance(25)
    assert (stage.state, len(stage.plays)) == ("starting", 2)
    before = list(stage.told)
    stage.supervisor.registered(old.attempt)
    stage.supervisor.proven(old.attempt)
    stage.supervisor.over(old.attempt, Cause.LOST, errors.TunnelLost())
    old.process.say(BANNER + REGISTERED)
    old.process.end(1)
    assert (stage.state, stage.told) == ("starting", before)
    assert stage.supervisor.current is stage.plays[1].attempt


def test_R21_cloudflare_limits_us_and_who_asks_is_told_so():
    stage = Stage()
    stage.ask()
    stage.die('x status_code="429 Too Many Requests"\n')
    assert stage.state == "resting"
    stage.ask()
    assert stage.told == [errors.RateLimited, errors.RateLimited]
    stage.clock.advance(59)
    assert len(stage.plays) == 1
    stage.clock.advance(1)
    assert len(stage.plays) == 2


PAUSED = {
    errors.RateLimited: 'x status_code="429 Too Many Requests"\n',
    errors.LinkServiceDown: 'x status_code="500 x"\n',
    errors.TunnelCrashed: "something new\n",
}


@pytest.mark.parametrize(
    ("error", "failures", "told"),
    [
        (errors.RateLimited, 1, True),  # nothing for 60 s
        (errors.LinkServiceDown, 1, False),  # again after 2 s
        (errors.LinkServiceDown, 3, False),  # after 2, 4 and 8 s
        (errors.TunnelCrashed, 4, False),  # after 1, 2, 4 and 8 s
        (errors.TunnelCrashed, 5, True),  # no sixth start within five minutes
    ],
)
def test_who_waits_is_told_at_once_when_nothing_more_is_tried_in_their_time(error: type, failures: int, told: bool):
    stage = Stage()
    stage.ask()
    for _ in range(failures - 1):
        stage.die(PAUSED[error])
        while stage.state != "starting":
            stage.clock.advance(0.5)
    before = stage.clock.seconds()
    stage.die(PAUSED[error])
    assert (stage.state, stage.told, stage.clock.seconds()) == ("resting", [error] if told else [], before)
    stage.clock.advance(LIMITS.answer)
    assert stage.told == [error if told else errors.NotConnected]  # one more child was tried, and says nothing


def test_a_pause_that_ends_with_the_callers_time_is_no_use_to_them():
    stage = Stage()
    stage.ask()
    stage.clock.advance(16.9)  # of the 20 s of the first caller
    stage.die("something new\n")
    assert stage.told == []
    stage.clock.advance(1)
    stage.die("something new\n")  # a pause of 2 s, and 2.1 s are left
    assert stage.told == []
    stage.clock.advance(2)
    stage.die("something new\n")  # a pause of 4 s
    assert stage.told == [errors.TunnelCrashed]
    stage.ask()  # with 20 s of their own
    assert stage.told == [errors.TunnelCrashed]


def test_who_asks_during_a_pause_longer_than_their_time_is_told_at_once():
    stage = Stage()
    stage.supervisor._backoff._failures[Cause.CRASHED] = 5  # the next pause is 30 s
    stage.ask()
    stage.die("panic: x\n", 2)
    assert stage.told == [errors.TunnelCrashed]
    stage.ask()
    assert stage.told == [errors.TunnelCrashed] * 2
    stage.clock.advance(11)
    stage.ask()
    assert stage.told == [errors.TunnelCrashed] * 2


@pytest.mark.parametrize(("said", "error"), [("", errors.NotConnected), (REGISTERED, errors.NotVisible)])
def test_twenty_seconds_after_the_childs_start_who_waits_is_told_how_far_it_has_come(said: str, error: type):
    stage = Stage()
    stage.ask()
    stage.clock.advance(10)
    stage.plays[0].process.say(BANNER + said)
    late = stage.ask()
    stage.clock.advance(9.9)
    assert (stage.told, late.called) == ([], False)
    stage.clock.advance(0.1)
    assert stage.told == [error] * 2
    stage.ask()  # the time of this child is over
    assert stage.told == [error] * 3
    assert stage.state == ("proving" if said else "starting")


def test_R21_the_service_is_down_and_is_tried_three_times_more():
    stage = Stage()
    stage.ask()
    for pause in (2, 4, 8):
        stage.die('x status_code="500 x"\n')
        stage.clock.advance(pause - 0.1)
        assert stage.state == "resting"
        stage.clock.advance(0.1)
        assert stage.state == "starting"
    stage.die('x status_code="500 x"\n')
    assert stage.state == "down"
    assert stage.told[-1] is errors.LinkServiceDown
    assert len(stage.plays) == 4


def test_R21_no_dns_is_not_tried_again_until_somebody_asks():
    stage = Stage()
    stage.ask()
    stage.die('failed to request quick Tunnel: Post "x": dial tcp: lookup x: no such host\n')
    assert (stage.state, stage.told[-1]) == ("down", errors.NoDns)
    stage.ask()
    assert stage.state == "starting"


def test_R21_our_own_fault_is_said_again_and_again():
    stage = Stage()
    stage.ask()
    stage.die("", 0)
    assert stage.told[-1] is errors.StartFailed
    for _ in range(3):
        stage.ask()
    assert stage.told == [errors.StartFailed] * 4
    assert len(stage.plays) == 1


def test_R21_crashes_come_slower_and_slower_and_never_more_than_five_in_five_minutes():
    stage = Stage()
    stage.ask()
    starts = []
    for _ in range(3000):
        if stage.state == "starting":
            starts.append(stage.clock.seconds())
            stage.die()
        stage.clock.advance(0.5)
    assert [round(start) for start in starts[:5]] == [0, 1, 3, 7, 15]
    assert all(later - first >= STARTS_SECONDS for first, later in zip(starts, starts[MOST_STARTS:], strict=False))
    assert len(starts) > MOST_STARTS


def test_R20_a_phase_that_takes_too_long_is_tried_once_more():
    stage = Stage()
    stage.ask()
    for _ in range(60):
        stage.clock.advance(1)
    assert len(stage.plays) == 2
    assert isinstance(stage.supervisor.error, errors.NeverWorked)
    assert stage.state == "down"


@pytest.mark.parametrize("reason", [errors.NoRelease(system="Plan 9", machine="x"), errors.DownloadFailed(reason="x")])
def test_where_no_program_is_found_its_sentence_is_told(reason: errors.TunnelUnavailable):
    stage = Stage()
    stage.at_once = False
    stage.ask()
    assert stage.state == "finding"
    stage.ask()
    stage.finds[0].errback(reason)
    assert (stage.state, stage.told, len(stage.finds)) == ("down", [type(reason)] * 2, 1)
    stage.ask()
    assert stage.state == "finding"
    stage.finds[1].callback("/x")
    assert stage.state == "starting"


def test_a_fault_while_looking_is_logged_and_told(logged_failures: list[Any]):
    stage = Stage()
    stage.at_once = False
    stage.ask()
    stage.finds[0].errback(ZeroDivisionError())
    assert stage.told == [errors.TunnelUnavailable]
    assert logged_failures.pop().check(ZeroDivisionError)


def test_where_no_process_can_be_made_its_reason_is_told():
    stage = Stage()
    stage.refuses = OSError(11, "Resource temporarily unavailable")
    stage.ask()
    stage.clock.advance(0)
    assert (stage.state, stage.told) == ("down", [errors.CannotRun])
    assert "Resource temporarily unavailable" in str(stage.supervisor.error)


def test_a_fault_at_the_start_is_logged_and_told(logged_failures: list[Any]):
    stage = Stage()
    stage.refuses = ValueError("embedded null byte")
    stage.ask()
    stage.clock.advance(0)
    assert (stage.state, stage.told) == ("down", [errors.CannotRun])
    assert logged_failures.pop().check(ValueError)


@pytest.mark.parametrize("at", ["finding", "starting", "proving", "up", "resting", "down"])
def test_R24_stopping_ends_whatever_is_under_way_and_waits_for_it(at: str):
    stage = Stage()
    stage.at_once = at != "finding"
    if at != "down":
        stage.ask()
    if at in ("proving", "up"):
        stage.plays[0].process.say(BANNER + REGISTERED)
    if at == "up":
        stage.plays[0].prover.succeed()
    if at == "resting":
        stage.die()
    assert stage.state == at
    for play in stage.plays:
        play.process.deaf = True
    if stage.finds:
        stage.finds[0].addErrback(lambda failure: failure.trap(CancelledError))
    gone = stage.supervisor.stop()
    assert stage.state == "stopped"
    if at != "down":
        assert stage.told[-1] == ("withdrawn" if at == "up" else errors.TunnelStopped)
    assert gone.called == (at in ("down", "finding", "resting"))
    for play in stage.plays:
        assert "TERM" in play.process.signals
        play.process.end(0)
    assert gone.called
    assert stage.clock.getDelayedCalls() == []
    assert stage.supervisor.stop().called
    stage.ask()
    assert stage.told[-1] is errors.TunnelStopped


def test_R24_stopping_waits_for_older_children_too():
    stage = Stage()
    stage.ask()
    stage.plays[0].process.deaf = True
    stage.clock.advance(17)
    assert len(stage.plays) == 2
    gone = stage.supervisor.stop()
    assert not gone.called
    stage.plays[0].process.end(0)
    assert gone.called


def test_kill_now_kills_every_child_that_may_still_run():
    stage = Stage()
    stage.ask()
    stage.plays[0].process.deaf = True
    stage.clock.advance(17)
    stage.plays[1].process.deaf = True
    stage.supervisor.kill_now()
    assert ["KILL" in play.process.signals for play in stage.plays] == [True, True]
    stage.clock.advance(60)
    assert (stage.state, len(stage.plays)) == ("stopped", 2)


def test_who_hears_the_news_may_stop_or_ask_at_once():
    class Eager(Stage):
        def observe(self, origin: str) -> None:
            super().observe(origin)
            if origin:
                self.supervisor.stop()
            else:
                self.ask()

    stage = Eager()
    stage.ask()
    stage.plays[0].go_up()
    assert stage.state == "stopped"
    assert stage.told == [f"at https://{HOST}", "withdrawn", errors.TunnelStopped, errors.TunnelStopped]


def test_news_are_told_when_a_step_is_done_even_if_somebody_asks_in_the_middle_of_it():
    stopped: list[str] = []

    class Eager(Stage):
        def observe(self, origin: str) -> None:
            if not origin:
                self.supervisor.stop()
                stopped.append(self.state)

    stage = Eager()
    stage.ask()
    stage.plays[0].go_up()
    stage.hear = lambda sentence: stage.ask()
    stage.die()
    assert stopped == ["stopped"]


class AnyOrder(RuleBasedStateMachine):
    """Whatever happens in whatever order: never two children that count, never a crash, never news from the dead."""

    @initialize()
    def begin(self) -> None:
        self.stage = Stage()
        self.stage.at_once = False

    @rule()
    def ask(self) -> None:
        self.stage.ask()

    @rule(seconds=st.sampled_from([0.0, 0.5, 2.0, 10.0, 30.0, 100.0]))
    def pass_time(self, seconds: float) -> None:
        self.stage.clock.advance(seconds)

    @rule(wanted=st.booleans())
    def want(self, wanted: bool) -> None:
        self.stage.is_wanted = wanted

    @precondition(lambda self: any(not find.called for find in self.stage.finds))
    @rule(good=st.booleans())
    def find(self, good: bool) -> None:
        finding = next(find for find in self.stage.finds if not find.called)
        if good:
            finding.callback("/usr/bin/cloudflared")
        else:
            finding.errback(errors.NoRelease(system="x", machine="y"))

    @precondition(lambda self: self.stage.plays)
    @rule(data=st.data(), words=st.sampled_from([BANNER, METRICS, REGISTERED, 'x status_code="429 "\n', "x\n", ""]))
    def say(self, data: st.DataObject, words: str) -> None:
        data.draw(st.sampled_from(self.stage.plays)).process.say(words)

    @precondition(lambda self: self.stage.plays)
    @rule(data=st.data(), code=st.sampled_from([0, 1, 2]))
    def end(self, data: st.DataObject, code: int) -> None:
        data.draw(st.sampled_from(self.stage.plays)).process.end(code)

    @precondition(lambda self: self.stage.plays)
    @rule(data=st.data(), good=st.booleans())
    def prove(self, data: st.DataObject, good: bool) -> None:
        play = data.draw(st.sampled_from(self.stage.plays))
        if play.prover.asked and not play.prover._proving.called:
            if good:
                play.prover.succeed()
            else:
                play.prover.fail(errors.ForeignPage())

    @precondition(lambda self: self.stage.plays)
    @rule(data=st.data(), deaf=st.booleans())
    def deafen(self, data: st.DataObject, deaf: bool) -> None:
        data.draw(st.sampled_from(self.stage.plays)).process.deaf = deaf

    @rule()
    def stop(self) -> None:
        for finding in self.stage.finds:
            if not finding.called:
                finding.addErrback(lambda failure: failure.trap(CancelledError))
        self.stage.supervisor.stop()

    @invariant()
    def one_at_most(self) -> None:
        if not hasattr(self, "stage"):
            return
        supervisor = self.stage.supervisor
        running = supervisor.state in ("starting", "proving", "up")
        assert (supervisor.current is not None) == running
        living = [play for play in self.stage.plays if play.process._end is None and not play.process.signals]
        assert len(living) <= 1
        if supervisor.host:
            assert running

    @invariant()
    def news_is_in_order(self) -> None:
        """Withdrawn only what was handed out, and nothing handed out while it is not up."""
        if not hasattr(self, "stage"):
            return
        handed_out = False
        for word in self.stage.told:
            if word == "withdrawn":
                assert handed_out
                handed_out = False
            elif word == f"at https://{HOST}":
                assert not handed_out
                handed_out = True
            elif word == f"https://{HOST}":
                assert handed_out
        assert handed_out == (self.stage.state == "up")

    def teardown(self) -> None:
        if not hasattr(self, "stage"):
            return
        self.stop()
        for play in self.stage.plays:
            play.process.end(0)
        assert self.stage.clock.getDelayedCalls() == []


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
