"""The revisions of MCP and their two eras: which one a message is spoken in, and what each wants around a result.

Legacy (2024-11-05 to 2025-11-25) agrees on a version once, by `initialize`. Modern (2026-07-28) says it in the `_meta`
of every request and keeps no session.
"""

from __future__ import annotations

from offprompt.agent.mcp.events import Client
from offprompt.agent.mcp.rpc import INVALID_PARAMS, Invalid, an_object
from offprompt.agent.mcp.words import INSTRUCTIONS
from offprompt.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Id, Object

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

UNSUPPORTED_VERSION = -32022
"""2026-07-28, "Versioning"."""

MAX_VERSION = 64
"""Characters sent back of a version that we do not know."""

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


def client_from_initialize(params: Object) -> Client:
    """Return the client that says `initialize`. Its version is the one it asks for, else our newest ("Lifecycle").

    Raises:
        Invalid: the parameters lack the version, or have another form.
    """
    asked = params.get("protocolVersion")
    if not isinstance(asked, str):
        raise Invalid(INVALID_PARAMS, "initialize has a protocolVersion, which is a string.")
    capabilities = an_object(params.get("capabilities"), "capabilities")
    info = an_object(params.get("clientInfo"), "clientInfo")
    return Client(asked if asked in LEGACY else LEGACY[0], False, info, capabilities)


def client_from_meta(meta: Object) -> Client:
    """Return the client of a modern request, which says everything in its `_meta`; it need not say who it is.

    Raises:
        Invalid: the version is not ours, or what must be said is missing.
    """
    version, capabilities, info = meta[VERSION_KEY], meta.get(CAPABILITIES_KEY), meta.get(CLIENT_KEY)
    if not isinstance(version, str):
        raise Invalid(INVALID_PARAMS, f"{VERSION_KEY} is a string.")
    if version not in MODERN:
        data: Object = {"supported": list(MODERN), "requested": version[:MAX_VERSION]}
        why = "is spoken after initialize, not by _meta in a request" if version in LEGACY else "is not supported"
        raise Invalid(UNSUPPORTED_VERSION, f"This protocol version {why}.", data)
    if not isinstance(capabilities, dict):
        raise Invalid(INVALID_PARAMS, f"_meta has no {CAPABILITIES_KEY}.")
    return Client(version, True, info if isinstance(info, dict) else {}, capabilities)


def initialized(version: str) -> Object:
    """Return the result of `initialize`."""
    return {
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": SERVER_INFO,
        "instructions": INSTRUCTIONS,
    }


def complete(result: Object) -> Object:
    """Return `result` in modern form: it is complete unless it says otherwise, and says who answers."""
    meta = result.get("_meta")
    return {
        "resultType": "complete",
        **result,
        "_meta": {**(meta if isinstance(meta, dict) else {}), SERVER_KEY: SERVER_INFO},
    }


def subscribed(id: Id) -> Object:
    """Return what acknowledges `subscriptions/listen`. Nothing of ours changes while we run, so no notice will come."""
    return {"_meta": {SUBSCRIPTION_KEY: id}, "notifications": {}}


def unsubscribed(id: Id) -> Object:
    """Return the result of a `subscriptions/listen` that we end."""
    return complete({"_meta": {SUBSCRIPTION_KEY: id}})
