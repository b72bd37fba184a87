"""R25: what runs on the leash ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from offprompt.children.leash import CANNOT_RUN, remembers
from offprompt.children.process import LEASH
from tests.tunnel.world import alive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups there")

PYTHON = os.path.realpath(sys.executable)
LEASHED = [sys.executable, "-I", "-S", LEASH]
KINDS = ["program", "script"]
"""A program becomes the leashed process itself (on Linux), a script is guarded."""


def command(kind: str, folder: Path, code: str) -> list[str]:
    """A command that runs Python `code`, as a program or as a script."""
    if kind == "program":
        return [PYTHON, "-I", "-S", "-c", code]
    script = folder / "script"
    script.write_text(f"#!{PYTHON} -IS\n{code}\n")
    script.chmod(0o755)
    return [str(script)]


def run(kind: str, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    return run_command(command(kind, folder, code), folder)


def run_command(program: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    leashed = [*LEASHED, str(os.getpid()), str(folder), *program]
    # stdin is a pipe that stays open until the process has ended.
    with subprocess.Popen(leashed, stdin=-1, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, err = process.stdout.read(), process.stderr.read()
        process.wait(20)
    return subprocess.CompletedProcess(leashed, process.returncode, out, err)


def wait_until_gone(pids: list[int]) -> list[int]:
    """Return those of `pids` that are still there after a time that is long on any machine; usually it takes 20 ms."""
    end = time.monotonic() + 20.0
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.01)
    return [pid for pid in pids if alive(pid)]


@pytest.mark.parametrize("kind", KINDS)
def test_R4_it_has_no_input_its_folder_and_a_session_of_its_own(kind: str, tmp_path: Path):
    code = "import os, sys; print(sys.stdin.read() == '', os.getcwd(), os.getsid(0), os.getpgid(0), os.getpid())"
    ended = run(kind, tmp_path, code)
    assert (ended.returncode, ended.stderr) == (0, "")
    nothing, folder, session, group, pid = ended.stdout.split()
    assert (nothing, folder) == ("True", str(tmp_path))
    assert session == group
    assert int(session) != os.getsid(0)
    assert (pid == group) == (kind == "program" and sys.platform == "linux")


@pytest.mark.parametrize("kind", KINDS)
def test_how_it_ended_is_how_the_leash_ends(kind: str, tmp_path: Path):
    assert run(kind, tmp_path, "raise SystemExit(11)").returncode == 11
    died = run(kind, tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert died.returncode == -signal.SIGSEGV


LIBC_SIGNALS = 1 << 31 | 1 << 32
"""32 and 33 are the C library's own: GNU make's children have them ignored, and no program can change that."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("kind", KINDS)
def test_no_signal_is_ignored_in_it(kind: str, tmp_path: Path):
    shell = tmp_path / "shell"
    shell.write_text("#!/bin/sh\ngrep SigIgn /proc/self/status\n")
    shell.chmod(0o755)
    program = [str(shell)] if kind == "script" else ["/bin/sh", str(shell)]
    label, ignored = run_command(program, tmp_path).stdout.split()
    assert label == "SigIgn:"
    assert int(ignored, 16) & ~LIBC_SIGNALS == 0


@pytest.mark.skipif(sys.platform != "linux", reason="there is a guard for everything elsewhere")
def test_R25_a_program_that_would_forget_its_parent_is_guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    plain, others = tmp_path / "plain", tmp_path / "others"
    for program in (plain, others):
        shutil.copy("/bin/sleep", program)
        program.chmod(0o755)
    others.chmod(0o4755)
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert [remembers(str(program)) for program in (plain, others, script)] == [True, False, False]

    def unreadable(*arguments: object) -> None:
        raise PermissionError

    monkeypatch.setattr("builtins.open", unreadable)
    assert not remembers(str(plain))


def test_what_cannot_be_run_says_why(tmp_path: Path):
    no_program = tmp_path / "no-program"
    no_program.write_bytes(b"\x7fELF and then nothing")
    for program, reason in ((tmp_path / "missing", "No such file"), (tmp_path, "directory"), (no_program, "denied")):
        ended = subprocess.run(
            [*LEASHED, str(os.getpid()), str(tmp_path), str(program)],
            stdin=-1,
            capture_output=True,
            text=True,
            timeout=20,
        )
        assert ended.returncode == CANNOT_RUN
        assert ended.stderr.startswith(f"offprompt: cannot run {program}: ")
        assert reason in ended.stderr
    no_program.chmod(0o755)
    ended = subprocess.run(
        [*LEASHED, str(os.getpid()), str(tmp_path), str(no_program)],
        stdin=-1,
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert "Exec format error" in ended.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the guard's pipe does this")
def test_a_parent_that_is_gone_already_is_noticed(tmp_path: Path):
    ended = subprocess.run([*LEASHED, "1", str(tmp_path), "/bin/sleep", "60"], stdin=-1, timeout=20)
    assert ended.returncode == -signal.SIGKILL


PARENT = """
import os, subprocess, sys, time
leash, folder, *command = sys.argv[1:]
child = subprocess.Popen([sys.executable, "-I", "-S", leash, str(os.getpid()), folder, *command], stdin=subprocess.PIPE)
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_R25_when_its_parent_is_killed_it_is_gone(kind: str, tmp_path: Path):
    """A script's own child too: a shim need not exec the real program."""
    code = (
        "import os, signal, subprocess, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen(['/bin/sleep', '60']) if 'script' in sys.argv[0] else None\n"
        "print(os.getpid(), child.pid if child else os.getpid(), flush=True)\n"
        "time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, LEASH, str(tmp_path), *command(kind, tmp_path, code)], stdout=-1, text=True
    )
    try:
        assert parent.stdout is not None
        pids = [int(pid) for pid in (parent.stdout.readline() + parent.stdout.readline()).split()]
        assert len(pids) == 3
        assert all(map(alive, pids))
        parent.kill()
        parent.wait()
        assert wait_until_gone(pids) == []
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", KINDS)
def test_R25_a_parent_killed_during_the_start_leaves_nothing(kind: str, tmp_path: Path):
    for pause in (0.0, 0.002, 0.01, 0.02, 0.04, 0.08):
        mark = tmp_path / f"mark-{pause}"
        code = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, LEASH, str(tmp_path), *command(kind, tmp_path, code)], stdout=-1, text=True
        )
        assert parent.stdout is not None
        leashed = int(parent.stdout.readline())
        time.sleep(pause)
        parent.kill()
        parent.wait()
        parent.stdout.close()
        assert wait_until_gone([leashed]) == []
        time.sleep(0.1)
        started = [int(mark.read_text())] if mark.exists() and mark.read_text() else []
        assert wait_until_gone(started) == []
