"""A client in memory: says messages to a session, checks whatever comes back against the specification's schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from offprompt.agent.mcp.events import Answered, Call, CallCancelled, CallStarted, Remark, Send
from offprompt.agent.mcp.session import Session
from tests.agent.schemas import LEGACY, MODERN, check

if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Event

PREFIX = "io.modelcontextprotocol/"
COLLECT = {"name": "collect_secret", "arguments": {"secrets": [{"name": "OPENAI_API_KEY"}]}}
AWAIT = {"name": "await_secret", "arguments": {"request_id": "none"}}
RESULT: dict[str, Any] = {
    "content": [{"type": "text", "text": "done"}],
    "structuredContent": {"a": 1},
    "isError": False,
}
URL = {"elicitation": {"form": {}, "url": {}}, "roots": {"listChanged": True}}


def meta(capabilities: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """What a modern client sends along with every request."""
    return {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": capabilities or {}, **more}


def lines(data: bytes) -> list[Any]:
    """The messages in what we send: every line is one, in plain ASCII (F2)."""
    assert data.isascii()
    assert b"\r" not in data
    assert data == b"" or data.endswith(b"\n")
    assert b"\n\n" not in data
    assert not data.startswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


class Peer:
    """One conversation. What came back is in `said`, what happened in `events`, both since the last `say`."""

    def __init__(self) -> None:
        self.session = Session()
        self.said: list[Any] = []
        self.events: list[Event] = []
        self.version = ""
        self._requests: dict[Any, tuple[str, str]] = {}
        self._next = 0
        self._unfinished = b""

    # --- what the client says -----------------------------------------------------------------------------------------

    def raw(self, data: bytes) -> list[Any]:
        self.said = []
        self.events = []
        *whole, self._unfinished = (self._unfinished + data).split(b"\n")
        for line in whole or [self._unfinished]:
            self._note(line)
        self._take(self.session.receive(data))
        return self.said

    def say(self, message: Any) -> list[Any]:
        return self.raw(json.dumps(message).encode() + b"\n")

    def request(self, method: str, params: Any = None, *, id: Any = None) -> list[Any]:
        if id is None:
            self._next += 1
            id = self._next
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        return self.say(message if params is None else {**message, "params": params})

    def ask(self, method: str, params: Any = None, *, id: Any = None) -> Any:
        """The one answer to a request that is answered at once: its result or its error."""
        (answer,) = self.request(method, params, id=id)
        return answer.get("result", answer.get("error"))

    def notify(self, method: str, params: Any = None) -> list[Any]:
        message = {"jsonrpc": "2.0", "method": method}
        return self.say(message if params is None else {**message, "params": params})

    def initialize(self, version: str = "2025-11-25", capabilities: Any = None, *, ready: bool = True) -> Any:
        info = {"name": "codex-mcp-client", "title": "Codex", "version": "0.171.0"}
        params = {"protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": info}
        result = self.ask("initialize", params, id=0)
        if ready:
            assert self.notify("notifications/initialized") == []
        return result

    def call(self, params: Any = None, *, id: Any = None, modern: bool = False, **meta_fields: Any) -> Call:
        """Calls a tool, and is sure that nothing was answered yet."""
        params = {**(params or COLLECT)}
        if modern or meta_fields:
            params["_meta"] = meta(URL, **meta_fields) if modern else meta_fields
        assert self.request("tools/call", params, id=id) == []
        (started,) = self.events
        assert isinstance(started, CallStarted)
        return started.call

    def cancel(self, id: Any) -> list[Call]:
        """Cancels; the calls that were given up."""
        assert self.notify("notifications/cancelled", {"requestId": id, "reason": "AbortError"}) == []
        return [event.call for event in self.events if isinstance(event, CallCancelled)]

    # --- what comes back ----------------------------------------------------------------------------------------------

    def heard(self, data: bytes) -> list[Any]:
        """Messages that did not come as an event: what `answer` and its like return."""
        messages = lines(data)
        for message in messages:
            self._check(message)
        return messages

    @property
    def remarks(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Remark)]

    @property
    def answered(self) -> list[Answered]:
        return [event for event in self.events if isinstance(event, Answered)]

    def _take(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Send):
                self.said += self.heard(event.data)
            else:
                self.events.append(event)

    def _note(self, line: bytes) -> None:
        """Remembers which method each id stands for, and which version is asked for."""
        try:
            messages = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(messages, list):
            messages = [one for one in messages if isinstance(one, dict) and one.get("method") != "initialize"]
        for message in messages if isinstance(messages, list) else [messages]:
            self._note_one(message)

    def _note_one(self, message: Any) -> None:
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return
        params = message.get("params")
        own = params.get("_meta") if isinstance(params, dict) else None
        modern = isinstance(own, dict) and PREFIX + "protocolVersion" in own
        asked = params.get("protocolVersion") if message["method"] == "initialize" and isinstance(params, dict) else ""
        if asked:
            self.version = asked if asked in LEGACY else LEGACY[-1]
        if isinstance(message.get("id"), (str, int)):
            self._requests[repr(message["id"])] = (MODERN if modern else self.version, message["method"])

    def _check(self, message: Any) -> None:
        if isinstance(message, list):
            assert self.session.client is not None
            assert self.session.client.version == "2025-03-26"
            assert message
            for one in message:
                self._check(one)
            return
        version, method = self._requests.get(repr(message.get("id")), (self.version, ""))
        if "method" in message and message.get("method") != "notifications/progress":
            method, version = "", MODERN if "subscriptions" in message["method"] else self.version
        check(version or LEGACY[-1], message, method)
