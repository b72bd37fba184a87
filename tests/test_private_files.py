"""Folders and files that no other account can change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from offprompt import errors
from offprompt.private_files import own_folder, private_file, private_folder, write_once


def test_a_missing_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = private_folder(str(tmp_path / "a" / "b"))
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert private_folder(folder) == folder


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o720, 0o777])
def test_a_folder_that_others_share_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state").chmod(mode)
    with pytest.raises(errors.NotPrivate, match="state"):
        private_folder(str(tmp_path / "state"))


def test_a_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "state").symlink_to(tmp_path / "real")
    with pytest.raises(errors.NotPrivate):
        private_folder(str(tmp_path / "state"))


def test_a_file_is_written_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "key")
    before = os.umask(0)
    try:
        write_once(path, b"made up")
    finally:
        os.umask(before)
    assert os.stat(path).st_mode & 0o777 == 0o600
    private_file(path)
    with pytest.raises(FileExistsError):
        write_once(path, b"another")
    assert Path(path).read_bytes() == b"made up"


def test_a_file_that_others_may_read_or_a_link_to_one_is_refused(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"made up")
    key.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(key)
    key.chmod(0o640)
    for path in (key, link):
        with pytest.raises(errors.NotPrivate):
            private_file(str(path))


@pytest.mark.parametrize("kept", [private_folder, own_folder])
def test_a_folder_that_another_account_could_swap_is_refused_and_the_place_is_named(tmp_path: Path, kept) -> None:
    shared = tmp_path / "shared"
    (shared / "state").mkdir(mode=0o700, parents=True)
    shared.chmod(0o777)
    with pytest.raises(errors.ChangeableByOthers, match=f"^{shared} can be changed"):
        kept(str(shared / "state"))
    shared.chmod(0o1777)  # the sticky bit: what is ours stays ours
    assert kept(str(shared / "state")) == str(shared / "state")


def test_a_folder_of_programs_may_be_read_by_others_and_not_written(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o755)
    assert own_folder(str(folder)) == str(folder)
    for mode in (0o777, 0o1777):
        folder.chmod(mode)
        with pytest.raises(errors.ChangeableByOthers, match=f"^{folder} can be changed"):
            own_folder(str(folder))
    assert os.stat(own_folder(str(tmp_path / "new" / "cache"))).st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_below_one_of_another_account_is_refused(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    (theirs / "state").mkdir(mode=0o700, parents=True)
    os.chown(theirs, 12345, -1)
    with pytest.raises(errors.ChangeableByOthers, match="theirs can be changed"):
        own_folder(str(theirs / "state"))
