"""One MCP conversation, without a transport: bytes in, events out. Standard library only.

Speaks both eras in one process: what begins with `initialize`, and 2026-07-28, where every request brings its own
`_meta`. It answers everything itself but `tools/call`, which it reports as an event. Whoever drives it (the blocking
loop of `offprompt mcp`, a Twisted protocol) writes the bytes of `Send`, and what `answer`, `progress`, `ask` and
`close` return, in order, and may hand the session on at any time: it carries everything, also the bytes of an
unfinished line.
"""

from __future__ import annotations

from offprompt.agent import eras, results, tools, words
from offprompt.agent.batch import MAX_BATCH, Batch
from offprompt.agent.events import Answered, Call, CallCancelled, CallStarted, Remark, Send
from offprompt.agent.framing import MAX_DEPTH, Lines, Unreadable, decode, encode, too_deep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from offprompt.agent.events import Event, Id, Object

MAX_CALLS = 64
"""Calls of one session that wait for an answer at the same time; agents make one, some make a handful."""

MAX_SUBSCRIPTIONS = 16
"""Open `subscriptions/listen` of one session; no client opened one so far."""

MAX_CLIENT_NAME = 128
"""Characters kept of what the client calls itself."""


MAX_ID = 4300
"""Characters of a string id or progress token: it is sent back, escaped up to six times as long. As many digits as
Python reads of an integer."""

MAX_VERSION = 64
"""Characters sent back of a version that we do not know."""


class Invalid(Exception):
    """A request that gets a JSON-RPC error: its code, the sentence, and what else belongs to it."""

    def __init__(self, code: int, sentence: str, data: Object | None = None) -> None:
        super().__init__(sentence)
        self.error: Object = {"code": code, "message": sentence} | ({"data": data} if data else {})


