"""The wire is taken out of everybody's reach, and what is said on stderr never blocks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from offprompt.agent.wire import descriptors
from tests.agent.process import environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="moves POSIX descriptors")


def ran(body: str, stdin: bytes = b"said") -> subprocess.CompletedProcess[bytes]:
    """Runs `body` with the wire taken: `reading` and `writing` are its two ends."""
    imports = "import os\nfrom offprompt.agent.wire.descriptors import remark, take_wire\n"
    script = f"{imports}reading, writing = take_wire()\n{body}"
    return subprocess.run(
        [sys.executable, "-c", script], input=stdin, capture_output=True, env=environment(), timeout=20
    )


def test_F4_what_was_stdin_and_stdout_is_private():
    done = ran("""
assert reading > 2 and writing > 2
assert not os.get_inheritable(reading) and not os.get_inheritable(writing)
assert os.read(0, 10) == b""
os.write(1, b"stray")
print(" print", flush=True)
os.write(writing, os.read(reading, 10))
""")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"said", b"stray print\n")


def test_F4_the_wire_stays_in_blocking_mode():
    """Others may share the descriptions behind it: a terminal, a log."""
    done = ran("assert os.get_blocking(reading) and os.get_blocking(writing) and os.get_blocking(2)")
    assert done.returncode == 0, done.stderr


def test_F8_a_remark_is_one_line_of_at_most_a_kibibyte():
    done = ran('remark("é" * 5000)\nremark("short")')
    first, second = done.stderr.splitlines()
    assert len(first) == descriptors.MAX_REMARK - 1
    assert first.isascii()
    assert second == b"offprompt: short"


@pytest.fixture
def instead_of_stderr(monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """The ends of a pipe that remarks go to."""
    reading, writing = os.pipe()
    real_write = os.write
    monkeypatch.setattr(descriptors.os, "write", lambda fd, data: real_write(writing if fd == 2 else fd, data))
    monkeypatch.setattr(descriptors, "_is_ready", lambda fd, ready=descriptors._is_ready: ready(writing))
    return reading, writing


def test_F8_a_remark_that_would_block_is_dropped(instead_of_stderr: tuple[int, int]):
    reading, _ = instead_of_stderr
    for _ in range(200):
        descriptors.remark("x" * 2000)
    assert len(os.read(reading, 1 << 20)) <= 64 * 1024
    descriptors.remark("heard again")
    assert os.read(reading, 1 << 20).endswith(b"heard again\n")


def test_F8_a_remark_that_nobody_reads_is_dropped(instead_of_stderr: tuple[int, int]):
    reading, _ = instead_of_stderr
    os.close(reading)
    descriptors.remark("to nobody")
