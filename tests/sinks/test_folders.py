"""Folders that are made for a write, and go again when it comes to nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from offprompt.sinks import place
from offprompt.sinks.folders import CreatedFolders


def made(project: Path, path: str) -> CreatedFolders:
    folders = CreatedFolders()
    with place.found(str(project), path) as found:
        folders.make(found)
    return folders


def test_they_are_made_one_in_the_other_for_the_owner_alone(project: Path) -> None:
    old = os.umask(0)
    try:
        made(project, "a/b/c/.env").keep()
    finally:
        os.umask(old)
    for folder in ("a", "a/b", "a/b/c"):
        assert (project / folder).stat().st_mode & 0o7777 == 0o700


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_makes_them_for_the_owner_of_the_nearest_folder(project: Path) -> None:
    (project / "web").mkdir()
    os.chown(project / "web", 4711, 4712)
    made(project, "web/a/b/.env").keep()
    for folder in ("web/a", "web/a/b"):
        status = (project / folder).stat()
        assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (4711, 4712, 0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_a_folder_that_was_there_first_keeps_its_owner(project: Path) -> None:
    os.chown(project, 4711, 4712)
    folders = CreatedFolders()
    with place.found(str(project), "a/b/.env") as found:
        (project / "a").mkdir()
        folders.make(found)
    folders.keep()
    assert (project / "a").stat().st_uid == 0
    assert (project / "a" / "b").stat().st_uid == 0


def test_they_go_again(project: Path) -> None:
    (project / "a").mkdir()
    made(project, "a/b/c/.env").remove()
    assert os.listdir(project) == ["a"]
    assert os.listdir(project / "a") == []


def test_one_that_somebody_uses_stays(project: Path) -> None:
    folders = made(project, "a/b/.env")
    (project / "a" / "theirs").touch()
    folders.remove()
    assert os.listdir(project / "a") == ["theirs"]


def test_one_that_was_there_first_is_not_ours_to_remove(project: Path) -> None:
    folders = CreatedFolders()
    with place.found(str(project), "a/b/.env") as found:
        (project / "a").mkdir()
        folders.make(found)
    folders.remove()
    assert os.listdir(project) == ["a"]
    assert os.listdir(project / "a") == []


@pytest.mark.parametrize("put_there", ["file", "link"])
def test_something_else_in_the_place_of_one_is_told(project: Path, put_there: str) -> None:
    folders = CreatedFolders()
    with place.found(str(project), "a/b/.env") as found:
        if put_there == "file":
            (project / "a").touch()
        else:
            (project / "a").symlink_to("..")
        with pytest.raises(NotADirectoryError):
            folders.make(found)
    folders.remove()
    assert not (project.parent / "b").exists()


def test_no_descriptor_is_left_open(project: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    made(project, "a/b/.env").keep()
    made(project, "c/d/.env").remove()
    assert len(os.listdir("/proc/self/fd")) == before
