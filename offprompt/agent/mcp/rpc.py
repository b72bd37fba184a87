"""The forms of JSON-RPC 2.0: ids, errors, messages. Standard library only."""

from __future__ import annotations

from offprompt.agent.mcp.framing import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from offprompt.agent.mcp.events import Batch, Id, Object

# JSON-RPC 2.0, section 5.1
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

MAX_ID = 4300
"""Characters of a string id or progress token: it is sent back, escaped up to six times as long. Python reads as many
digits of an integer."""


class Invalid(Exception):
    """A message that gets a JSON-RPC error: its code, the sentence, and what else belongs to it."""

    def __init__(self, code: int, sentence: str, data: Object | None = None) -> None:
        super().__init__(sentence)
        self.error: Object = {"code": code, "message": sentence}
        if data is not None:
            self.error["data"] = data


def is_id(id: object) -> TypeGuard[Id]:
    """Return whether `id` is that of a request: a string or an integer. In JSON, unlike in Python, true is neither."""
    return (isinstance(id, str) and len(id) <= MAX_ID) or (isinstance(id, int) and not isinstance(id, bool))


def an_object(value: object, name: str) -> Object:
    """Return the object `value`, which stands under `name` of a request; {} when it is absent or null.

    Raises:
        Invalid: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Invalid(INVALID_PARAMS, f"{name} is an object.")
    return value


def result_of(id: Id, result: Object, batch: Batch | None = None) -> bytes:
    """Return the answer to a request; b"" while the rest of its batch is open."""
    return _deliver({"jsonrpc": "2.0", "id": id, "result": result}, batch)


def error_of(id: Id | None, invalid: Invalid, batch: Batch | None = None) -> bytes:
    """Return the error for a message; its id is null when it could not be read (JSON-RPC 2.0, section 5)."""
    return _deliver({"jsonrpc": "2.0", "id": id, "error": invalid.error}, batch)


def notification(method: str, params: Object) -> bytes:
    """Return a message that wants no answer."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params})


def request(id: Id, method: str, params: Object | None) -> bytes:
    """Return a request of ours."""
    message: Object = {"jsonrpc": "2.0", "id": id, "method": method}
    return encode(message if params is None else {**message, "params": params})


def _deliver(message: Object, batch: Batch | None) -> bytes:
    if batch is None:
        return encode(message)
    batch.add(message)
    return batch.flush()
