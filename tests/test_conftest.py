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


def played(folder: Path, test: str, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest with our conftest.py and this one file of tests."""
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    (folder / "test_it.py").write_text(test, encoding="utf-8")
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
    env = {**os.environ, "OFFPROMPT_REQUIRE": "", **environ}
    return subprocess.run([*argv, str(folder)], cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def ended(run: subprocess.CompletedProcess[str]) -> str:
    return run.stdout.splitlines()[-1].split(" in ")[0]


@pytest.mark.parametrize(("require", "end"), [("", "1 skipped"), ("browser,agents", "1 failed")])
def test_a_required_test_that_would_be_skipped_fails(tmp_path: Path, require: str, end: str) -> None:
    """In CI a missing browser is a failure, not a quiet gap."""
    test = "import pytest\n@pytest.mark.browser\ndef test_page():\n    pytest.skip('no browser here')\n"
    assert ended(played(tmp_path, test, OFFPROMPT_REQUIRE=require)) == end


def test_a_deferred_error_that_nobody_handles_fails_its_test(tmp_path: Path) -> None:
    test = "from twisted.internet.defer import fail\ndef test_a():\n    fail(ValueError())\ndef test_b():\n    pass\n"
    run = played(tmp_path, test)
    assert ended(run) == "2 passed, 1 error"
    assert "ERROR test_it.py::test_a" in run.stdout


def test_one_that_outlives_its_test_fails_the_file(tmp_path: Path) -> None:
    """What has grown old before the test ends is not looked at until the file does."""
    test = """
import gc
from twisted.internet.defer import fail

def test_a():
    knot = [fail(ValueError())]
    knot.append(knot)
    gc.collect()

def test_b():
    pass
"""
    run = played(tmp_path, test)
    assert ended(run) == "2 passed, 1 error"
    assert "ERROR test_it.py::test_b" in run.stdout
    assert "an earlier test of this file left" in run.stdout


def test_a_call_that_is_left_over_fails_its_test(tmp_path: Path) -> None:
    test = "def test_a():\n    from twisted.internet import reactor\n    reactor.callLater(60, print)\n"
    run = played(tmp_path, test)
    assert ended(run) == "1 passed, 1 error"


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
        run = played(tmp_path, IGNORED, *workers)
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
    assert run.returncode == 0, run.stdout
