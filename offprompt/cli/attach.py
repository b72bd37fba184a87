"""`offprompt attach`: the operator's prompt inside a running service, through the computer's own ssh."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys

import click

from offprompt import errors
from offprompt.operate.state import DEFAULT_SOCKET, HOST_NAME, KNOWN_HOSTS, OPERATOR_KEY, state_directory
from offprompt.programs import clean_path, find_program
from offprompt.sinks.project import choose_project

USER = "operator"
"""Any name would do: the key decides who may come in."""


@click.command(
    "attach",
    help="Look inside a running service: a Python prompt with its rights, over SSH on this computer. `requests` lists "
    "what is open. LINE is one line of Python to run instead.",
    epilog="Exit status: 1 nothing to attach to, else ssh's own.",
)
@click.option(
    "--at", metavar="PLACE", help="The manhole's socket, HOST:PORT or PORT [default: the socket in the state folder]."
)
@click.option("--identity", metavar="FILE", help="Your private key [default: the one that the service made].")
@click.option("--state", metavar="DIR", help="The service's state folder [default: offprompt's own].")
@click.argument("line", metavar="[LINE]", required=False)
def command(at: str | None, identity: str | None, state: str | None, line: str | None) -> int:
    """Become ssh; return 1 when there is nothing to attach to, on Windows also what ssh returned."""
    state = state or state_directory(os.environ, os.path.expanduser("~"))
    place = at or os.path.join(state, DEFAULT_SOCKET)
    try:
        argv = ssh_command(place, state, identity, line)
        _require_listener(place)
    except errors.OffpromptError as error:
        print(error, file=sys.stderr)
        return 1
    environ = os.environ | {"PATH": clean_path(os.environ.get("PATH", os.defpath), (_project(),))}
    if os.name != "nt":  # there it would end this process at once and leave ssh behind, beside the shell
        os.execve(argv[0], argv, environ)
    return subprocess.call(argv, env=environ)


def ssh_command(place: str, state: str, identity: str | None, line: str | None) -> list[str]:
    """Return the command of the ssh that logs in at `place`: a socket's path, `HOST:PORT` or `PORT`.

    It reads no configuration of the user's, and accepts only the host key in `state`.

    Args:
        place: where the manhole listens.
        state: the state folder of the service.
        identity: the operator's private key. None takes the one in `state`, else those of ssh's agent.
        line: one line of Python to run, None for a prompt.

    Raises:
        NoSsh: there is no ssh here.
        NoManhole: this state folder never had one.
    """
    ssh = find_program("ssh", os.environ.get("PATH", os.defpath), _project())
    if ssh is None:
        raise errors.NoSsh()
    known = os.path.join(state, KNOWN_HOSTS)
    if not os.path.exists(known):
        raise errors.NoManhole(place=place)
    settings = {
        "HostKeyAlias": HOST_NAME,
        "UserKnownHostsFile": _quoted(known),
        "GlobalKnownHostsFile": "none",
        "StrictHostKeyChecking": "yes",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "LogLevel": "ERROR",
    }
    identity = identity or _own_identity(state)
    if identity:
        settings |= {"IdentityFile": _quoted(identity), "IdentitiesOnly": "yes"}
    host, port = _address(place)
    if not port:
        passer = [sys.executable, "-P", "-m", "offprompt.cli.pass_socket", os.path.abspath(place)]
        settings |= {"ProxyCommand": shlex.join(passer).replace("%", "%%"), "ProxyUseFdpass": "yes"}
    options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
    where = ["-p", port] if port else []
    return [ssh, "-F", "none", *options, *where, "-l", USER, host, *([line] if line is not None else [])]


def _project() -> str:
    """Return the project that the operator stands in, "" where that is none. No program of it is started."""
    try:
        return choose_project((), os.environ, os.getcwd(), os.path.expanduser("~"))
    except (OSError, errors.ProjectRefused):
        return ""


def _own_identity(state: str) -> str | None:
    path = os.path.join(state, OPERATOR_KEY)
    return path if os.path.exists(path) else None


def _address(place: str) -> tuple[str, str]:
    """Return host and port; for a socket's path a name to show, and no port."""
    host, colon, port = place.rpartition(":")
    if port.isascii() and port.isdigit() and (not colon or "/" not in host):
        return host.strip("[]") or "127.0.0.1", port
    return "offprompt", ""


def _require_listener(place: str) -> None:
    """Raise NoManhole where nobody listens: ssh would say that in other words."""
    host, port = _address(place)
    try:
        if port:
            socket.create_connection((host, int(port)), timeout=5).close()
        else:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.connect(place)
    except (OSError, OverflowError, AttributeError):  # the last: no Unix sockets here
        raise errors.NoManhole(place=place) from None


def _quoted(path: str) -> str:
    """Return a file name as ssh's options read it: within quotes for blanks, % doubled (ssh_config(5), "TOKENS")."""
    return '"' + path.replace("%", "%%") + '"'
