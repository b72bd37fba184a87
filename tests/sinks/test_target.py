"""What is known of a target before anything is written."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from offprompt.errors import (
    SinkRefused,
)
from offprompt.request.target import TargetState
from offprompt.sinks.target import Target, inspect

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def dotenv(project: Path, path: str = ".env") -> Target:
    return Target(str(project), "dotenv", path)


def test_nothing_there_yet(project: Path) -> None:
    for path in (".env", "config/new/.env"):
        state = inspect(dotenv(project, path))
        assert state == TargetState()
    assert os.listdir(project) == []


def test_names_that_have_a_value_are_told(project: Path) -> None:
    (project / ".env").write_text("B=1\nA='2'\nEMPTY=\nexport C=3\n")
    state = inspect(dotenv(project))
    assert state.exists
    assert state.keys == ("B", "A", "C")


def test_a_file_has_no_keys_and_may_be_any_bytes(project: Path) -> None:
    (project / "key.pem").write_bytes(b"\xff\0A=1\n")
    state = inspect(Target(str(project), "file", "key.pem"))
    assert state.exists
    assert state.keys == ()


@pytest.mark.parametrize(
    ("mode", "readable"), [(0o600, False), (0o644, True), (0o640, True), (0o604, True), (0o611, False)]
)
def test_it_is_known_whether_others_can_read_it(project: Path, mode: int, readable: bool) -> None:
    (project / ".env").touch()
    (project / ".env").chmod(mode)
    assert inspect(dotenv(project)).readable_by_others is readable


def test_the_file_behind_a_link_is_meant(project: Path) -> None:
    (project / "real.env").write_text("A=1\n")
    (project / ".env").symlink_to("real.env")
    assert inspect(dotenv(project)).keys == ("A",)


def test_what_git_says_is_in_it(project: Path) -> None:
    for command in (["init", "-q"], ["add", "-f", ".env"]):
        (project / ".env").write_text("A=1\n")
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    (project / ".gitignore").write_text("*.env\n")
    (project / "link.env").symlink_to(".env")
    state = inspect(dotenv(project))
    assert (state.git, state.ignored) == ("tracked", False)
    assert inspect(dotenv(project, "link.env")).tracked
    state = inspect(dotenv(project, "other.env"))
    assert (state.git, state.ignored) == ("untracked", True)


@pytest.mark.parametrize("path", ["../.env", "/etc/passwd", ".git/config", "", "a/", "x\n"])
def test_a_path_that_leads_elsewhere_is_refused_with_a_sentence(project: Path, path: str) -> None:
    with pytest.raises(SinkRefused) as refused:
        inspect(dotenv(project, path))
    assert str(refused.value).endswith(".")


def test_no_refusal_leaves_a_descriptor_open(project: Path) -> None:
    before = os.listdir("/proc/self/fd")
    (project / ".env").write_bytes(b"\xff")
    for path in (".env", "../x", ".git/x", ".env/x"):
        with pytest.raises(SinkRefused):
            inspect(dotenv(project, path))
    assert len(os.listdir("/proc/self/fd")) == len(before)
