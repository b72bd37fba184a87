"""The official checkers: the Inspector's strict look at the tools, and the conformance suite."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.harness.agents import LABEL
from tests.harness.bridge import over_http
from tests.harness.programs import BIN, plain_environ

SCENARIOS: Mapping[str, Sequence[str]] = {
    "2025-11-25": ("server-initialize", "ping", "tools-list"),
    "2026-07-28": ("server-stateless", "tools-list", "caching"),
}
"""What a server with nothing but tools can be asked on stdio, by revision; the others need HTTP or resources."""

CHECK = re.compile(r"^\S+ \[(\S+) *\] (SUCCESS|FAILURE|WARNING|SKIPPED|INFO) ", re.MULTILINE)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a checker said: its exit status and what it printed."""

    returncode: int
    text: str

    def named(self, *outcomes: str) -> list[str]:
        """The names of the conformance suite's checks that came out so."""
        return [name for name, outcome in CHECK.findall(self.text) if outcome in outcomes]


def strict(server: Sequence[str], folder: Path) -> Verdict:
    """The Inspector's `tools/list --strict`: it exits 6 when a schema could be refused by some client."""
    config = folder / "inspector.json"
    servers = {LABEL: {"type": "stdio", "command": server[0], "args": list(server[1:])}}
    config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    flags = ["--cli", "--config", str(config), "--server", LABEL, "--method", "tools/list", "--strict"]
    return _ask([str(BIN / "mcp-inspector"), *flags], folder)


def conformance(server: Sequence[str], scenario: str, version: str, folder: Path) -> Verdict:
    """One scenario of the conformance suite, through the bridge."""
    with over_http(server) as url:
        asked = ["server", "--url", url, "--scenario", scenario, "--spec-version", version]
        return _ask([str(BIN / "conformance"), *asked], folder)


def _ask(argv: Sequence[str], folder: Path) -> Verdict:
    environ = {**plain_environ(folder), "MCP_INSPECTOR_SECRET_STORE": "memory"}
    asked = subprocess.run(argv, cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    return Verdict(asked.returncode, COLOURS.sub("", (asked.stdout + asked.stderr).decode("utf-8", "replace")))
