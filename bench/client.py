"""A plain client of a stdio MCP server, and what its process costs. Linux (it reads /proc)."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from typing import Any


class Client:
    """Speaks to one server, and knows when it was spawned."""

    def __init__(self, argv: Sequence[str], cwd: str | None = None, env: Mapping[str, str] | None = None) -> None:
        self.spawned = time.perf_counter()
        self.process = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in = self.process.stdin
        self._out = os.fdopen(self.process.stdout.fileno(), "rb", closefd=False)
        self._asked = 0

    def send(self, message: Mapping[str, object]) -> None:
        self._in.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def request(self, method: str, params: Mapping[str, object] | None = None) -> dict[str, Any]:
        self._asked += 1
        self.send({"id": self._asked, "method": method, **({"params": params} if params is not None else {})})
        for line in self._out:
            answer = json.loads(line)
            if answer.get("id") == self._asked:
                return answer
        raise SystemExit(f"{self.process.args} closed its output")

    def initialize(self) -> float:
        """Seconds from the spawn to the first answer."""
        info = {"name": "bench", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info})
        took = time.perf_counter() - self.spawned
        self.send({"method": "notifications/initialized"})
        return took

    def call(self, tool: str, arguments: Mapping[str, object]) -> dict[str, Any]:
        return self.request("tools/call", {"name": tool, "arguments": arguments})["result"]

    def memory(self) -> tuple[float, float]:
        """RSS and PSS in MiB, of the process and its descendants."""
        return memory(self.process.pid)

    def end(self) -> float:
        """Seconds from the end of its input to its exit."""
        began = time.perf_counter()
        self._in.close()
        self.process.wait(10)
        return time.perf_counter() - began


def memory(pid: int) -> tuple[float, float]:
    """RSS and PSS in MiB, of a process and its descendants."""
    rss = pss = 0
    for one in _tree(pid):
        with open(f"/proc/{one}/smaps_rollup") as smaps:
            for line in smaps:
                rss += int(line.split()[1]) if line.startswith("Rss:") else 0
                pss += int(line.split()[1]) if line.startswith("Pss:") else 0
    return rss / 1024, pss / 1024


def cpu(pid: int) -> float:
    """Seconds of CPU so far, of a process and its descendants."""
    ticks = 0
    for one in _tree(pid):
        with open(f"/proc/{one}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _tree(pid: int) -> list[int]:
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        for thread in os.listdir(f"/proc/{one}/task"):
            with open(f"/proc/{one}/task/{thread}/children") as children:
                todo += [int(child) for child in children.read().split()]
    return found
