"""What an agent sees of us before it has called anything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from offprompt.agent.mcp import words
from offprompt.agent.mcp.schema import NAMES, TOOLS
from offprompt.agent.tools import arguments
from offprompt.request import spec
from offprompt.service.sinks import SINKS
from tests.agent.peer import Peer, meta

ALLOWED = {"type", "properties", "required", "additionalProperties", "items", "enum", "description"}
"""Keywords that reach the model unchanged through Claude Code, Codex, Gemini CLI, Qwen Code and OpenCode."""


def schemas(schema: Any) -> Iterator[dict[str, Any]]:
    assert isinstance(schema, dict), "a boolean in the place of a schema kills the whole list in three clients"
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from schemas(inner)
    if "items" in schema:
        yield from schemas(schema["items"])


def every_schema() -> list[dict[str, Any]]:
    return [schema for tool in TOOLS for schema in schemas(tool["inputSchema"])]


def test_T1_there_are_three_tools_in_their_order():
    assert [tool["name"] for tool in TOOLS] == ["collect_secret", "await_secret", "cancel_secret"]
    assert NAMES == ("collect_secret", "await_secret", "cancel_secret")


def test_T2_schemas_use_only_what_reaches_every_model():
    for schema in every_schema():
        assert set(schema) <= ALLOWED
        assert schema["type"] in {"object", "array", "string", "integer", "boolean"}
        if schema["type"] == "object":
            assert schema["additionalProperties"] is False
            assert set(schema.get("required", ())) <= set(schema["properties"])
            assert all(re.fullmatch(r"[a-z_]+", name) for name in schema["properties"])
        if schema["type"] == "array":
            assert "items" in schema
        if "enum" in schema:
            assert all(isinstance(choice, str) for choice in schema["enum"])


def test_T2_what_is_asked_of_the_agent_is_described_in_few_words():
    for tool in TOOLS:
        assert 0 < len(tool["description"]) <= 2048
        assert tool["title"] == tool["annotations"]["title"]
        assert len(f"mcp__offprompt__{tool['name']}") <= 60
    assert 0 < len(words.INSTRUCTIONS) <= 2048
    for schema in every_schema():
        assert len(schema.get("description", "")) <= 1024
        for inner in schema.get("properties", {}).values():
            assert inner.get("description")


def test_T2_every_limit_stands_in_words_too():
    """Codex takes pattern, minimum and their like out of a schema."""
    collect = TOOLS[0]["inputSchema"]["properties"]
    entry = collect["secrets"]["items"]["properties"]
    assert f"1 to {spec.MAX_ENTRIES}" in collect["secrets"]["description"]
    assert str(spec.MAX_NAME) in entry["name"]["description"]
    assert str(spec.MAX_CAPTION) in entry["caption"]["description"]
    assert (
        f"{spec.MIN_GENERATED} to {spec.MAX_GENERATED}, {spec.Generate().bytes}"
        in (entry["generate"]["properties"]["bytes"]["description"])
    )
    assert entry["generate"]["properties"]["encoding"]["enum"] == list(spec.ENCODINGS)
    assert collect["sink"]["properties"]["kind"]["enum"] == list(SINKS)
    assert str(spec.MAX_REASON) in collect["reason"]["description"]
    assert f"0 to {arguments.MAX_WAIT}" in collect["wait_seconds"]["description"]
    wait = TOOLS[1]["inputSchema"]["properties"]["wait_seconds"]
    assert f"0 to {arguments.SHORT_WAIT}" in wait["description"]


def test_T3_annotations_let_codex_exec_call_them_without_asking():
    hints = {tool["name"]: {k: v for k, v in tool["annotations"].items() if k != "title"} for tool in TOOLS}
    closed = {"destructiveHint": False, "openWorldHint": False}
    assert hints == {
        "collect_secret": {"readOnlyHint": False, "idempotentHint": False, **closed},
        "await_secret": {"readOnlyHint": True, "idempotentHint": True, **closed},
        "cancel_secret": {"readOnlyHint": False, "idempotentHint": True, **closed},
    }


def test_T4_claude_code_shows_the_first_two_at_once():
    shown = {tool["name"]: tool.get("_meta") for tool in TOOLS}
    always = {"anthropic/alwaysLoad": True}
    assert shown == {"collect_secret": always, "await_secret": always, "cancel_secret": None}


def test_T5_no_tool_promises_an_output_schema():
    assert not any("outputSchema" in tool for tool in TOOLS)


def test_the_whole_answer_to_tools_list_is_small():
    """Every agent pays for it in every conversation: at most 6,000 bytes, whatever the era."""
    for params in (None, {"_meta": meta()}):
        peer = Peer()
        peer.initialize()
        (answer,) = peer.request("tools/list", params)
        assert len(json.dumps(answer)) <= 6000
