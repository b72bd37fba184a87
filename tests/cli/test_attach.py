from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from offprompt import errors
from offprompt.cli import commands
from offprompt.cli.attach import ssh_command

pytestmark = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs OpenSSH's client")


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "a state % folder"
    folder.mkdir(mode=0o700)
    (folder / "manhole_known_hosts").write_text("offprompt ssh-ed25519 AAAA\n")
    return folder


def settings(command: list[str]) -> dict[str, str]:
    pairs = (command[at + 1] for at, part in enumerate(command) if part == "-o")
    return dict(pair.split("=", 1) for pair in pairs)


@pytest.mark.parametrize(
    ("place", "host", "port"),
    [("2222", "127.0.0.1", "2222"), ("127.0.0.1:2222", "127.0.0.1", "2222"), ("[::1]:2222", "::1", "2222")],
)
def test_a_port_is_reached_by_ssh_itself(state: Path, place: str, host: str, port: str) -> None:
    command = ssh_command(place, str(state), None, None)
    assert command[command.index("-p") + 1] == port
    assert command[-1] == host
    assert "ProxyCommand" not in settings(command)


@pytest.mark.parametrize("place", ["/run/manhole.sock", "manhole.sock", "/run/odd:22", "/run/a b%c.sock"])
def test_a_socket_is_reached_through_our_own_connection(state: Path, place: str) -> None:
    command = ssh_command(place, str(state), None, "requests")
    assert command[-2:] == ["offprompt", "requests"]
    assert "-p" not in command
    proxy = shlex.split(settings(command)["ProxyCommand"].replace("%%", "%"))
    assert proxy == [sys.executable, "-P", "-m", "offprompt.cli.pass_socket", os.path.abspath(place)]


def test_the_host_must_have_the_key_of_the_state_folder_and_no_configuration_is_read(state: Path) -> None:
    command = ssh_command("2222", str(state), None, None)
    assert command[1:3] == ["-F", "none"]
    told = settings(command)
    assert told["StrictHostKeyChecking"] == "yes"
    assert told["UserKnownHostsFile"] == f'"{state}/manhole_known_hosts"'.replace("%", "%%")
    assert (told["PasswordAuthentication"], told["GlobalKnownHostsFile"]) == ("no", "none")


def test_ssh_understands_every_option(state: Path) -> None:
    """-G prints what ssh would do, or complains."""
    command = ssh_command("/run/a b%c.sock", str(state), str(state / "key"), None)
    ran = subprocess.run([command[0], "-G", *command[1:]], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert f"identityfile {state}/key" in ran.stdout.replace("%%", "%").replace('"', "")
    assert "proxyusefdpass yes" in ran.stdout


def test_the_key_that_the_service_made_is_used_where_it_made_one(state: Path) -> None:
    assert "IdentityFile" not in settings(ssh_command("2222", str(state), None, None))
    (state / "manhole_key").write_text("made up")
    assert "manhole_key" in settings(ssh_command("2222", str(state), None, None))["IdentityFile"]
    assert settings(ssh_command("2222", str(state), "/mine", None))["IdentityFile"] == '"/mine"'


def test_without_ssh_it_says_what_is_missing(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(state))
    with pytest.raises(errors.NoSsh):
        ssh_command("2222", str(state), None, None)


def test_where_no_manhole_ever_was_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["attach", "--state", str(tmp_path), "requests"]) == 1
    assert "No manhole answers" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["1", "127.0.0.1:99999", "/nowhere.sock"])
def test_where_nobody_listens_it_says_so(state: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["attach", "--state", str(state), "--at", place]) == 1
    assert f"No manhole answers at {place}" in capsys.readouterr().err


def test_the_project_that_the_operator_stands_in_supplies_no_ssh(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = tmp_path / "project" / "bin"
    planted.mkdir(parents=True)
    (planted / "ssh").write_text("#!/bin/sh\n")
    (planted / "ssh").chmod(0o755)
    monkeypatch.chdir(planted.parent)
    monkeypatch.setenv("PATH", f"{planted}:bin:{os.environ['PATH']}")
    assert Path(ssh_command("2222", str(state), None, None)[0]).parent != planted
    monkeypatch.setenv("PATH", f"{planted}:bin")
    with pytest.raises(errors.NoSsh):
        ssh_command("2222", str(state), None, None)
