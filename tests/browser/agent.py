"""An agent's side of a real service: `offprompt mcp` in a process of its own, asked over its pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[2]
ARGV = [sys.executable, "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "mcp"]


class Agent:
    """A client that says little and keeps everything that was said, both ways."""

    def __init__(self, project: Path, argv: Sequence[str] = ARGV, **more: str) -> None:
        """`argv` is the service, `more` goes into its environment."""
        self._stderr = (project.parent / "stderr").open("w+b")
        # As in a session over SSH: no browser is opened, the link is in the result.
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(project.parent / "home"), "PYTHONPATH": str(ROOT),
            "CLAUDE_PROJECT_DIR": str(project), "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
            "OFFPROMPT_TUNNEL": "off",
            **more,
        }  # fmt: skip
        (project.parent / "home").mkdir(exist_ok=True)
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, cwd=project, env=environment
        )
        self.traffic = b""
        self._next = 0
        info = {"name": "claude-code", "version": "2.1.0"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._stderr.close()

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        line = json.dumps(message).encode() + b"\n"
        self.traffic += line
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The result of a request; notifications in between are passed over."""
        assert self._process.stdout is not None
        self._next += 1
        self._say({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        while True:
            line = self._process.stdout.readline()
            assert line, "the service ended"
            self.traffic += line
            message = json.loads(line)
            if message.get("id") == self._next:
                return message["result"]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers, in its structured form."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert not result.get("isError"), result
        structured: dict[str, Any] = result["structuredContent"]
        return structured

    def collect(self, *names: str, **more: Any) -> dict[str, Any]:
        """`collect_secret` for plain names; `secrets` in the keywords goes before them."""
        return self.call("collect_secret", **{"secrets": [{"name": name} for name in names], **more})

    def said(self) -> bytes:
        """Everything that went over the pipes, and what the service said on stderr."""
        self._stderr.seek(0)
        return self.traffic + self._stderr.read()
