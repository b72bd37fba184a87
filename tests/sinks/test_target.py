"""What is known of a target before anything is written."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
from pathlib import Path

import pytest

from offprompt.errors import (
    PathOutside,
    SinkRefused,
    TargetLinked,
    TargetMounted,
    TargetNotFile,
    TargetNotText,
    TargetTooLarge,
    TargetUnreadable,
)
from offprompt.sinks import content
from offprompt.sinks.target import Target, inspect
from tests.sinks.mounts import mounted

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def dotenv(project: Path, path: str = ".env") -> Target:
    return Target(str(project), "dotenv", path)


def test_nothing_there_yet(project: Path) -> None:
    for path in (".env", "config/new/.env"):
        state = inspect(dotenv(project, path))
        assert (state.exists, state.git, state.tracked, state.ignored, state.readable_by_others, state.keys) == (
            *[False] * 5,
            (),
        )
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
    assert (state.git, state.tracked, state.ignored) == (True, True, False)
    assert inspect(dotenv(project, "link.env")).tracked
    state = inspect(dotenv(project, "other.env"))
    assert (state.git, state.tracked, state.ignored) == (True, False, True)


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket", "device"])
def test_what_is_no_regular_file_is_refused(project: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = project / ".env"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        monkeypatch.chdir(project)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(".env")
    elif os.geteuid() != 0:
        pytest.skip("making a device needs root")
    else:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    with pytest.raises(TargetNotFile):
        inspect(dotenv(project))


def test_a_pipe_that_is_swapped_in_does_not_hold_us(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").touch()
    honest = os.open

    def swap(path: str, *arguments: object, **options: object) -> int:
        if path == ".env":
            (project / ".env").unlink()
            os.mkfifo(project / ".env")
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", swap)
    with pytest.raises(TargetNotFile):
        inspect(dotenv(project))


def test_a_link_that_is_swapped_in_is_not_read(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").touch()
    (project.parent / "outside").write_text("OUTSIDE=1\n")
    honest = os.open

    def swap(path: str, *arguments: object, **options: object) -> int:
        if path == ".env":
            (project / ".env").unlink()
            (project / ".env").symlink_to("../outside")
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", swap)
    with pytest.raises((TargetNotFile, PathOutside)):
        inspect(dotenv(project))


def test_a_file_of_several_names_is_refused(project: Path) -> None:
    (project.parent / "other").touch()
    (project / ".env").hardlink_to(project.parent / "other")
    with pytest.raises(TargetLinked):
        inspect(dotenv(project))


@as_root
@pytest.mark.parametrize("disk", ["same", "other"])
def test_a_mounted_file_is_refused(project: Path, disk: str) -> None:
    (project / ".env").touch()
    source = project.parent / "source"
    if disk == "other":
        with mounted("tmpfs", source, "size=64k"):
            (source / "file").touch()
            with mounted("bind", project / ".env", str(source / "file")), pytest.raises(TargetMounted):
                inspect(dotenv(project))
    else:
        source.touch()
        with mounted("bind", project / ".env", str(source)), pytest.raises(TargetMounted):
            inspect(dotenv(project))
    assert inspect(dotenv(project)).exists


def test_text_that_is_not_utf_8_is_refused(project: Path) -> None:
    for data in ("A=é\n".encode("latin-1"), "A=1\n".encode("utf-16"), b"\xff"):
        (project / ".env").write_bytes(data)
        with pytest.raises(TargetNotText) as refused:
            inspect(dotenv(project))
        assert refused.value.__context__ is None  # a UnicodeDecodeError holds all bytes


def test_a_file_of_more_than_a_mebibyte_is_refused(project: Path) -> None:
    (project / ".env").write_bytes(b"#" * content.MOST_BYTES)
    assert inspect(dotenv(project)).exists
    with (project / ".env").open("ab") as file:
        file.write(b"#")
    with pytest.raises(TargetTooLarge):
        inspect(dotenv(project))
    os.truncate(project / ".env", 1 << 40)
    with pytest.raises(TargetTooLarge):
        inspect(dotenv(project))


def test_a_file_that_cannot_be_read_stops_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / ".env").touch(mode=0)
    honest = os.open

    def denied(path: str, *arguments: object, **options: object) -> int:
        if path == ".env":
            raise PermissionError(13, "Permission denied", path)
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    if os.geteuid() == 0:  # root may read it
        monkeypatch.setattr("os.open", denied)
    with pytest.raises(TargetUnreadable):
        inspect(dotenv(project))


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