class Session:
    """The conversation with one client.

    Attributes:
        version: the legacy version agreed on; "" before `initialize`.
        initialized: whether the client has said `notifications/initialized`; before that it may not be asked anything.
        capabilities, client_name, client_title: of `initialize`; a modern call brings its own.
    """

    def __init__(self) -> None:
        self.version = ""
        self.initialized = False
        self.capabilities: Object = {}
        self.client_name = ""
        self.client_title = ""
        self._lines = Lines()
        self._heard = False  # whether the client has shown that it speaks MCP: before, an error without id drops Codex
        self._calls: dict[Id, Call] = {}
        self._subscriptions: list[Id] = []
        self._asked: set[str] = set()
        self._asked_so_far = 0
        self._closed = False

    # --- in ---------------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Event]:
        """What happened in the lines that `data` completes, in their order."""
        return self._heed(self._lines.feed(data))

    def receive_end(self) -> list[Event]:
        """The client says nothing more: what happened in a last line without a newline."""
        return self._heed(self._lines.end())

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that are still to be answered."""
        return tuple(self._calls.values())

    # --- out --------------------------------------------------------------------------------------------------------

    def answer(self, call: Call, result: Object) -> bytes:
        """The answer to a call, from `results`; b"" when it was answered or cancelled before.

        A result with `resultType` "input_required" is for a modern call only: a legacy client is asked with `ask`.
        """
        if self._calls.get(call.id) is not call:
            return b""
        del self._calls[call.id]
        return self._reply(call.id, eras.complete(result) if call.modern else result, call.batch)

    def progress(self, call: Call, message: str) -> bytes:
        """One step more: 1, 2, 3, … with a short message; b"" when nobody asked for progress or the call has ended."""
        if call.progress_token is None or self._calls.get(call.id) is not call:
            return b""
        call.reported += 1
        params: Object = {"progressToken": call.progress_token, "progress": call.reported}
        if call.version != "2024-11-05":  # the first revision has no message
            params["message"] = message
        return encode({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})

    def may_list_roots(self, call: Call) -> bool:
        """Whether the client can be asked for its folders: by `ask`, or for a modern call by an input_required
        result."""
        return self._may_ask(call) and isinstance(call.capabilities.get("roots"), dict)

    def may_elicit(self, call: Call) -> bool:
        """Whether the client can be asked to show a URL.

        It has said so itself: a bare `elicitation: {}` means forms, in which a secret must not be asked for. Codex says
        so at 2025-06-18, one revision before it was written down (docs/protocol.md, E1).
        """
        elicitation = call.capabilities.get("elicitation")
        can = isinstance(elicitation, dict) and isinstance(elicitation.get("url"), dict)
        return can and self._may_ask(call) and call.version >= "2025-06-18"

    def ask(self, method: str, params: Object | None = None) -> tuple[str, bytes]:
        """A request to a legacy client, `roots/list` or `elicitation/create`: its id, and the bytes to send.

        Its answer comes as `Answered` with this id, if ever: set a limit, then `withdraw` it.
        """
        if not self.initialized or self._closed:
            raise RuntimeError("a client is asked only after notifications/initialized (docs/protocol.md, H9)")
        self._asked_so_far += 1
        asked = f"offprompt-{self._asked_so_far}"
        self._asked.add(asked)
        message: Object = {"jsonrpc": "2.0", "id": asked, "method": method}
        return asked, encode(message if params is None else {**message, "params": params})

    def withdraw(self, asked: str) -> bytes:
        """Gives up a request of ours: a late answer is ignored. b"" when it was answered before."""
        if asked not in self._asked:
            return b""
        self._asked.remove(asked)
        return _notification("notifications/cancelled", {"requestId": asked})

    def close(self) -> bytes:
        """What is still to be said: subscriptions are completed, begun batches answered as far as they are. Ends
        everything."""
        if self._closed:
            return b""
        self._closed = True
        batches = {id(call.batch): call.batch for call in self._calls.values() if call.batch is not None}
        last = [self._reply(subscription, _subscribed(subscription), None) for subscription in self._subscriptions]
        last += [batch.abandon() for batch in batches.values()]
        self._calls.clear()
        self._subscriptions.clear()
        self._asked.clear()
        return b"".join(last)

    # --- one line ---------------------------------------------------------------------------------------------------

    def _heed(self, lines: list[bytes | None]) -> list[Event]:
        events: list[Event] = []
        for line in lines:
            if self._closed:
                break
            if line is None:
                events += self._invalid(None, eras.INVALID_REQUEST, "This message is longer than 4 MiB.", None)
            elif line.strip():
                events += self._line(line)
        return events

    def _line(self, line: bytes) -> list[Event]:
        try:
            message = decode(line)
        except Unreadable:
            return self._invalid(None, eras.PARSE_ERROR, "This line is not JSON in UTF-8.", None)
        if too_deep(message):
            id = message.get("id") if isinstance(message, dict) else None
            return self._invalid(id, eras.INVALID_REQUEST, f"This message is nested more than {MAX_DEPTH} deep.", None)
        if isinstance(message, list) and self.version == "2025-03-26":
            return self._batch(message)
        return self._message(message, None)

    def _batch(self, messages: list[object]) -> list[Event]:
        if not messages or len(messages) > MAX_BATCH:
            return self._invalid(None, eras.INVALID_REQUEST, f"A batch holds 1 to {MAX_BATCH} messages.", None)
        batch = Batch()
        batch.open += 1  # keeps it together until every message was looked at
        events = [event for message in messages for event in self._message(message, batch)]
        batch.open -= 1
        return events + _send(batch.flush())

    def _message(self, message: object, batch: Batch | None) -> list[Event]:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            id = message.get("id") if isinstance(message, dict) else None
            return self._invalid(id, eras.INVALID_REQUEST, 'A message is one object with "jsonrpc": "2.0".', batch)
        method = message.get("method")
        if "method" not in message and ("result" in message or "error" in message):
            return self._answered(message)
        if not isinstance(method, str):
            sentence = "A message has a method, a result or an error."
            return self._invalid(message.get("id"), eras.INVALID_REQUEST, sentence, batch)
        if "id" not in message:
            return self._notified(method, message.get("params"))
        id = message["id"]
        if not _is_id(id):
            sentence = f"The id of a request is an integer or a string of at most {MAX_ID} characters."
            return self._invalid(None, eras.INVALID_REQUEST, sentence, batch)
        if id in self._calls or id in self._subscriptions:
            taken = Invalid(eras.INVALID_REQUEST, "This id belongs to a request that is still open.")
            return self._refuse(id, taken, batch)
        try:
            return self._request(id, method, message.get("params"), batch)
        except Invalid as invalid:
            return self._refuse(id, invalid, batch)

    def _invalid(self, id: object, code: int, sentence: str, batch: Batch | None) -> list[Event]:
        """A line that is no message: said in the log, and to the client if it has shown that it listens."""
        said: list[Event] = [Remark(sentence)]
        if not self._heard:
            return said
        return said + self._refuse(id if _is_id(id) else None, Invalid(code, sentence), batch)

    def _refuse(self, id: Id | None, invalid: Invalid, batch: Batch | None) -> list[Event]:
        return _send(_deliver({"jsonrpc": "2.0", "id": id, "error": invalid.error}, batch))

    def _reply(self, id: Id, result: Object, batch: Batch | None) -> bytes:
        if batch is not None:
            batch.open -= 1
        return _deliver({"jsonrpc": "2.0", "id": id, "result": result}, batch)

    # --- requests ---------------------------------------------------------------------------------------------------

    def _request(self, id: Id, method: str, given: object, batch: Batch | None) -> list[Event]:
        params = _object(given, "params")
        meta = _object(params.get("_meta"), "_meta")
        if method == "initialize":
            if batch is not None:
                raise Invalid(eras.INVALID_REQUEST, "initialize is never part of a batch.")
            return self._now(id, self._initialize(params), None)
        if eras.VERSION_KEY in meta:
            if batch is not None:
                raise Invalid(eras.INVALID_REQUEST, "Batches belong to 2025-03-26 alone.")
            return self._modern(id, method, params, meta)
        return self._legacy(id, method, params, meta, batch)

    def _modern(self, id: Id, method: str, params: Object, meta: Object) -> list[Event]:
        version = meta[eras.VERSION_KEY]
        if not isinstance(version, str):
            raise Invalid(eras.INVALID_PARAMS, f"{eras.VERSION_KEY} is a string.")
        if version not in eras.MODERN:
            data: Object = {"supported": list(eras.SUPPORTED), "requested": version[:MAX_VERSION]}
            raise Invalid(eras.UNSUPPORTED_VERSION, "This protocol version is not supported.", data)
        capabilities = meta.get(eras.CAPABILITIES_KEY)
        if not isinstance(capabilities, dict):
            raise Invalid(eras.INVALID_PARAMS, f"_meta has no {eras.CAPABILITIES_KEY}.")
        self._heard = True
        if method == "server/discover":
            return self._now(id, eras.complete(eras.DISCOVERED), None)
        if method == "tools/list":
            return self._now(id, eras.complete(_listed(params) | eras.CACHE), None)
        if method == "tools/call":
            info = meta.get(eras.CLIENT_KEY)
            name, title = _client(info if isinstance(info, dict) else {})
            return self._call(id, params, meta, True, version, name, title, capabilities, None)
        if method == "subscriptions/listen":
            return self._subscribe(id, params)
        raise _unknown()

    def _legacy(self, id: Id, method: str, params: Object, meta: Object, batch: Batch | None) -> list[Event]:
        if method == "ping":
            return self._now(id, {}, batch)
        if not self.version and method in ("server/discover", "tools/list", "tools/call", "subscriptions/listen"):
            wanted = f"{eras.VERSION_KEY} and {eras.CAPABILITIES_KEY}"
            raise Invalid(eras.INVALID_PARAMS, f"Send initialize first, or _meta with {wanted} in every request.")
        if method == "tools/list":
            return self._now(id, _listed(params), batch)
        if method == "tools/call":
            client = self.version, self.client_name, self.client_title, self.capabilities
            return self._call(id, params, meta, False, *client, batch)
        raise _unknown()

    def _now(self, id: Id, result: Object, batch: Batch | None) -> list[Event]:
        if batch is not None:
            batch.open += 1
        return _send(self._reply(id, result, batch))

    def _initialize(self, params: Object) -> Object:
        asked = params.get("protocolVersion")
        if not isinstance(asked, str):
            raise Invalid(eras.INVALID_PARAMS, "initialize has a protocolVersion, which is a string.")
        capabilities = _object(params.get("capabilities"), "capabilities")
        client = _client(_object(params.get("clientInfo"), "clientInfo"))
        self.version = eras.negotiate(asked)
        self.initialized = False
        self.capabilities = capabilities
        self.client_name, self.client_title = client
        self._heard = True
        return eras.initialized(self.version)

    def _call(
        self,
        id: Id,
        params: Object,
        meta: Object,
        modern: bool,
        version: str,
        client_name: str,
        client_title: str,
        capabilities: Object,
        batch: Batch | None,
    ) -> list[Event]:
        tool = params.get("name")
        if not isinstance(tool, str) or tool not in tools.NAMES:
            raise Invalid(eras.INVALID_PARAMS, f"There is no such tool. The tools are {', '.join(tools.NAMES)}.")
        state = params.get("requestState")
        if state is not None and not isinstance(state, str):
            raise Invalid(eras.INVALID_PARAMS, "requestState is a string.")
        token = meta.get("progressToken")
        call = Call(
            id,
            tool,
            _object(params.get("arguments"), "arguments"),
            modern=modern,
            version=version,
            client_name=client_name,
            client_title=client_title,
            capabilities=capabilities,
            meta=meta,
            progress_token=token if _is_id(token) else None,
            input_responses=_object(params.get("inputResponses"), "inputResponses") if modern else None,
            request_state=state if modern else None,
            batch=batch,
        )
        if len(self._calls) >= MAX_CALLS:
            refusal = results.refusal(words.refuse_calls())
            return self._now(id, eras.complete(refusal) if modern else refusal, batch)
        if batch is not None:
            batch.open += 1
        self._calls[id] = call
        return [CallStarted(call)]

    def _subscribe(self, id: Id, params: Object) -> list[Event]:
        if not isinstance(params.get("notifications"), dict):
            raise Invalid(eras.INVALID_PARAMS, "subscriptions/listen has notifications, which is an object.")
        if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            raise Invalid(eras.INTERNAL_ERROR, f"At most {MAX_SUBSCRIPTIONS} subscriptions are open at the same time.")
        self._subscriptions.append(id)
        # Nothing of ours ever changes while we run, so none of the notifications asked for will come.
        params = {"_meta": {eras.SUBSCRIPTION_KEY: id}, "notifications": {}}
        return [Send(_notification("notifications/subscriptions/acknowledged", params))]

    def _may_ask(self, call: Call) -> bool:
        return call.modern or self.initialized

    # --- what is not a request --------------------------------------------------------------------------------------

    def _notified(self, method: str, params: object) -> list[Event]:
        if method == "notifications/initialized" and self.version:
            self.initialized = True
        elif method == "notifications/cancelled" and isinstance(params, dict):
            return self._cancelled(params.get("requestId"))
        return []

    def _cancelled(self, id: object) -> list[Event]:
        if not _is_id(id):
            return []
        if id in self._subscriptions:
            self._subscriptions.remove(id)
            return []
        call = self._calls.pop(id, None)
        if call is None:
            return []
        events: list[Event] = [CallCancelled(call)]
        if call.batch is None:
            return events
        call.batch.open -= 1
        return events + _send(call.batch.flush())

    def _answered(self, message: Object) -> list[Event]:
        asked = message.get("id")
        if not isinstance(asked, str) or asked not in self._asked:
            return []
        self._asked.remove(asked)
        result, error = message.get("result"), message.get("error")
        if isinstance(result, dict) and "error" not in message:
            return [Answered(asked, result, None)]
        return [Answered(asked, None, error if isinstance(error, dict) else {})]


def _is_id(id: object) -> TypeGuard[Id]:
    return (isinstance(id, str) and len(id) <= MAX_ID) or (isinstance(id, int) and not isinstance(id, bool))


def _object(value: object, name: str) -> Object:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Invalid(eras.INVALID_PARAMS, f"{name} is an object.")
    return value


def _client(info: Object) -> tuple[str, str]:
    name, title = info.get("name"), info.get("title")
    return (
        name[:MAX_CLIENT_NAME] if isinstance(name, str) else "",
        title[:MAX_CLIENT_NAME] if isinstance(title, str) else "",
    )


def _listed(params: Object) -> Object:
    if params.get("cursor") is not None:
        raise Invalid(eras.INVALID_PARAMS, "There is no such cursor: tools/list has one page.")
    return {"tools": tools.TOOLS}


def _unknown() -> Invalid:
    return Invalid(eras.METHOD_NOT_FOUND, "There is no such method here.")


def _subscribed(id: Id) -> Object:
    return eras.complete({"_meta": {eras.SUBSCRIPTION_KEY: id}})


def _notification(method: str, params: Object) -> bytes:
    return encode({"jsonrpc": "2.0", "method": method, "params": params})


def _deliver(message: Object, batch: Batch | None) -> bytes:
    if batch is None:
        return encode(message)
    batch.add(message)
    return batch.flush()


def _send(data: bytes) -> list[Event]:
    return [Send(data)] if data else []
