"""The official checkers have nothing to say against us."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.agents.conftest import SERVER, needs
from tests.harness.inspector import SCENARIOS, conformance, strict

pytestmark = pytest.mark.agents

EXCUSED = {
    "sep-2575-http-server-header-mismatch-400": "compares HTTP headers with the message; stdio has none",
    "sep-2575-http-server-method-not-found-404-initialize": "wants HTTP's 404; we serve the older era beside this one",
    "sep-2575-server-rejects-undeclared-capability": "needs the suite's own tool test_missing_capability",
    "sep-2575-missing-capability-http-400": "needs the suite's own tool test_missing_capability",
    "sep-2575-http-server-no-independent-requests-on-stream": "needs the suite's own tool test_streaming_elicitation",
    "sep-2575-server-no-log-without-loglevel": "needs the suite's own tool test_logging_tool",
    "sep-2549-prompts-list-caching-hints": "we have tools, no prompts",
    "sep-2549-resources-list-caching-hints": "we have tools, no resources",
    "sep-2549-resources-templates-list-caching-hints": "we have tools, no resources",
}
"""Checks of the conformance suite that fail for a server of nothing but tools on stdio, and why."""

BAD_SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": True}}}
        named = {"serverInfo": {"name": "bad", "version": "1"}, "capabilities": {"tools": {}}}
        opening = {"protocolVersion": "2025-11-25", **named}
        result = opening if asked["method"] == "initialize" else {"tools": [tool]}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_T2_the_inspector_has_no_finding(tmp_path: Path) -> None:
    needs("mcp-inspector")
    verdict = strict(SERVER, tmp_path)
    assert verdict.returncode == 0, verdict.text
    listed, _ = json.JSONDecoder().raw_decode(verdict.text[verdict.text.index("{") :])
    assert [tool["name"] for tool in listed["tools"]] == ["collect_secret", "await_secret", "cancel_secret"]


def test_the_inspector_would_find_a_bad_schema(tmp_path: Path) -> None:
    needs("mcp-inspector")
    assert strict([sys.executable, "-c", BAD_SERVER], tmp_path).returncode == 6


@pytest.mark.parametrize(
    ("version", "scenario"), [(version, scenario) for version, names in SCENARIOS.items() for scenario in names]
)
def test_H8_the_conformance_suite_fails_nothing_that_applies_to_stdio(
    version: str, scenario: str, tmp_path: Path
) -> None:
    needs("conformance")
    verdict = conformance(SERVER, scenario, version, tmp_path)
    assert verdict.named("SUCCESS"), verdict.text
    failed = set(verdict.named("FAILURE", "WARNING"))
    assert failed <= set(EXCUSED), verdict.text
    assert verdict.returncode == (1 if failed else 0)
