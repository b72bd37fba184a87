"""R21: what follows from a failure."""

from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.tunnel.backoff import HEALTHY_SECONDS, MOST_STARTS, STARTS_SECONDS, Backoff
from offprompt.tunnel.causes import Cause, sentence


def fail(backoff: Backoff, cause: Cause, now: float = 0.0, up_for: float = 0.0) -> float | None:
    return backoff.failed(cause, sentence(cause, ""), now, up_for)


@pytest.mark.parametrize(
    ("cause", "pauses"),
    [
        (Cause.RATE_LIMITED, [60, 120, 240, 480, 480]),
        (Cause.SERVICE_DOWN, [2, 4, 8, None]),
        (Cause.SERVICE_REFUSED, [2, 4, 8, None]),
        (Cause.SERVICE_GARBLED, [2, 4, 8, None]),
        (Cause.NO_DNS, [None]),
        (Cause.NO_NETWORK, [None]),
        (Cause.SERVICE_TIMEOUT, [None]),
        (Cause.INTERCEPTED, [None]),
        (Cause.NO_DNS_EDGE, [None]),
        (Cause.BAD_FLAGS, [None]),
        (Cause.BAD_CONFIG, [None]),
        (Cause.SILENT, [None]),
        (Cause.CANNOT_RUN, [None]),
        (Cause.STUCK, [0, None]),
        (Cause.UDP_BLOCKED, [0, None]),
        (Cause.REFUSED_BY_EDGE, [0, None]),
        (Cause.INVISIBLE, [None]),
        (Cause.FOREIGN, [None]),
        (Cause.CRASHED, [1, 2, 4, 8, 16, 30, 30]),
        (Cause.UNKNOWN, [1, 2, 4, 8, 16, 30, 30]),
        (Cause.LOST, [1, 2, 4, 8, 16, 30, 30]),
    ],
)
def test_R21_the_pauses_before_each_new_start(cause, pauses):
    backoff = Backoff()
    assert [fail(backoff, cause) for _ in pauses] == pauses


def test_R21_every_cause_has_a_rule():
    for cause in Cause:
        fail(Backoff(), cause)


def test_R21_a_minute_of_health_forgets_the_crashes_before():
    backoff = Backoff()
    assert [fail(backoff, Cause.CRASHED) for _ in range(3)] == [1, 2, 4]
    assert fail(backoff, Cause.CRASHED, up_for=HEALTHY_SECONDS - 1) == 8
    assert fail(backoff, Cause.CRASHED, up_for=HEALTHY_SECONDS) == 1


def test_R21_who_asks_while_cloudflare_limits_us_is_told_so_until_the_pause_is_over():
    backoff = Backoff()
    fail(backoff, Cause.RATE_LIMITED, now=100.0)
    assert isinstance(backoff.refusal(159.9), errors.RateLimited)
    assert backoff.refusal(160.0) is None
    fail(backoff, Cause.RATE_LIMITED, now=160.0)
    backoff.asked_anew()
    assert isinstance(backoff.refusal(279.9), errors.RateLimited)


@pytest.mark.parametrize("cause", [Cause.BAD_FLAGS, Cause.BAD_CONFIG, Cause.METRICS_PORT, Cause.SILENT])
def test_R21_our_own_fault_is_not_repeated_whoever_asks(cause):
    backoff = Backoff()
    assert fail(backoff, cause) is None
    assert isinstance(backoff.refusal(1e9), errors.StartFailed)


@pytest.mark.parametrize("cause", [Cause.NO_DNS, Cause.NO_NETWORK, Cause.STUCK, Cause.SERVICE_DOWN, Cause.CANNOT_RUN])
def test_R21_who_asks_anew_gets_a_new_start(cause):
    backoff = Backoff()
    while fail(backoff, cause) is not None:
        pass
    backoff.asked_anew()
    assert backoff.refusal(0.0) is None
    first = fail(Backoff(), cause)
    assert fail(backoff, cause) == first


def test_R21_five_starts_in_five_minutes_and_no_more():
    backoff = Backoff()
    for start in range(MOST_STARTS):
        assert backoff.refusal(start * 10.0) is None
        backoff.started(start * 10.0)
    refusal = backoff.refusal(50.0)
    assert isinstance(refusal, errors.TooManyStarts)
    assert "251 seconds" in str(refusal)
    assert fail(backoff, Cause.CRASHED, now=50.0) == STARTS_SECONDS - 50.0
    assert backoff.refusal(STARTS_SECONDS) is None
    backoff.started(STARTS_SECONDS)
    assert isinstance(backoff.refusal(STARTS_SECONDS + 9.9), errors.TooManyStarts)
    assert backoff.refusal(STARTS_SECONDS + 10.0) is None
