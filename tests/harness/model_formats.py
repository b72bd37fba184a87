"""The wire formats that agents speak to their models, as far as a scripted model needs them. Pure.

Each format is a pair: `read(body)` gives the tools that the request offers and the tool results that it carries;
`answer(decision, body, ids)` gives the model's turn, as one JSON object or as events of a stream.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Body = dict[str, Any]
Events = list[tuple[str, object]]
"""Server-sent events: a name ("" for none) and data."""

LOADERS = ("ToolSearch", "tool_search")
"""Tools by which an agent that shows MCP tools by name only lets the model load them."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the script looks at: offered `tools` by full name, `results` in order, `loaded`: whether tools were."""

    tools: dict[str, Body]
    results: list[str]
    loaded: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The model's turn: calls by full name and arguments, or a text."""

    calls: tuple[tuple[str, Body], ...] = ()
    text: str = ""


def flatten(content: Any) -> str:
    """The text of a tool result in any of the formats."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(flatten(part) for part in content)
    if isinstance(content, dict):
        for key in ("text", "content", "output"):
            if key in content:
                return flatten(content[key])
    return json.dumps(content, ensure_ascii=False)


# --- Anthropic Messages -----------------------------------------------------------------------------------------------


def read_messages(body: Body) -> Request:
    results, loading = [], set()
    for message in body.get("messages", []):
        for block in message["content"] if isinstance(message.get("content"), list) else []:
            if block.get("type") == "tool_use" and block.get("name") in LOADERS:
                loading.add(block["id"])
            if block.get("type") == "tool_result" and block["tool_use_id"] not in loading:
                results.append(flatten(block.get("content")))
    return Request({tool.get("name", ""): tool for tool in body.get("tools") or []}, results, bool(loading))


def answer_messages(decision: Decision, body: Body, new_id: Callable[[str], str]) -> Body | Events:
    content: list[Body] = [
        {"type": "tool_use", "id": new_id("toolu"), "name": name, "input": given} for name, given in decision.calls
    ] or [{"type": "text", "text": decision.text}]
    stop = "tool_use" if decision.calls else "end_turn"
    message = {
        "id": new_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "scripted"),
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    }
    if not body.get("stream"):
        return {**message, "content": content, "stop_reason": stop}
    parts: list[Body] = [{"type": "message_start", "message": {**message, "content": []}}]
    for index, block in enumerate(content):
        start: Body = {"type": "text", "text": ""}
        delta: Body = {"type": "text_delta", "text": block.get("text")}
        if block["type"] == "tool_use":
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        parts += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    ending = {"stop_reason": stop, "stop_sequence": None}
    parts += [{"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}}, {"type": "message_stop"}]
    return [(part["type"], part) for part in parts]


# --- OpenAI Responses -------------------------------------------------------------------------------------------------


def read_responses(body: Body) -> Request:
    tools: dict[str, Body] = {}
    for tool in body.get("tools") or []:
        if tool.get("type") == "namespace":  # Codex groups the tools of an MCP server
            for inner in tool.get("tools", []):
                called = {"name": inner["name"], "namespace": tool["name"]}
                tools[f"{tool['name'].rstrip('_')}__{inner['name']}"] = called
        elif tool.get("name"):
            tools[tool["name"]] = {"name": tool["name"]}
    outputs = ("function_call_output", "mcp_tool_call_output")
    items = [item for item in body.get("input", []) if isinstance(item, dict) and item.get("type") in outputs]
    return Request(tools, [flatten(item.get("output")) for item in items])


def answer_responses(decision: Decision, body: Body, new_id: Callable[[str], str]) -> Body | Events:
    tools = read_responses(body).tools
    items: list[Body] = [
        {
            "type": "function_call",
            "id": new_id("fc"),
            "call_id": new_id("call"),
            "arguments": json.dumps(given),
            "status": "completed",
            **tools[name],
        }
        for name, given in decision.calls
    ] or [
        {
            "type": "message",
            "id": new_id("msg"),
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": decision.text, "annotations": []}],
        }
    ]
    response = {
        "id": new_id("resp"),
        "object": "response",
        "created_at": int(time.time()),
        "model": body.get("model", "scripted"),
    }
    parts: list[Body] = [{"type": "response.created", "response": {**response, "status": "in_progress", "output": []}}]
    for index, item in enumerate(items):
        begun = {**item, "status": "in_progress"}
        parts += [
            {"type": "response.output_item.added", "output_index": index, "item": begun},
            {"type": "response.output_item.done", "output_index": index, "item": item},
        ]
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    whole = {**response, "status": "completed", "output": items, "usage": usage}
    return [(part["type"], part) for part in [*parts, {"type": "response.completed", "response": whole}]]


# --- OpenAI Chat Completions ------------------------------------------------------------------------------------------


def read_chat(body: Body) -> Request:
    messages = body.get("messages", [])
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    loading = {call["id"] for call in calls if call["function"]["name"] in LOADERS}
    results = [m for m in messages if m.get("role") == "tool" and m.get("tool_call_id") not in loading]
    tools = {tool["function"]["name"]: tool for tool in body.get("tools") or [] if tool.get("type") == "function"}
    return Request(tools, [flatten(message.get("content")) for message in results], bool(loading))


def answer_chat(decision: Decision, body: Body, new_id: Callable[[str], str]) -> Body | Events:
    functions = [{"name": name, "arguments": json.dumps(given)} for name, given in decision.calls]
    calls = [{"index": i, "id": new_id("call"), "type": "function", "function": f} for i, f in enumerate(functions)]
    message: Body = {"role": "assistant", "content": None if calls else decision.text}
    if calls:
        message["tool_calls"] = calls
    ending = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    base = {"id": new_id("chatcmpl"), "created": int(time.time()), "model": body.get("model", "scripted")}
    if not body.get("stream"):
        choice = {"index": 0, "message": message, "finish_reason": ending}
        return {**base, "object": "chat.completion", "usage": usage, "choices": [choice]}
    base["object"] = "chat.completion.chunk"
    said = {**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    done = {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": ending}], "usage": usage}
    return [("", said), ("", done), ("", "[DONE]")]


# --- Gemini -----------------------------------------------------------------------------------------------------------


def read_gemini(body: Body) -> Request:
    declared = [f for tool in body.get("tools") or [] for f in tool.get("functionDeclarations", [])]
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    results = [flatten(part["functionResponse"].get("response")) for part in parts if "functionResponse" in part]
    return Request({tool["name"]: tool for tool in declared}, results)


def answer_gemini(decision: Decision, body: Body, _new_id: Callable[[str], str]) -> Body | Events:
    wants_json = (body.get("generationConfig") or {}).get("responseMimeType") == "application/json"
    text = "{}" if wants_json and not decision.calls else decision.text
    parts: list[Body] = [{"functionCall": {"name": name, "args": given}} for name, given in decision.calls]
    parts = parts or [{"text": text}]
    answer = {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "scripted",
    }
    return [("", answer)] if body.get("stream") else answer
