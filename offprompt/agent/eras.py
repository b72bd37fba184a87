"""The revisions of MCP and their two eras: which one a message is spoken in, and what each wants around a result.

Legacy (2024-11-05 to 2025-11-25) agrees on a version once, by `initialize`. Modern (2026-07-28) says it in the `_meta`
of every request and keeps no session.
"""

from __future__ import annotations

from offprompt.agent.words import INSTRUCTIONS
from offprompt.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.events import Object

MODERN = ("2026-07-28",)
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Newest first: the first is offered to a client that asks for something else."""
SUPPORTED = (*MODERN, *LEGACY)

PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = PREFIX + "protocolVersion"
CLIENT_KEY = PREFIX + "clientInfo"
CAPABILITIES_KEY = PREFIX + "clientCapabilities"
SERVER_KEY = PREFIX + "serverInfo"
SUBSCRIPTION_KEY = PREFIX + "subscriptionId"

# JSON-RPC 2.0, section 5.1
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022
"""2026-07-28, "Versioning"."""

SERVER_INFO: Object = {"name": "offprompt", "title": "offprompt", "version": VERSION}

TTL_MS = 3_600_000
"""How long a client may keep what it learned about us: it changes with the installed version only."""

CACHE: Object = {"ttlMs": TTL_MS, "cacheScope": "public"}

DISCOVERED: Object = {
    "supportedVersions": list(SUPPORTED),
    "capabilities": {"tools": {}},
    "instructions": INSTRUCTIONS,
    **CACHE,
}


def negotiate(asked: str) -> str:
    """The legacy version to speak: the one asked for, or our newest ("Lifecycle", version negotiation)."""
    return asked if asked in LEGACY else LEGACY[0]


def initialized(version: str) -> Object:
    """The result of `initialize`."""
    return {
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": SERVER_INFO,
        "instructions": INSTRUCTIONS,
    }


def complete(result: Object) -> Object:
    """A result in modern form: says that it is complete unless it says otherwise, and who answers."""
    meta = result.get("_meta")
    return {
        "resultType": "complete",
        **result,
        "_meta": {**(meta if isinstance(meta, dict) else {}), SERVER_KEY: SERVER_INFO},
    }
