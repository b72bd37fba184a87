"""What is known of a target before anything is written."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from offprompt.errors import (
    SinkRefused,
)
from offprompt.request.target import TargetState
from tests.sinks.put import inspect

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def test_nothing_there_yet(project: Path) -> None:
    for path in (".env", "config/new/.env"):
        state = inspect(project, path)
        assert state == TargetState()
    assert os.listdir(project) == []


def test_names_that_have_a_value_are_told(project: Path) -> None:
    (project / ".env").write_text("B=1\nA='2'\nEMPTY=\nexport C=3\n")
    state = inspect(project)
    assert state.exists
    assert state.keys == ("B", "A", "C")


def test_a_file_has_no_keys_and_may_be_any_bytes(project: Path) -> None:
    (project / "key.pem").write_bytes(b"\xff\0A=1\n")
    state = inspect(project, "key.pem", "file")
    assert state.exists
    assert state.keys == ()


@pytest.mark.parametrize(
    ("mode", "readable"), [(0o600, False), (0o644, True), (0o640, True), (0o604, True), (0o611, False)]
)
def test_it_is_known_whether_others_can_read_it(project: Path, mode: int, readable: bool) -> None:
    (project / ".env").touch()
    (project / ".env").chmod(mode)
    assert inspect(project).readable_by_others is readable


def test_the_file_behind_a_link_is_meant(project: Path) -> None:
    (project / "real.env").write_text("A=1\n")
    (project / ".env").symlink_to("real.env")
    assert inspect(project).keys == ("A",)


def test_what_git_says_is_in_it(project: Path) -> None:
    for command in (["init", "-q"], ["add", "-f", ".env"]):
        (project / ".env").write_text("A=1\n")
        subprocess.run(["git", *command], cwd=project, check=True, capture_output=True)
    (project / ".gitignore").write_text("*.env\n")
    (project / "link.env").symlink_to(".env")
    state = inspect(project)
    assert (state.git, state.ignored) == ("tracked", False)
    assert inspect(project, "link.env").tracked
    state = inspect(project, "other.env")
    assert (state.git, state.ignored) == ("untracked", True)


def test_a_link_is_judged_by_where_it_lands(project: Path) -> None:
    (project / "public").mkdir()
    (project / ".env").symlink_to("public/env.txt")
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / ".gitignore").write_text("/.env\n")
    assert inspect(project) == TargetState(git="untracked", lands="public/env.txt", public="public")
    (project / "public" / "env.txt").write_text("A=1\n")
    (project / "public" / "env.txt").chmod(0o644)
    subprocess.run(["git", "add", "public"], cwd=project, check=True)
    assert inspect(project) == TargetState(
        True, "tracked", readable_by_others=True, keys=("A",), lands="public/env.txt", public="public"
    )


@pytest.mark.parametrize("path", [".env", "./.env", "a/../.env", "{project}/.env"])
def test_a_path_without_links_lands_where_it_says(project: Path, path: str) -> None:
    (project / "a").mkdir()
    assert inspect(project, path.format(project=project)).lands == ""


def test_a_folder_that_is_a_link_is_told(project: Path) -> None:
    (project / "real").mkdir()
    (project / "conf").symlink_to("real")
    assert inspect(project, "conf/.env").lands == "real/.env"


def test_a_file_that_a_tool_trusts_or_that_runs_is_told(project: Path) -> None:
    assert inspect(project, ".npmrc", "file").trusted == "packages"
    (project / "tool").write_text("A=1\n")
    assert inspect(project, "tool", "file").trusted == ""
    (project / "tool").chmod(0o777)  # as every file of a disk without modes
    assert inspect(project, "tool", "file").trusted == ""
    (project / "tool").chmod(0o711)
    assert inspect(project, "tool", "file").trusted == "runs"
    (project / "script").write_text("#!/bin/sh\n")
    assert inspect(project, "script", "file").trusted == "runs"
    assert inspect(project, "script").trusted == "runs"


AS_NOBODY = """
import os, sys
from tests.sinks.put import inspect
os.setgid(65534)
os.setuid(65534)
for path in sys.argv[2:]:
    print(inspect(sys.argv[1], path, "file").writable)
"""


@as_root
def test_whether_the_rights_let_it_be_written_is_known_before() -> None:
    with tempfile.TemporaryDirectory() as made:  # where nobody can get to: pytest's own folders are closed
        folder = Path(os.path.realpath(made))
        folder.chmod(0o755)
        for name, mode in (("closed", 0o755), ("open", 0o777), ("sticky", 0o1777)):
            (folder / name).mkdir()
            (folder / name).chmod(mode)
            (folder / name / "x").touch(0o644)
        paths = ("closed/x", "closed/new/x", "open/x", "open/new/x", "sticky/x", "sticky/new")
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(folder), *paths],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout.split() == ["False", "False", "True", "True", "False", "True"]


@pytest.mark.parametrize("path", ["../.env", "/etc/passwd", ".git/config", "", "a/", "x\n"])
def test_a_path_that_leads_elsewhere_is_refused_with_a_sentence(project: Path, path: str) -> None:
    with pytest.raises(SinkRefused) as refused:
        inspect(project, path)
    assert str(refused.value).endswith(".")


def test_no_refusal_leaves_a_descriptor_open(project: Path) -> None:
    before = os.listdir("/proc/self/fd")
    (project / ".env").write_bytes(b"\xff")
    for path in (".env", "../x", ".git/x", ".env/x"):
        with pytest.raises(SinkRefused):
            inspect(project, path)
    assert len(os.listdir("/proc/self/fd")) == len(before)
