"""What holds for every test: logged failures, unhandled Deferred errors and left-over delayed calls fail it.

pytest-twisted alone lets all three pass. The reactor is imported inside the fixture, so that --reactor=… still works.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import hypothesis
import pytest
from twisted.internet.interfaces import IReactorTime
from twisted.logger import LogEvent, globalLogPublisher
from twisted.python.failure import Failure

# "fast" is what `make test` runs, "deep" what `make test-deep` does; HYPOTHESIS_PROFILE=night is for a night.
hypothesis.settings.register_profile("fast", deadline=None, max_examples=100)
hypothesis.settings.register_profile("deep", deadline=None, max_examples=1_000)
hypothesis.settings.register_profile("night", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


LONGEST_IN_A_NAME = 40
"""Characters of a parameter in the name of its test."""


def required() -> frozenset[str]:
    """The markers whose tests may not be skipped in this run: OFFPROMPT_REQUIRE=browser,agents."""
    return frozenset(filter(None, os.environ.get("OFFPROMPT_REQUIRE", "").split(",")))


def _nothing(number: int, frame: FrameType | None) -> None:
    """Take a signal without a word. Unlike SIG_IGN this is not inherited: a program that we start has the default."""


def pytest_configure(config: pytest.Config) -> None:
    """What the tests start has no signal ignored, though we may: a shell in the background and nohup see to that.

    A worker of pytest-xdist ends when the run that it works for does, so it may outlive a hang-up as that one does.
    """
    for name, usual in (("SIGINT", signal.default_int_handler), ("SIGQUIT", signal.SIG_DFL), ("SIGHUP", _nothing)):
        number = getattr(signal, name, None)
        is_worker = name == "SIGHUP" and hasattr(config, "workerinput")
        if number is not None and (is_worker or signal.getsignal(number) == signal.SIG_IGN):
            signal.signal(number, usual)


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Name a long value after its argument: workers must agree on names, and an archive made here holds the time."""
    return argname if isinstance(val, str | bytes) and len(val) > LONGEST_IN_A_NAME else None


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was imported so far stays: the collections after each test need not look at it."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A test that this run requires fails where it would have been skipped."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        missing = required() & {marker.name for marker in item.iter_markers()}
        if missing:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            report.outcome = "failed"
            report.longrepr = f"OFFPROMPT_REQUIRE={','.join(sorted(missing))} forbids this skip: {reason}"
    return report


@contextmanager
def _failures() -> Iterator[list[Failure]]:
    """Within, every failure that is logged lands in the list."""
    seen: list[Failure] = []

    def observe(event: LogEvent) -> None:
        failure = event.get("log_failure")
        if failure is not None:
            seen.append(failure)

    globalLogPublisher.addObserver(observe)
    try:
        yield seen
    finally:
        globalLogPublisher.removeObserver(observe)


@pytest.fixture(autouse=True, scope="module")
def failures_left_to_the_module() -> Iterator[None]:
    """An unhandled Deferred error is logged when it is collected; one that outlived its test fails the last one."""
    yield
    with _failures() as seen:
        gc.collect()
    assert not seen, f"an earlier test of this file left: {seen}"


@pytest.fixture(autouse=True)
def logged_failures() -> Iterator[list[Failure]]:
    """The failures logged during the test: a test that expects some empties the list."""
    from twisted.internet import reactor

    assert IReactorTime.providedBy(reactor)
    with _failures() as seen:
        before = set(reactor.getDelayedCalls())
        yield seen
        gc.collect(1)  # what is young: a full collection takes 5 ms, and there are thousands of tests
    left = [call for call in reactor.getDelayedCalls() if call not in before and call.active()]
    for call in left:
        call.cancel()
    assert not seen, seen
    assert not left, left
