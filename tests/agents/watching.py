"""A look at a conversation while it goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.harness.agents import Played, records

PATIENCE = 30.0
"""Seconds that an agent may take until it does what its model says."""


def until(trace: Path, found: Callable[[list[dict[str, Any]]], Any]) -> Any:
    """What `found` makes of the traffic so far, as soon as that is something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        result = found(records(trace))
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError("the conversation did not get there")


def told(traffic: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The structured results of the tool calls that were answered so far."""
    answers = (record["msg"].get("result") for record in traffic if record["ev"] == "s2c" and "msg" in record)
    return [answer["structuredContent"] for answer in answers if answer and "structuredContent" in answer]


def link(traffic: list[dict[str, Any]]) -> str:
    """The first link that was handed out; "" before."""
    return next((result["url"] for result in told(traffic) if "url" in result), "")


def statuses(played: Played) -> list[str]:
    """The status in each tool result."""
    return [result["structuredContent"]["status"] for result in played.results()]


def assert_gone(played: Played) -> None:
    """The agent has ended its server, and with it the link."""
    (server,) = (record["pid"] for record in played.events("spawn"))
    end = time.monotonic() + 2
    while _runs(server):
        assert time.monotonic() < end, "the server outlives its agent"
        time.sleep(0.02)
    assert [record["rc"] for record in played.events("exit")] in ([0], [])  # Codex may kill the tee before it can tell


def _runs(pid: int) -> bool:
    """Whether this process is there; one that has ended and that nobody has asked about is not (Linux, proc(5))."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()
