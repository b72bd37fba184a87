"""One run of cloudflared: its phases, their limits, and every way in which it ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from twisted.python.failure import Failure

from offprompt import errors
from offprompt.tunnel.attempt import Phase
from offprompt.tunnel.causes import Cause
from offprompt.tunnel.proof import Verdict
from tests.tunnel.acting import BANNER, LIMITS, METRICS, REGISTERED, STAMP, Play
from tests.tunnel.scripted_cloudflared import HOST

BLOCKED = '2026-11-29T12:24:28Z ERR x error="failed to dial to edge with quic: timeout: no recent network activity"\n'


def test_R2_R3_it_gets_a_private_folder_with_one_file_and_little_environment():
    play = Play().start()
    folder = play.process.folder
    config = play.process.command[play.process.command.index("--config") + 1]
    assert os.path.dirname(config) == folder
    assert Path(config).read_text(encoding="ascii") == "no-autoupdate: true\n"
    assert os.stat(config).st_mode & 0o777 == 0o600
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert play.process.environ == {"PATH": "/bin", "HOME": folder, "TUNNEL_NO_PRECHECKS": "true"}
    play.attempt.stop()
    assert not os.path.exists(folder)


def test_it_goes_through_its_phases_and_says_so():
    play = Play().start()
    assert (play.attempt.phase, play.attempt.host) == (Phase.ASKING, "")
    play.process.say(BANNER)
    assert (play.attempt.phase, play.attempt.host) == (Phase.CONNECTING, HOST)
    assert play.told == []
    play.process.say(METRICS + REGISTERED)
    assert (play.attempt.phase, play.told) == (Phase.CHECKING, ["registered"])
    play.prover.succeed()
    assert (play.attempt.phase, play.told) == (Phase.UP, ["registered", "proven"])
    assert play.said == [
        "Asking Cloudflare for a link.",
        "Cloudflare made a link; connecting it.",
        "The link is connected; waiting until it can be reached.",
        "The link works.",
    ]
    play.attempt.stop()
    assert play.clock.getDelayedCalls() == []


def test_the_phases_that_it_has_passed_are_timed():
    play = Play().start()
    play.pass_time(1.5)
    play.process.say(BANNER)
    play.pass_time(2)
    assert play.attempt.passed == [(Phase.ASKING, 1.5)]
    play.process.say(REGISTERED)
    play.pass_time(3)
    play.prover.succeed()
    assert play.attempt.passed == [(Phase.ASKING, 1.5), (Phase.CONNECTING, 2.0), (Phase.CHECKING, 3.0)]
    play.attempt.stop()


def test_R13_nothing_asks_for_the_name_before_it_has_registered():
    play = Play().start()
    play.process.say(BANNER + METRICS)
    play.pass_time(5)
    assert play.prover.asked == []
    play.process.say(REGISTERED)
    assert play.prover.asked == [HOST]
    play.process.say(REGISTERED)
    assert play.prover.asked == [HOST]
    play.attempt.stop()


def test_R12_R13_where_its_words_are_others_it_is_asked():
    play = Play().start()
    play.process.say(METRICS)
    play.pass_time(3)
    assert play.attempt.phase is Phase.ASKING
    play.metrics.name = HOST
    play.pass_time(1)
    assert (play.attempt.phase, play.attempt.host) == (Phase.CONNECTING, HOST)
    play.metrics.is_ready = True
    play.pass_time(1)
    assert (play.attempt.phase, play.told) == (Phase.CHECKING, ["registered"])
    play.attempt.stop()
    assert play.clock.getDelayedCalls() == []


@pytest.mark.parametrize("said", ["", BANNER, BANNER + METRICS])
def test_R9_words_of_failure_end_nothing(said: str):
    play = Play().start()
    play.process.say(said + "2026-11-29T12:24:28Z ERR error failed FAIL panic\n" + BLOCKED)
    play.pass_time(10)
    assert play.told == []
    play.process.say(BANNER + REGISTERED)
    play.prover.succeed()
    assert play.told == ["registered", "proven"]
    play.attempt.stop()


@pytest.mark.parametrize(
    ("said", "seconds", "cause"),
    [
        ("", LIMITS.asking, Cause.STUCK),
        (BANNER, LIMITS.connecting, Cause.STUCK),
        (BANNER + BLOCKED, LIMITS.connecting, Cause.UDP_BLOCKED),
        (
            BANNER + 'T ERR Register tunnel error from server side error="x"\n',
            LIMITS.connecting,
            Cause.REFUSED_BY_EDGE,
        ),
        (BANNER + REGISTERED, LIMITS.invisible, Cause.INVISIBLE),
    ],
)
def test_R20_a_phase_that_takes_too_long_is_the_end(said: str, seconds: float, cause: Cause):
    play = Play().start()
    play.process.say(said)
    play.pass_time(seconds - 0.5)
    assert play.told in ([], ["registered"])
    play.pass_time(0.5)
    assert play.told[-1][0] is cause
    assert play.process.signals == ["TERM"]
    assert play.clock.getDelayedCalls() == []


def test_R20_a_name_that_is_visible_and_does_not_answer_has_less_time():
    play = Play().start()
    play.process.say(BANNER + REGISTERED)
    play.prover.found()
    play.pass_time(LIMITS.checking)
    assert play.told == ["registered", (Cause.STUCK, errors.NeverWorked)]


def test_R20_a_name_that_becomes_visible_late_may_still_be_proven():
    play = Play().start()
    play.process.say(BANNER + REGISTERED)
    play.pass_time(LIMITS.invisible - 1)
    play.prover.succeed()
    assert play.told == ["registered", "proven"]
    play.attempt.stop()


@pytest.mark.parametrize(
    ("said", "output", "code", "cause", "error"),
    [
        ("", "", 0, Cause.SILENT, errors.StartFailed),
        ("", "Incorrect Usage. flag provided but not defined: -x\n", 0, Cause.BAD_FLAGS, errors.StartFailed),
        ("", "a usage text of the year 2030\n", 0, Cause.BAD_FLAGS, errors.StartFailed),
        ("", "", 1, Cause.SILENT, errors.StartFailed),
        ("something new\n", "", 1, Cause.UNKNOWN, errors.TunnelCrashed),
        (
            "failed to parse quick Tunnel ID: invalid UUID length: 0\n",
            "",
            1,
            Cause.SERVICE_REFUSED,
            errors.LinkServiceDown,
        ),
        ("no newline at its end: error code: 1015", "", 1, Cause.RATE_LIMITED, errors.RateLimited),
        (BANNER, "", 1, Cause.UNKNOWN, errors.TunnelCrashed),
        (BANNER + "panic: x\n", "", 2, Cause.CRASHED, errors.TunnelCrashed),
        (BANNER + REGISTERED, "", 0, Cause.UNKNOWN, errors.TunnelCrashed),
        ("offprompt: cannot run /x: Exec format error\n", "", 126, Cause.CANNOT_RUN, errors.CannotRun),
    ],
)
def test_its_end_is_told_once_with_its_cause(said: str, output: str, code: int, cause: Cause, error: type):
    play = Play().start()
    play.process.say(output, 1)
    play.process.say(said)
    play.process.end(code)
    assert play.told[-1] == (cause, error)
    play.attempt.stop()
    assert len([word for word in play.told if isinstance(word, tuple)]) == 1
    assert not os.path.exists(play.process.folder)
    assert play.clock.getDelayedCalls() == []


def test_R18_one_that_was_up_and_dies_is_told_in_that_moment():
    play = Play().start().go_up()
    play.process.end(None, 9)
    assert play.told[-1] == (Cause.CRASHED, errors.TunnelCrashed)
    assert play.said[-1] == "The link has stopped working."


def test_R17_R18_one_that_is_dead_is_told_before_its_process_is_gone():
    play = Play().start().go_up()
    play.process.deaf = True
    play.prover.verdict = Verdict.NOT_YET
    play.pass_time(LIMITS.look_every + LIMITS.look_sooner)
    assert play.told[-1] == (Cause.LOST, errors.TunnelLost)
    gone = play.attempt.when_gone()
    assert not gone.called
    play.attempt.kill_now()
    assert gone.called


def test_R17_without_its_metrics_the_way_through_the_tunnel_is_looked_at():
    play = Play().start()
    play.process.say(BANNER + REGISTERED)
    play.prover.succeed()
    play.pass_time(LIMITS.look_every)
    assert play.prover.later == [HOST]
    play.attempt.stop()


@pytest.mark.parametrize("error", [errors.ForeignPage(), errors.Intercepted(owner="x")])
def test_R16_another_page_is_the_end(error: errors.TunnelUnavailable):
    play = Play().start()
    play.process.say(BANNER + REGISTERED)
    play.prover.fail(error)
    assert play.told == ["registered", (Cause.FOREIGN, type(error))]


def test_a_fault_of_our_own_is_logged_and_ends_it(logged_failures: list[Failure]):
    play = Play().start()
    play.process.say(BANNER + REGISTERED)
    play.prover.fail(ZeroDivisionError())
    assert play.told == ["registered", (Cause.LOST, errors.TunnelLost)]
    assert logged_failures.pop().check(ZeroDivisionError)


def test_a_fresh_proof_is_good_and_an_old_one_is_made_anew():
    play = Play().start().go_up()
    play.metrics.is_ready = True
    play.pass_time(LIMITS.fresh)
    play.attempt.refresh()
    assert play.told == ["registered", "proven", "proven"]
    assert play.prover.later == []
    play.pass_time(0.5)
    play.attempt.refresh()
    play.attempt.refresh()
    assert play.told == ["registered", "proven", "proven", "proven", "proven"]
    assert play.prover.later == [HOST]
    assert play.attempt.proven_at == play.clock.seconds()
    play.attempt.stop()


def test_a_proof_that_fails_is_tried_for_a_while_and_then_the_tunnel_is_lost():
    play = Play().start().go_up()
    play.metrics.is_ready = True
    play.pass_time(LIMITS.fresh + 1)
    play.prover.verdict = Verdict.NOT_YET
    play.attempt.refresh()
    play.attempt.refresh()
    play.pass_time(LIMITS.reproving - 1)
    assert play.told == ["registered", "proven"]
    play.pass_time(1)
    assert play.told[-1] == (Cause.LOST, errors.TunnelLost)
    assert play.clock.getDelayedCalls() == []


def test_a_proof_that_fails_once_is_no_loss():
    play = Play().start().go_up()
    play.metrics.is_ready = True
    play.pass_time(LIMITS.fresh + 1)
    play.prover.verdict = Verdict.NOT_YET
    play.attempt.refresh()
    play.prover.verdict = Verdict.PROVEN
    play.pass_time(1)
    assert play.told == ["registered", "proven", "proven"]
    play.attempt.stop()


@pytest.mark.parametrize(
    ("said", "found", "error"),
    [
        ("", False, errors.NotConnected),
        (BANNER, False, errors.NotConnected),
        (BANNER + BLOCKED, False, errors.PortBlocked),
        (f'{STAMP}status_code="429 Too Many Requests"\n', False, errors.NotConnected),
        (BANNER + REGISTERED, False, errors.NotVisible),
        (BANNER + REGISTERED, True, errors.NotAnswering),
    ],
)
def test_who_cannot_wait_longer_is_told_how_far_it_has_come(said: str, found: bool, error: type):
    play = Play().start()
    play.process.say(said)
    if found:
        play.prover.found()
    assert isinstance(play.attempt.late(), error)
    play.attempt.stop()


def test_where_no_process_can_be_made_nothing_is_left():
    play = Play()
    play.process.refuses = OSError(11, "Resource temporarily unavailable")
    with pytest.raises(OSError, match="temporarily"):
        play.start()
    assert play.attempt.when_gone().called
    assert play.clock.getDelayedCalls() == []
