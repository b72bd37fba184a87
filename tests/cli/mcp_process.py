"""A real `offprompt mcp` that has been asked for something: the light loop is over, the service runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tests.agent.process import Running

ARGV = [sys.executable, "-P", "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "mcp"]

REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}
"""As in a session over SSH: no browser is opened, the link is in the result."""

NAME = "WAREHOUSE_PHRASE"
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
