"""Checks a message that we send against the specification's own schema of its revision (H8)."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import jsonschema
from referencing import Registry, Resource

FOLDER = Path(__file__).parent / "schema"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSIONS = (*LEGACY, MODERN)

RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "ping": "EmptyResult",
    "subscriptions/listen": "SubscriptionsListenResult",
}
NOTIFICATIONS = {
    "notifications/progress": "ProgressNotification",
    "notifications/cancelled": "CancelledNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}
REQUESTS = {"roots/list": "ListRootsRequest", "elicitation/create": "ElicitRequest"}


@functools.cache
def definitions(version: str) -> tuple[str, dict[str, Any], str, Registry[Any]]:
    """What the schema defines, under which keyword, in which dialect; and where references into it are looked up."""
    schema = json.loads((FOLDER / version / "schema.json").read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema).check_schema(schema)
    keyword = "$defs" if "$defs" in schema else "definitions"
    registry: Registry[Any] = Registry().with_resource(f"urn:mcp:{version}", Resource.from_contents(schema)).crawl()
    return keyword, schema[keyword], schema["$schema"], registry


@functools.cache
def validator(version: str, name: str) -> Any:
    keyword, _, dialect, registry = definitions(version)
    schema = {"$schema": dialect, "$ref": f"urn:mcp:{version}#/{keyword}/{name}"}
    return jsonschema.validators.validator_for(schema)(schema, registry=registry)


def valid(version: str, name: str, value: object) -> None:
    validator(version, name).validate(value)


def known(version: str, *names: str) -> str:
    return next(name for name in names if name in definitions(version)[1])


def check(version: str, message: dict[str, Any], method: str = "") -> None:
    """`method` is that of the request which `message` answers; "" for what is no answer."""
    assert message["jsonrpc"] == "2.0"
    if "method" in message:
        name = (REQUESTS if "id" in message else NOTIFICATIONS)[message["method"]]
        valid(version, known(version, "JSONRPCRequest" if "id" in message else "JSONRPCNotification"), message)
        # 2026-07-28 has no requests from the server, so their parameters alone are described there.
        valid(version, name, message)
    elif "error" in message:
        if message["id"] is None:  # JSON-RPC 2.0, section 5, asks for null; the schemas know no such id
            message = {**message, "id": 0}
        valid(version, known(version, "JSONRPCErrorResponse", "JSONRPCError"), message)
        if message["error"]["code"] == -32022:
            valid(version, "UnsupportedProtocolVersionError", message)
    else:
        valid(version, known(version, "JSONRPCResultResponse", "JSONRPCResponse"), message)
        result = message["result"]
        asking = result.get("resultType") == "input_required"
        valid(version, "InputRequiredResult" if asking else RESULTS[method], result)
