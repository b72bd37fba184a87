"""A real service for agents on a socket, `twistd offprompt` or `offprompt serve`, and plain clients of it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 30.0
"""Seconds for a service to start or stop on a busy machine."""

TWISTD = [sys.executable, "-P", "-c", "import sys; from twisted.scripts.twistd import run; sys.exit(run())"]
OFFPROMPT = [sys.executable, "-P", "-c", "import sys; from offprompt.cli import main; sys.exit(main())"]


class Service:
    """One service in `folder`: what it says is in `log`, agents reach it at `socket`, `project` gets the files."""

    def __init__(self, folder: Path, argv: Sequence[str], **environ: str) -> None:
        self.project = folder / "project"
        self.log = folder / "log"
        self._short = tempfile.TemporaryDirectory(prefix="offprompt-")  # a socket's path has at most 107 bytes
        self.socket = str(Path(self._short.name) / "agents.sock")
        for made in (self.project, folder / "home", folder / "elsewhere"):
            made.mkdir(parents=True)
        given = {"HOME": str(folder / "home"), "PATH": os.environ["PATH"], **environ}
        options = [f"--agent=unix:{self.socket}:mode=600", f"--project={self.project}"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*argv, *options], cwd=folder / "elsewhere", env=given, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def until_listening(self) -> None:
        """Wait until agents can connect: the socket is there a moment before."""
        end = time.monotonic() + PATIENCE
        while not self._listens():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.02)

    def _listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as trial:
            return trial.connect_ex(self.socket) == 0

    def said(self) -> str:
        """All that it said so far."""
        return self.log.read_text(encoding="utf-8")

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """End it in order; its exit code."""
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """It is gone afterwards."""
        self.process.kill()
        self.process.wait()
        self._short.cleanup()


@contextmanager
def service(folder: Path, argv: Sequence[str], **environ: str) -> Iterator[Service]:
    """A service that listens, and that is gone afterwards."""
    one = Service(folder, argv, **environ)
    try:
        one.until_listening()
        yield one
    finally:
        one.close()


class Client:
    """An agent's host at the socket: says a request, reads the answer."""

    def __init__(self, path: str, name: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rwb")
        self._asked = 0
        info = {"name": name, "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request."""
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        self._lines.write(json.dumps(message).encode() + b"\n")
        self._lines.flush()
        answer: dict[str, Any] = json.loads(self._lines.readline())
        assert answer["id"] == self._asked
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The object in a tool's answer."""
        told: dict[str, Any] = self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]
        return told

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()
