"""A child and its group: started, drained, ended, and the end waited for. Real processes, real signals."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.task import Clock, deferLater

from offprompt.children.process import DRAIN, GRACE, ExitStatus, Leashed
from tests.tunnel.world import alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups there")

PYTHON = os.path.realpath(sys.executable)


class Heard(list[tuple[int, bytes]]):
    """What a child said."""

    def __call__(self, descriptor: int, data: bytes) -> None:
        self.append((descriptor, data))

    def on(self, descriptor: int) -> bytes:
        return b"".join(data for each, data in self if each == descriptor)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def process(heard: Heard) -> Iterator[Leashed]:
    from twisted.internet import reactor

    made = Leashed(reactor, heard)
    yield made
    made.kill_now()
    pytest_twisted.blockon(made.when_ended()) if made._pid else None


def start(process: Leashed, folder: Path, code: str) -> None:
    process.start([PYTHON, "-I", "-S", "-c", code], {"PATH": "/usr/bin:/bin", "GIVEN": "yes"}, str(folder))


async def until_said(heard: Heard, words: bytes) -> None:
    from twisted.internet import reactor

    for _ in range(1000):
        if words in heard.on(1):
            return
        await deferLater(reactor, 0.01)
    raise AssertionError(heard)


async def until_gone(pid: int) -> None:
    from twisted.internet import reactor

    for _ in range(2000):
        if not alive(pid):
            return
        await deferLater(reactor, 0.01)
    raise AssertionError(f"{pid} lives")


@pytest_twisted.ensureDeferred
async def test_R3_R4_it_has_its_environment_and_both_outputs_are_heard(process: Leashed, heard: Heard, tmp_path: Path):
    code = "import os, sys; print(sorted(set(os.environ) - {'LC_CTYPE'}), os.isatty(2)); print('bad', file=sys.stderr)"
    start(process, tmp_path, code)
    assert await process.when_ended() == ExitStatus(0, None)
    assert heard.on(1) == b"['GIVEN', 'PATH'] False\n"
    assert heard.on(2) == b"bad\n"
    assert await process.when_ended() == ExitStatus(0, None)  # whoever asks later


@pytest_twisted.ensureDeferred
async def test_R10_seven_megabytes_do_not_stop_it(process: Leashed, tmp_path: Path):
    from twisted.internet import reactor

    count = 0

    def hear(descriptor: int, data: bytes) -> None:
        nonlocal count
        count += len(data)

    loud = Leashed(reactor, hear)
    start(loud, tmp_path, "import sys\nfor _ in range(700): sys.stderr.write('x' * 9_999 + '\\n')")
    assert await loud.when_ended() == ExitStatus(0, None)
    assert count == 7_000_000


@pytest_twisted.ensureDeferred
async def test_R23_it_is_asked_to_end_first(process: Leashed, heard: Heard, tmp_path: Path):
    code = (
        "import signal, sys, time\n"
        "def bye(*_): import os; os.write(1, b'bye\\n'); os._exit(0)\n"
        "signal.signal(signal.SIGTERM, bye); print('up', flush=True); time.sleep(60)"
    )
    start(process, tmp_path, code)
    await until_said(heard, b"up")
    assert await process.stop() == ExitStatus(0, None)
    assert heard.on(1) == b"up\nbye\n"


DEAF = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


class Slowed(Clock):
    """A reactor with real processes whose time passes only when told."""

    def spawnProcess(self, *how: Any, **more: Any) -> Any:
        from twisted.internet import reactor

        return reactor.spawnProcess(*how, **more)


@pytest_twisted.ensureDeferred
async def test_R23_what_ignores_that_is_killed_after_three_seconds_and_no_sooner(heard: Heard, tmp_path: Path):
    clock = Slowed()
    process = Leashed(clock, heard)
    start(process, tmp_path, DEAF)
    await until_said(heard, b"up")
    ended = process.stop()
    clock.advance(GRACE - 0.01)
    assert alive(process.pid)
    clock.advance(0.01)
    assert await ended == ExitStatus(None, signal.SIGKILL)
    assert GRACE + DRAIN < 4, "a service has to stop in 4 s"


@pytest_twisted.ensureDeferred
async def test_R23_stopping_again_or_after_its_end_is_fine(process: Leashed, tmp_path: Path):
    start(process, tmp_path, "import time; time.sleep(60)")
    first, second = process.stop(), process.stop()
    assert await first == await second == ExitStatus(None, signal.SIGTERM)
    assert await process.stop() == ExitStatus(None, signal.SIGTERM)
    process.kill_now()


@pytest_twisted.ensureDeferred
async def test_R23_stopping_in_the_very_moment_of_its_start_works(process: Leashed, tmp_path: Path):
    mark = tmp_path / "mark"
    start(process, tmp_path, f"open({str(mark)!r}, 'w').close(); import time; time.sleep(60)")
    await process.stop()
    assert not mark.exists()


@pytest_twisted.ensureDeferred
async def test_what_it_has_started_ends_with_it(process: Leashed, heard: Heard, tmp_path: Path):
    """A shim that dies of TERM and leaves the real program behind, holding its pipes."""

    code = (
        "import subprocess, time, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import signal, time; signal.signal(15, signal.SIG_IGN);"
        ' print("deaf", flush=True); time.sleep(60)\'])\n'
        "print('child', child.pid, flush=True); time.sleep(60)"
    )
    start(process, tmp_path, code)
    await until_said(heard, b"child")
    await until_said(heard, b"deaf")
    child = int(heard.on(1).split(b"child ")[1].split()[0])
    assert alive(child)
    await process.stop()
    await until_gone(child)  # it is killed; that it is gone is the system's affair


@pytest_twisted.ensureDeferred
async def test_something_that_left_the_group_and_holds_its_pipes_does_not_hold_us_up(heard: Heard, tmp_path: Path):
    from twisted.internet import reactor

    clock = Slowed()
    process = Leashed(clock, heard)
    code = (
        "import subprocess, time, sys\n"
        "child = subprocess.Popen(['/bin/sleep', '60'], start_new_session=True)\n"
        "print('child', child.pid, flush=True); time.sleep(60)"
    )
    start(process, tmp_path, code)
    await until_said(heard, b"child")
    child = int(heard.on(1).split()[1])
    ended = process.stop()
    await until_gone(process.pid)
    for _ in range(20):  # killing what has just exited must not make it wait for ever
        process.kill_now()
        await deferLater(reactor, 0.005)
    try:
        assert not ended.called
        clock.advance(DRAIN)
        await ended
    finally:
        os.kill(child, signal.SIGKILL)


@pytest_twisted.ensureDeferred
async def test_kill_now_kills_the_group_before_it_returns(process: Leashed, heard: Heard, tmp_path: Path):
    start(process, tmp_path, DEAF)
    await until_said(heard, b"up")
    process.kill_now()
    assert await process.when_ended() == ExitStatus(None, signal.SIGKILL)


@pytest_twisted.ensureDeferred
async def test_who_no_longer_waits_for_the_end_is_forgotten(process: Leashed, tmp_path: Path):
    start(process, tmp_path, "import time; time.sleep(60)")
    impatient = process.when_ended()
    impatient.addErrback(lambda failure: None)
    impatient.cancel()
    await process.stop()
    assert impatient.result is None
