"""The result of a call, as the `CallToolResult` of MCP: the same object twice, structured and as text. Pure.

Claude Code and Codex show the model `structuredContent`, Gemini CLI and OpenCode `content` (docs/protocol.md, T5).
"""

from __future__ import annotations

from json import JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Object

_encoder = JSONEncoder(ensure_ascii=False)


def refusal(sentence: str) -> Object:
    """Return the result of a call that cannot be served as it is; `sentence` says how to mend it."""
    return of_fields({"error": sentence}, is_error=True)


def input_required(requests: Object, state: str) -> Object:
    """Return what a modern client is to find out before it repeats its call ("Multi Round-Trip Requests").

    Args:
        requests: key to {"method": …, "params": …}.
        state: comes back through the client, so it proves nothing.
    """
    return {"resultType": "input_required", "inputRequests": requests, "requestState": state}


def of_fields(fields: Object, *, is_error: bool = False) -> Object:
    """Return a result that says `fields`, in their order, without those that are empty."""
    fields = {name: value for name, value in fields.items() if value not in ("", [], None)}
    # One key a line, so that a link stands on a line of its own; real characters, since a model reads them.
    lines = (f"  {_encoder.encode(name)}: {_encoder.encode(value)}" for name, value in fields.items())
    text = "{\n" + ",\n".join(lines) + "\n}"
    return {"content": [{"type": "text", "text": text}], "structuredContent": fields, "isError": is_error}
