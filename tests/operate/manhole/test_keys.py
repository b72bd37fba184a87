from __future__ import annotations

import os
from pathlib import Path

import pytest
from twisted.conch.ssh.keys import Key

from offprompt import errors
from offprompt.operate.manhole.keys import AuthorizedKeys, host_key, operator_keys


def test_keys_are_made_once_and_for_their_owner_alone(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    before = os.umask(0)
    try:
        first, authorized = host_key(state), operator_keys(state)
    finally:
        os.umask(before)
    assert host_key(state) == first
    assert operator_keys(state) == authorized
    for name in os.listdir(state):
        assert os.stat(os.path.join(state, name)).st_mode & 0o777 == 0o600
    mine = Key.fromFile(os.path.join(state, "manhole_key"))
    assert list(AuthorizedKeys(authorized).getAuthorizedKeys(b"anybody")) == [mine.public()]
    assert first.type() == mine.type() == "Ed25519"
    assert first != mine


def test_known_hosts_names_the_host_and_follows_a_new_key(tmp_path: Path) -> None:
    state = tmp_path / "state"
    host_key(str(state))
    (state / "manhole_host_key").unlink()
    key = host_key(str(state))
    line = b"offprompt " + key.public().toString("openssh") + b"\n"
    assert (state / "manhole_known_hosts").read_bytes() == line


@pytest.mark.parametrize("name", ["manhole_host_key", "manhole_authorized_keys"])
def test_a_key_file_that_others_can_read_is_refused(tmp_path: Path, name: str) -> None:
    state = tmp_path / "state"
    host_key(str(state))
    operator_keys(str(state))
    (state / name).chmod(0o644)
    make = host_key if name == "manhole_host_key" else operator_keys
    with pytest.raises(errors.NotPrivate, match=name):
        make(str(state))


def test_a_folder_that_others_share_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o755)
    with pytest.raises(errors.NotPrivate):
        host_key(str(tmp_path / "state"))


@pytest.mark.parametrize("content", [b"", b"# nobody\n", b"nonsense\n", b"\xff\xfe\n", b"ssh-ed25519 AAAA\n"])
def test_a_file_without_a_key_lets_nobody_in(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "keys"
    path.write_bytes(content)
    path.chmod(0o600)
    assert list(AuthorizedKeys(str(path)).getAuthorizedKeys(b"anybody")) == []


def test_a_bad_line_locks_nobody_out_and_one_with_options_lets_nobody_in(tmp_path: Path) -> None:
    host_key(str(tmp_path / "state"))
    mine = host_key(str(tmp_path / "state")).public()
    line = mine.toString("openssh")
    path = tmp_path / "keys"
    path.write_bytes(b"ssh-ed25519 AAAA\n\xff\n  " + line + b" me \r\n")
    path.chmod(0o600)
    assert list(AuthorizedKeys(str(path)).getAuthorizedKeys(b"anybody")) == [mine]
    path.write_bytes(b'from="192.0.2.1" ' + line + b"\n")
    assert list(AuthorizedKeys(str(path)).getAuthorizedKeys(b"anybody")) == []


def test_a_file_that_is_not_there_lets_nobody_in(tmp_path: Path) -> None:
    assert list(AuthorizedKeys(str(tmp_path / "none")).getAuthorizedKeys(b"anybody")) == []
