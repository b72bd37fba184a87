"""A real `offprompt mcp` that has been asked for something: the light loop is over, the service runs."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pytest

from tests.agent.process import Running
from tests.cli.answering import page_of

ARGV = [sys.executable, "-P", "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "mcp"]

REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}
"""As in a session over SSH: no browser is opened, the link is in the result."""

NAME = "WAREHOUSE_PHRASE"
VALUE = "made-up-value-7Qz-of-a-test"

AT_MOST = 4.5
"""Seconds that an end may take while other programs keep the machine busy: less than a write waits for a lock."""

Start = Callable[..., "Session"]
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    """The message of a tool call."""
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def collect(number: int, *names: str, **more: Any) -> dict[str, Any]:
    """The message that asks for plain names."""
    return call(number, "collect_secret", secrets=[{"name": name} for name in names or (NAME,)], **more)


def told(message: dict[str, Any]) -> dict[str, Any]:
    """The object in an answer to a tool call."""
    found: dict[str, Any] = message["result"]["structuredContent"]
    return found


def environ_in(folder: Path, **more: str) -> dict[str, str]:
    """The least that a host hands on, with a home of its own in `folder`."""
    (folder / "home").mkdir(exist_ok=True)
    return {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], **more}


class Session(Running):
    """One session in `folder`: its project is there, and what it said on stderr."""

    def __init__(self, folder: Path, environ: dict[str, str], stderr: IO[bytes] | int, argv: list[str]) -> None:
        self.folder, self.project = folder, folder / "project"
        self.project.mkdir(exist_ok=True)
        super().__init__(argv, environ, cwd=self.project, stderr=stderr, start_new_session=True)

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Say it, and what is answered to it; what else is said meanwhile is passed over."""
        self.say(message)
        return self.answer_to(message["id"])

    def answer_to(self, number: int) -> dict[str, Any]:
        """The answer with this id."""
        while True:
            message: dict[str, Any] = self.hear()
            if message.get("id") == number and "method" not in message:
                return message

    def open_request(self, *names: str, **more: Any) -> dict[str, Any]:
        """Shake hands and ask for a value: what the agent is told."""
        self.shake_hands()
        self.say(INITIALIZED)
        return told(self.ask(collect(1, *names, **more)))

    def said(self) -> str:
        """What it has said on stderr."""
        return (self.folder / "stderr").read_text(encoding="utf-8")


@contextmanager
def session(folder: Path, *, argv: list[str] | None = None, only: bool = False, **environ: str) -> Iterator[Session]:
    """A session that is gone afterwards; `only` leaves everything out of its environment but HOME and PATH."""
    folder.mkdir(exist_ok=True)
    given = environ_in(folder, **{**({} if only else REMOTE), **environ})
    with (folder / "stderr").open("wb") as stderr:
        one = Session(folder, given, stderr, argv or ARGV)
        try:
            yield one
        finally:
            one.close()


def port_of(link: str) -> int:
    """The port of a page on this machine."""
    return int(page_of(link).split(":")[2].partition("/")[0])


def assert_dead(link: str) -> None:
    """Nobody listens any more where it leads."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port_of(link)), 5).close()


def assert_quiet(one: Session) -> None:
    """Nothing on stderr that frightens a reader."""
    for word in ("Traceback", "Unhandled", " error ", " critical ", "Exception"):
        assert word not in one.said()


def assert_ends(one: Session, link: str) -> float:
    """It ends with code 0, without a word, and its link is dead; the seconds that it took."""
    code, seconds = one.exit()
    assert code == 0
    assert seconds < AT_MOST
    assert_dead(link)
    assert_quiet(one)
    return seconds


def runs(pid: int) -> bool:
    """Whether a process is there and has not ended; one that nobody has asked about stays as a zombie (proc(5))."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def opened(pid: int) -> set[str]:
    """What a process has open, as /proc names it; nothing where there is no /proc."""
    names = set()
    folder = Path(f"/proc/{pid}/fd")
    for descriptor in folder.iterdir() if folder.exists() else ():
        with suppress(FileNotFoundError):  # closed meanwhile
            names.add(os.readlink(descriptor))
    return names


SPY = """#!/bin/sh
{{ echo "$0"; env; ls -l /proc/$$/fd; }} >>{log}
{then}
"""


def spy(folder: Path, name: str, then: str = "") -> Path:
    """A program called `name` in `folder` that writes its environment and descriptors down, in a file beside it."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(SPY.format(log=folder / f"{name}.log", then=then))
    path.chmod(0o700)
    return folder / f"{name}.log"
