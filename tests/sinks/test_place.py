"""The way to a target: inside the project, whatever links say and whoever moves them meanwhile."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from offprompt.errors import (
    PathInGit,
    PathNotFolder,
    PathOutside,
    PathTooLong,
    PathUnusable,
    ProjectMissing,
    SinkRefused,
    SystemLacks,
    TooManyLinks,
    WriteFailed,
)
from offprompt.sinks import place


def real(project: Path, path: str) -> str:
    with place.found(str(project), path) as found:
        return found.real


def test_a_file_in_the_project(project: Path) -> None:
    with place.found(str(project), ".env") as found:
        assert (found.name, found.missing, found.real) == (".env", (), ".env")
        status = os.stat(project)
        assert found.trail == ((status.st_dev, status.st_ino),)
        assert os.fstat(found.folder).st_ino == status.st_ino


def test_folders_that_do_not_exist_yet_are_told(project: Path) -> None:
    (project / "a").mkdir()
    with place.found(str(project), "a/b/c/.env") as found:
        assert (found.missing, found.real) == (("b", "c"), "a/b/c/.env")
        assert os.fstat(found.folder).st_ino == os.stat(project / "a").st_ino


def test_descriptors_are_closed(project: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    before = len(os.listdir("/proc/self/fd"))
    real(project, "a/b/../../a/b/.env")
    for path in ("../x", "a/b/../../../x", ".git/x"):
        with pytest.raises(SinkRefused):
            real(project, path)
    assert len(os.listdir("/proc/self/fd")) == before


def test_links_inside_the_project_are_followed(project: Path) -> None:
    (project / "config").mkdir()
    (project / "link").symlink_to("config")
    (project / "absolute").symlink_to(project / "config")
    (project / "config" / "up").symlink_to("..")
    (project / ".env").symlink_to("config/real.env")
    (project / "dangling").symlink_to("config/new/.env")
    (project / "twice").symlink_to("link/../.env")
    assert real(project, "link/.env") == "config/.env"
    assert real(project, "absolute/.env") == "config/.env"
    assert real(project, "config/up/x") == "x"
    assert real(project, ".env") == "config/real.env"
    assert real(project, "dangling") == "config/new/.env"
    assert real(project, "twice") == "config/real.env"


def test_dots_mean_the_folder_that_a_link_led_to(project: Path) -> None:
    (project / "a" / "b").mkdir(parents=True)
    (project / "deep").symlink_to("a/b")
    assert real(project, "deep/../.env") == "a/.env"


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("..", "link/x"),
        ("../outside", "link/.env"),
        ("../outside/.env", "link"),
        ("/etc", "link/x"),
        ("/", "link/etc/x"),
        ("a/../../outside", "link/x"),
        ("../shop2", "link/x"),
        ("../shop/../outside", "link/x"),
    ],
)
def test_links_out_of_the_project_are_refused(project: Path, link: str, path: str) -> None:
    (project / "a").mkdir()
    (project.parent / "outside").mkdir()
    (project.parent / "shop2").mkdir()
    (project / "link").symlink_to(link)
    with pytest.raises(PathOutside) as refused:
        real(project, path)
    assert path in str(refused.value)


def test_a_way_out_and_back_in_is_refused(project: Path) -> None:
    with pytest.raises(PathOutside):
        real(project, "../shop/.env")


@pytest.mark.parametrize("link", [".git", ".GIT/x", "a/../.git"])
def test_links_into_git_are_refused(project: Path, link: str) -> None:
    (project / ".git").mkdir()
    (project / "a").mkdir()
    (project / "link").symlink_to(link)
    with pytest.raises(PathInGit):
        real(project, "link/config")


def test_a_project_inside_git_s_folder_is_refused(project: Path) -> None:
    (project / ".git" / "hooks").mkdir(parents=True)
    with pytest.raises(PathInGit):
        real(project / ".git" / "hooks", "x")


def test_links_in_a_circle_are_refused(project: Path) -> None:
    (project / "a").symlink_to("b")
    (project / "b").symlink_to("a")
    with pytest.raises(TooManyLinks):
        real(project, "a")
    with pytest.raises(TooManyLinks):
        real(project, "a/x")


def test_a_chain_of_links_of_any_sane_length_is_followed(project: Path) -> None:
    for number in range(40):
        (project / f"l{number}").symlink_to(f"l{number + 1}")
    assert real(project, "l0") == "l40"
    (project / "l40").symlink_to("l41")
    with pytest.raises(TooManyLinks):
        real(project, "l0")


def test_a_file_on_the_way_is_refused(project: Path) -> None:
    (project / "a").touch()
    with pytest.raises(PathNotFolder):
        real(project, "a/.env")


@pytest.mark.parametrize("number", [errno.EMFILE, errno.EIO])
def test_a_system_that_will_not_look_is_not_taken_for_a_bad_path(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    (project / "a").mkdir()
    honest = os.open
    refused = ["a"]

    def refuse(path: str, *arguments: object, **options: object) -> int:
        if path in refused:
            raise OSError(number, os.strerror(number))
        return honest(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", refuse)
    for path in ("a", str(project)):
        refused[:] = [path]
        with pytest.raises(WriteFailed) as failed:
            real(project, "a/.env")
        assert os.strerror(number) in str(failed.value)


def test_a_path_deeper_than_any_project_is_refused(project: Path) -> None:
    with pytest.raises(PathUnusable):
        real(project, "a/" * 64 + ".env")
    assert real(project, "a/" * 63 + ".env")


def test_a_link_to_the_project_itself_names_no_file(project: Path) -> None:
    (project / "whole").symlink_to(project)
    assert real(project, "whole/.env") == ".env"
    (project / "self").symlink_to(".")
    assert real(project, "self/.env") == ".env"
    with pytest.raises(PathUnusable):
        real(project, "self")


def test_dots_behind_a_folder_that_does_not_exist_are_refused(project: Path) -> None:
    with pytest.raises(PathUnusable):
        real(project, "gone/../.env")


def test_a_name_too_long_for_the_disk_is_refused(project: Path) -> None:
    with pytest.raises(PathTooLong):
        real(project, "x" * 300)


def test_a_project_that_is_gone_is_missing(project: Path) -> None:
    with pytest.raises(ProjectMissing):
        real(project / "gone", ".env")
    (project.parent / "link").symlink_to(project)
    with pytest.raises(ProjectMissing):
        real(project.parent / "link", ".env")


def test_a_folder_swapped_for_a_link_between_two_calls_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The swap hits the moment between looking at a folder and opening it."""
    (project / "a").mkdir()
    outside = project.parent / "outside"
    outside.mkdir()
    honest = os.stat

    def stat(path: str, **options: object) -> os.stat_result:
        result = honest(path, **options)  # type: ignore[arg-type]
        if path == "a" and (project / "a").is_dir() and not (project / "a").is_symlink():
            (project / "a").rmdir()
            (project / "a").symlink_to(outside)
        return result

    monkeypatch.setattr("os.stat", stat)
    with pytest.raises(SinkRefused):
        real(project, "a/.env")


