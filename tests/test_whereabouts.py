"""Where offprompt thinks it runs: the whole table, and the parent that is asked where the environment is silent."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from offprompt.whereabouts import MAX_ENVIRONMENT, NAMES, Place, decide, parent_environment, read, silent

VALUES = {
    "CLAUDE_CODE_REMOTE": (None, "", "false", "true"),
    "SSH_CONNECTION": (None, "", "192.0.2.1 50000 192.0.2.2 22"),
    "CODESPACES": (None, "", "false", "true"),
    "DISPLAY": (None, "", ":0"),
    "WAYLAND_DISPLAY": (None, "", "wayland-0"),
}
PLATFORMS = ("linux", "darwin", "win32", "cygwin", "freebsd14")


def expected(platform: str, environ: Mapping[str, str]) -> tuple[Place, str]:
    """The table in the order it is told, with the variable that the reason must name."""
    if environ.get("CLAUDE_CODE_REMOTE") == "true":
        return Place.AWAY, "CLAUDE_CODE_REMOTE"
    if environ.get("SSH_CONNECTION", "") != "":
        return Place.AWAY, "SSH_CONNECTION"
    if environ.get("CODESPACES") == "true":
        return Place.AWAY, "CODESPACES"
    if platform == "darwin":
        return Place.HERE, "macOS"
    if platform in ("win32", "cygwin"):
        return Place.HERE, "Windows"
    if environ.get("DISPLAY", "") != "":
        return Place.UNCLEAR, "DISPLAY is set"
    if environ.get("WAYLAND_DISPLAY", "") != "":
        return Place.UNCLEAR, "WAYLAND_DISPLAY is set"
    return Place.AWAY, "Neither DISPLAY nor WAYLAND_DISPLAY"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_combination_of_system_and_variables_has_its_place_and_reason(platform: str) -> None:
    seen = set()
    for values in itertools.product(*VALUES.values()):
        environ = {name: value for name, value in zip(VALUES, values, strict=True) if value is not None}
        found = decide(platform, environ)
        place, word = expected(platform, environ)
        assert found.place is place, environ
        assert word in found.reason, environ
        assert "192.0.2." not in found.reason
        seen.add(found.place)
    assert seen == {Place.AWAY, Place.HERE if platform in ("darwin", "win32", "cygwin") else Place.UNCLEAR}


@pytest.mark.parametrize(
    ("environ", "platform", "alone", "with_sandbox"),
    [
        ({"SSH_CONNECTION": "a b c d"}, "linux", True, True),
        ({}, "linux", True, True),
        ({"DISPLAY": ":0"}, "linux", False, True),
        ({}, "darwin", False, False),
        ({}, "win32", False, False),
    ],
)
def test_the_agent_s_word_counts_only_where_nothing_else_tells(
    environ: Mapping[str, str], platform: str, alone: bool, with_sandbox: bool
) -> None:
    place = decide(platform, environ)
    assert place.remote(sandbox=False) is alone
    assert place.remote(sandbox=True) is with_sandbox


def start_parent(**environ: str) -> subprocess.Popen[bytes]:
    """A process of our user with this environment that waits until its input ends."""
    command = [sys.executable, "-c", "print(flush=True); input()"]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    process = subprocess.Popen(command, env=environ, stdin=pipe, stdout=pipe, stderr=nowhere)
    assert process.stdout is not None
    process.stdout.readline()
    return process


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@linux_only
def test_a_silent_environment_asks_the_parent_for_these_names_only() -> None:
    with start_parent(DISPLAY=":7", CODESPACES="no", PATH="/usr/bin", SOME_API_KEY="not-a-real-secret") as parent:
        kept = parent_environment(parent.pid)
        found = read({"HOME": "/home/someone", "PATH": "/usr/bin"}, "linux", parent.pid)
        parent.communicate()
    assert kept == {"DISPLAY": ":7", "CODESPACES": "no"}
    assert found.place is Place.UNCLEAR
    assert found.display == {"DISPLAY": ":7"}
    assert found.reason.startswith("DISPLAY is set")
    assert "As the program that started offprompt sees it" in found.reason


@linux_only
def test_an_environment_that_tells_does_not_ask_the_parent() -> None:
    with start_parent(SSH_CONNECTION="192.0.2.1 1 192.0.2.2 22") as parent:
        told = read({"DISPLAY": ":0"}, "linux", parent.pid)
        refused = read({"CODESPACES": "false"}, "linux", parent.pid)
        mac = read({}, "darwin", parent.pid)
        parent.communicate()
    assert told.place is Place.UNCLEAR
    assert told.display == {}
    assert "started offprompt" not in told.reason
    assert (refused.place, refused.reason[:7]) == (Place.AWAY, "Neither")
    assert mac.place is Place.HERE


@linux_only
def test_a_silent_parent_changes_nothing() -> None:
    with start_parent(PATH="/usr/bin") as parent:
        found = read({}, "linux", parent.pid)
        parent.communicate()
    assert found == decide("linux", {})


@linux_only
def test_without_a_number_the_real_parent_is_asked() -> None:
    """A process started with nothing but PATH sees what its parent, this test, has."""
    program = "from offprompt.whereabouts import read; w = read({}); print(w.place.value, w.reason)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {program!r}], env={{}}, check=True)"
    root = Path(__file__).resolve().parents[1]
    environ = {"CODESPACES": "true", "PATH": os.environ["PATH"]}
    said = subprocess.run(
        [sys.executable, "-c", script], env=environ, cwd=root, check=True, capture_output=True, text=True
    ).stdout
    assert said.startswith("away CODESPACES is true")
    assert "started offprompt" in said


def fake_proc(root: Path, block: bytes) -> str:
    (root / "42").mkdir()
    (root / "42" / "environ").write_bytes(block)
    return str(root)


@linux_only
@pytest.mark.parametrize(
    ("block", "kept"),
    [
        (b"", {}),
        (b"\0\0", {}),
        (b"DISPLAY", {"DISPLAY": ""}),
        (b"DISPLAY=:0\0", {"DISPLAY": ":0"}),
        (b"XDISPLAY=:0\0DISPLAY_=:1\0", {}),
        (b"SSH_CONNECTION=a=b\0CODESPACES=\xff\xfe", {"SSH_CONNECTION": "a=b", "CODESPACES": "\ufffd\ufffd"}),
        (b"OTHER=DISPLAY=:0\0", {}),
    ],
)
def test_a_parent_s_environment_is_read_whatever_its_bytes(
    tmp_path: Path, block: bytes, kept: Mapping[str, str]
) -> None:
    assert parent_environment(42, fake_proc(tmp_path, block)) == kept


@linux_only
def test_a_parent_that_cannot_be_read_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parent_environment(42, str(tmp_path)) is None
    root = fake_proc(tmp_path, b"DISPLAY=:0\0" + b"x" * MAX_ENVIRONMENT)
    assert parent_environment(42, root) is None
    (tmp_path / "42" / "environ").write_bytes(b"DISPLAY=:0\0")
    assert parent_environment(42, root) == {"DISPLAY": ":0"}
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert parent_environment(42, root) is None


def test_silence_is_the_absence_of_all_five() -> None:
    assert silent({})
    assert silent(dict.fromkeys(NAMES, ""))
    for name in NAMES:
        assert not silent({name: "false"})
