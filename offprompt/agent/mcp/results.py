"""What a call answers, as the `CallToolResult` of MCP: the same object twice, structured and as text. Pure.

Claude Code and Codex show the model `structuredContent`, Gemini CLI and OpenCode `content` (docs/protocol.md, T5).
"""

from __future__ import annotations

from json import JSONEncoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.agent.mcp.events import Object

_encoder = JSONEncoder(ensure_ascii=False)


def outcome(
    *,
    request_id: str,
    status: str,
    names: Sequence[str],
    sink: tuple[str, str],
    note: str,
    expires_in: int | None = None,
    kept: Sequence[str] = (),
    fingerprint: Sequence[str] = (),
    file_keys: Sequence[str] = (),
    url: str = "",
) -> Object:
    """How a request stands.

    Args:
        request_id: what await_secret and cancel_secret take.
        status: awaiting, written, expired or cancelled.
        names: the requested names.
        sink: kind and path.
        note: what to do next, from `words`.
        expires_in: seconds left, while awaiting.
        kept: generated names that the file already held.
        fingerprint: the four emoji; () when there are none.
        file_keys: names of all keys that the file holds.
        url: the link, when the agent has to show it.

    Fields are absent when empty.
    """
    told = " ".join(fingerprint)
    fields: Object = {
        "tell_user": f"Fingerprint {told}" if told else "",
        "request_id": request_id,
        "status": status,
        "expires_in": expires_in,
        "names": list(names),
        "kept": list(kept),
        "fingerprint": told,
        "file_keys": list(file_keys),
        "sink": {"kind": sink[0], "path": sink[1]},
        "url": url,
        "note": note,
    }
    return of_fields({name: value for name, value in fields.items() if value not in ("", [], None)})


def refusal(sentence: str) -> Object:
    """The call cannot be served as it is; `sentence` says how to mend it."""
    return of_fields({"error": sentence}, is_error=True)


def input_required(requests: Object, state: str) -> Object:
    """For a modern call: what the client is to find out before it repeats the call ("Multi Round-Trip Requests").

    Args:
        requests: key to {"method": …, "params": …}.
        state: comes back through the client, so it proves nothing.
    """
    return {"resultType": "input_required", "inputRequests": requests, "requestState": state}


def of_fields(fields: Object, *, is_error: bool = False) -> Object:
    """A result that says `fields`, in their order."""
    # One key a line, so that a link stands on a line of its own; real characters, since a model reads them.
    lines = (f"  {_encoder.encode(name)}: {_encoder.encode(value)}" for name, value in fields.items())
    text = "{\n" + ",\n".join(lines) + "\n}"
    return {"content": [{"type": "text", "text": text}], "structuredContent": fields, "isError": is_error}