def test_the_same_way_is_known_again(project: Path) -> None:
    (project / "a").mkdir()
    (project / "link").symlink_to("a")
    with place.found(str(project), "a/.env") as one, place.found(str(project), "link/.env") as other:
        assert one.same_way(other)
    with place.found(str(project), "a/.env") as one:
        (project / "a").rename(project / "b")
        (project / "a").mkdir()
        with place.found(str(project), "a/.env") as other:
            assert not one.same_way(other)


def test_a_system_without_calls_by_descriptor_is_told_what_it_lacks(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.supports_dir_fd", set())
    with pytest.raises(SystemLacks) as refused:
        real(project, ".env")
    assert "WSL" in str(refused.value)


WINDOWS = """
import os, sys, secrets, shutil, subprocess
sys.modules["fcntl"] = None
sys.platform = "win32"
for name in "O_NOFOLLOW O_DIRECTORY O_TMPFILE O_NONBLOCK O_CLOEXEC geteuid fchmod fchown pread".split():
    delattr(os, name)
os.supports_dir_fd = set()
from offprompt.errors import SystemLacks
from offprompt.sinks.project import choose_project
from offprompt.sinks.sink import Change
from tests.sinks.put import inspect, judged, put
project = choose_project([], {}, sys.argv[1], "")
change = judged(Change("A", "x"))
for attempt in (inspect, lambda project: put(project, change)):
    try:
        attempt(project)
    except SystemLacks as error:
        print(error)
"""


def test_where_descriptors_and_locks_are_missing_everything_loads_and_says_so(project: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", WINDOWS, str(project)],
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""
    assert run.stdout.count("run the agent under WSL.") == 2
    assert list(project.iterdir()) == []
