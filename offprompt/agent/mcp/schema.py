"""The three tools, as `tools/list` shows them (docs/protocol.md, "Tools"). Standard library only.

The schemas use only what reaches the model unchanged through every client: objects, arrays with items, strings,
integers, booleans, enum, description. Limits stand in the descriptions, since Codex strips `pattern`, `minimum` and
their like, and are kept by `arguments`. Every agent pays for each byte here in every conversation.
"""

from __future__ import annotations

from offprompt.agent.mcp import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Object

COLLECT = "collect_secret"
AWAIT = "await_secret"
CANCEL = "cancel_secret"
NAMES = (COLLECT, AWAIT, CANCEL)

ENCODINGS = ("base64url", "base64", "hex")
SINK_KINDS = ("dotenv", "file")


def _object(properties: Object, *required: str, **more: object) -> Object:
    schema: Object = {"type": "object", **more, "properties": properties}
    if required:
        schema["required"] = list(required)
    return {**schema, "additionalProperties": False}


def _string(description: str, **more: object) -> Object:
    return {"type": "string", **more, "description": description}


def _integer(description: str) -> Object:
    return {"type": "integer", "description": description}


def _boolean(description: str) -> Object:
    return {"type": "boolean", "description": description}


def _tool(name: str, title: str, description: str, schema: Object, *, hints: str, shown: bool) -> Object:
    """`hints` names the annotations that are true; a client that may not ask before a call needs all four (Codex)."""
    tool: Object = {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": schema,
        "annotations": {
            "title": title,
            "readOnlyHint": "read" in hints,
            "destructiveHint": False,
            "idempotentHint": "idempotent" in hints,
            "openWorldHint": False,
        },
    }
    if shown:
        # Claude Code shows a model only the names of tools until it searches for one; this one it shows at once.
        tool["_meta"] = {"anthropic/alwaysLoad": True}
    return tool


_GENERATE = _object(
    {"bytes": _integer(words.COLLECT_BYTES), "encoding": _string(words.COLLECT_ENCODING, enum=list(ENCODINGS))},
    description=words.COLLECT_GENERATE,
)
_ENTRY = _object(
    {
        "name": _string(words.COLLECT_NAME),
        "provider": _string(words.COLLECT_PROVIDER),
        "format": _string(words.COLLECT_FORMAT),
        "caption": _string(words.COLLECT_CAPTION),
        "generate": _GENERATE,
        "secret": _boolean(words.COLLECT_SECRET),
    },
    "name",
)
_SINK = _object(
    {"kind": _string(words.COLLECT_KIND, enum=list(SINK_KINDS)), "path": _string(words.COLLECT_PATH)},
    description=words.COLLECT_SINK,
)

TOOLS: list[Object] = [
    _tool(
        COLLECT,
        words.COLLECT_TITLE,
        words.COLLECT,
        _object(
            {
                "secrets": {"type": "array", "items": _ENTRY, "description": words.COLLECT_SECRETS},
                "reason": _string(words.COLLECT_REASON),
                "sink": _SINK,
                "sandbox": _boolean(words.COLLECT_SANDBOX),
                "wait_seconds": _integer(words.COLLECT_WAIT),
            },
            "secrets",
        ),
        hints="",
        shown=True,
    ),
    _tool(
        AWAIT,
        words.AWAIT_TITLE,
        words.AWAIT,
        _object(
            {"request_id": _string(words.REQUEST_ID), "wait_seconds": _integer(words.AWAIT_WAIT)},
            "request_id",
        ),
        hints="read idempotent",
        shown=True,
    ),
    _tool(
        CANCEL,
        words.CANCEL_TITLE,
        words.CANCEL,
        _object({"request_id": _string(words.REQUEST_ID)}, "request_id"),
        hints="idempotent",
        shown=False,
    ),
]
