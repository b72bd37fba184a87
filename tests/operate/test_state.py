from __future__ import annotations

import os
from pathlib import Path

import pytest

from offprompt import errors
from offprompt.operate.state import private_file, private_folder, state_directory, write_once


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, "/home/made-up/.local/state/offprompt"),
        ({"XDG_STATE_HOME": ""}, "/home/made-up/.local/state/offprompt"),
        ({"XDG_STATE_HOME": "relative"}, "/home/made-up/.local/state/offprompt"),
        ({"XDG_STATE_HOME": "/var/state"}, "/var/state/offprompt"),
    ],
)
def test_the_state_folder_is_where_xdg_says(environ: dict[str, str], wanted: str) -> None:
    assert state_directory(environ, "/home/made-up") == wanted


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
