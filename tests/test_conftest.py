"""What tests/conftest.py promises: runs of pytest with it in which something goes wrong, or which start oddly."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def played(folder: Path, *options: str, require: str = "", **files: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest with our conftest.py and these files of tests."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    for name, text in files.items():
        (folder / f"test_{name}.py").write_text(text, encoding="utf-8")
    argv = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(folder),
        *options,
    ]
    env = {**os.environ, "OFFPROMPT_REQUIRE": require}
    return subprocess.run([*argv, str(folder)], cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def ended(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout.splitlines()[-1].split(" in ")[0]


SKIPPED = "import pytest\n@pytest.mark.browser\ndef test_page():\n    pytest.skip('no browser here')\n"

UNHANDLED = """
from twisted.internet.defer import fail

def test_a():
    fail(ValueError())

def test_b():
    pass
"""

GROWN_OLD = """
import gc
from twisted.internet.defer import fail

def test_a():
    knot = [fail(ValueError())]
    knot.append(knot)
    gc.collect()

def test_b():
    pass
"""

LEFT_OVER = """
def test_a():
    from twisted.internet import reactor
    reactor.callLater(60, print)
"""


def test_what_no_assertion_sees_fails_its_test_and_what_shows_late_fails_the_file(tmp_path: Path) -> None:
    """What has grown old before a test ends is not looked at until its file does."""
    run = played(tmp_path, skipped=SKIPPED, unhandled=UNHANDLED, grown_old=GROWN_OLD, left_over=LEFT_OVER)
    assert ended(run) == "5 passed, 1 skipped, 3 errors"
    wrong = ("test_unhandled.py::test_a", "test_grown_old.py::test_b", "test_left_over.py::test_a")
    assert [name for name in wrong if f"ERROR {name}" not in run.stdout] == []
    assert "an earlier test of this file left" in run.stdout


def test_a_required_test_that_would_be_skipped_fails(tmp_path: Path) -> None:
    """In CI a missing browser is a failure, not a quiet gap."""
    assert ended(played(tmp_path, skipped=SKIPPED, require="browser,agents")) == "1 failed"


IGNORED = """
import os, signal, subprocess, sys

def test_what_is_started_ignores_nothing():
    status = subprocess.check_output(["cat", "/proc/self/status"], text=True)
    ignored = int(status.partition("SigIgn:")[2].split()[0], 16)
    names = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
    assert [name for name in names if ignored >> (name - 1) & 1] == []

def test_a_hang_up_does_not_end_the_run():
    os.kill(os.getpid(), signal.SIGHUP)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_in_the_background_and_under_nohup_tests_run_as_in_front(tmp_path: Path, workers: tuple[str, ...]) -> None:
    names = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
    before = {name: signal.signal(name, signal.SIG_IGN) for name in names}
    try:
        run = played(tmp_path, *workers, ignored=IGNORED)
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
    assert run.returncode == 0, run.stdout
