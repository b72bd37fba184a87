"""One MCP conversation, without a transport: bytes in, events out. Standard library only.

Speaks both eras in one process: what begins with `initialize`, and 2026-07-28, where every request brings its own
`_meta`. It answers everything itself but `tools/call`, which it reports as an event. Whoever drives it (the loop of
`offprompt mcp`, a Twisted protocol) writes the bytes of `Send`, and what `answer`, `progress`, `ask` and `close`
return, in order, and may hand the session on at any time: it carries everything, also the bytes of an unfinished line.
"""

from __future__ import annotations

from offprompt.agent.mcp import results, revisions, schema, words
from offprompt.agent.mcp.events import (
    MAX_BATCH,
    Answered,
    Batch,
    Call,
    CallCancelled,
    CallStarted,
    Client,
    Remark,
    Send,
)
from offprompt.agent.mcp.framing import MAX_DEPTH, MAX_LINE, NOT_JSON, TOO_DEEP, TOO_LONG, Messages, NoMessage
from offprompt.agent.mcp.rpc import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    MAX_ID,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    Invalid,
    an_object,
    error_of,
    is_id,
    notification,
    request,
    result_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Event, Id, Object

MAX_CALLS = 64
"""Calls of one session that wait for an answer at the same time; agents make one, some make a handful."""

MAX_SUBSCRIPTIONS = 16
"""Open `subscriptions/listen` of one session; no client opened one so far."""


_FAULTS = {
    TOO_LONG: (INVALID_REQUEST, f"A message has at most {MAX_LINE:,} bytes."),
    NOT_JSON: (PARSE_ERROR, "This line is not JSON in UTF-8."),
    TOO_DEEP: (INVALID_REQUEST, f"A message is nested at most {MAX_DEPTH} deep."),
}


class Session:
    """The conversation with one client.

    Attributes:
        client: who said `initialize`, with the version agreed on; None before. A modern call brings its own.
        initialized: whether the client has said `notifications/initialized`; before that it may not be asked anything.
    """

    def __init__(self) -> None:
        self.client: Client | None = None
        self.initialized = False
        self._messages = Messages()
        self._heard = False  # whether the client has shown that it speaks MCP: before, an error without id drops Codex
        self._calls: dict[Id, Call] = {}
        self._subscriptions: list[Id] = []
        self._asked: set[str] = set()
        self._asked_so_far = 0
        self._closed = False

    # --- in -----------------------------------------------------------------------------------------------------------

    def receive(self, data: bytes) -> list[Event]:
        """Return what happened in the lines that `data` completes, in their order."""
        return self._process(self._messages.feed(data))

    def receive_end(self) -> list[Event]:
        """Return what happened in a last line without a newline: the client says nothing more."""
        return self._process(self._messages.end())

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that are still to be answered."""
        return tuple(self._calls.values())

    # --- out ----------------------------------------------------------------------------------------------------------

    def answer(self, call: Call, result: Object) -> bytes:
        """Return the answer to a call; b"" when it was answered or cancelled before.

        A result with `resultType` "input_required" is for a modern call only: a legacy client is asked with `ask`.
        """
        if self._calls.get(call.id) is not call:
            return b""
        del self._calls[call.id]
        return _reply(call.id, revisions.complete(result) if call.client.modern else result, call.batch)

    def progress(self, call: Call, message: str) -> bytes:
        """Return a note of one step more; b"" when nobody asked for progress or the call has ended."""
        if call.progress_token is None or self._calls.get(call.id) is not call:
            return b""
        call.reported += 1
        params: Object = {"progressToken": call.progress_token, "progress": call.reported}
        if call.client.version != "2024-11-05":  # the first revision has no message
            params["message"] = message
        return notification("notifications/progress", params)

    def may_list_roots(self, call: Call) -> bool:
        """Return whether the client can name its folders: by `ask`, or if modern by an input_required result."""
        return self._may_ask(call) and isinstance(call.client.capabilities.get("roots"), dict)

    def may_elicit(self, call: Call) -> bool:
        """Return whether the client can show the person a URL.

        It says so itself: a bare `elicitation: {}` means forms, in which a secret must not be asked for. Codex says
        so at 2025-06-18, one revision before it was written down (docs/protocol.md, E1).
        """
        elicitation = call.client.capabilities.get("elicitation")
        can = isinstance(elicitation, dict) and isinstance(elicitation.get("url"), dict)
        return can and self._may_ask(call) and call.client.version >= "2025-06-18"

    def ask(self, method: str, params: Object | None = None) -> tuple[str, bytes]:
        """Return the id and the bytes of a request to a legacy client, `roots/list` or `elicitation/create`.

        Its answer comes as `Answered` with this id, if ever: set a limit, then `withdraw` it.
        """
        if not self.initialized or self._closed:
            raise RuntimeError("a client is asked only after notifications/initialized (docs/protocol.md, H9)")
        self._asked_so_far += 1
        asked = f"offprompt-{self._asked_so_far}"
        self._asked.add(asked)
        return asked, request(asked, method, params)

    def withdraw(self, asked: str) -> bytes:
        """Give up a request of ours, and return what tells the client; b"" when it was answered before."""
        if asked not in self._asked:
            return b""
        self._asked.remove(asked)
        return notification("notifications/cancelled", {"requestId": asked})

    def elicited(self, elicitation_id: str) -> bytes:
        """Return what tells a client that the page it showed is done; b"" where its revision has no such notice."""
        if self._closed or self.client is None or self.client.version != "2025-11-25":
            return b""
        return notification("notifications/elicitation/complete", {"elicitationId": elicitation_id})

    def close(self) -> bytes:
        """End the conversation, and return what is due: the ends of subscriptions, and batches as far as answered."""
        if self._closed:
            return b""
        self._closed = True
        batches = {id(call.batch): call.batch for call in self._calls.values() if call.batch is not None}
        last = [
            _reply(subscription, revisions.unsubscribed(subscription), None) for subscription in self._subscriptions
        ]
        last += [batch.abandon() for batch in batches.values()]
        self._calls.clear()
        self._subscriptions.clear()
        self._asked.clear()
        return b"".join(last)

    # --- one message --------------------------------------------------------------------------------------------------

    def _process(self, messages: list[object]) -> list[Event]:
        events: list[Event] = []
        for message in messages:
            if self._closed:
                break
            if isinstance(message, NoMessage):
                events += self._invalid(_id_of(message.value), *_FAULTS[message.reason])
            elif isinstance(message, list) and self.client is not None and self.client.version == "2025-03-26":
                events += self._batch(message)
            else:
                events += self._message(message, None)
        return events

    def _batch(self, messages: list[object]) -> list[Event]:
        if not 1 <= len(messages) <= MAX_BATCH:
            return self._invalid(None, INVALID_REQUEST, f"A batch holds 1 to {MAX_BATCH} messages.")
        batch = Batch()
        batch.open += 1  # keeps it together until every message was looked at
        events = [event for message in messages for event in self._message(message, batch)]
        batch.open -= 1
        return events + _send(batch.flush())

    def _message(self, message: object, batch: Batch | None) -> list[Event]:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return self._invalid(
                _id_of(message), INVALID_REQUEST, 'A message is an object with "jsonrpc": "2.0".', batch
            )
        method = message.get("method")
        if "method" not in message and ("result" in message or "error" in message):
            return self._answered(message)
        if not isinstance(method, str):
            sentence = "A message has a method, a result or an error."
            return self._invalid(_id_of(message), INVALID_REQUEST, sentence, batch)
        if "id" not in message:
            return self._notified(method, message.get("params"))
        id = message["id"]
        if not is_id(id):
            sentence = f"The id of a request is an integer or a string of at most {MAX_ID:,} characters."
            return self._invalid(None, INVALID_REQUEST, sentence, batch)
        try:
            params = an_object(message.get("params"), "params")
            meta = an_object(params.get("_meta"), "_meta")
            return self._request(id, method, params, meta, batch)
        except Invalid as invalid:
            return _send(error_of(id, invalid, batch))

    def _invalid(self, id: Id | None, code: int, sentence: str, batch: Batch | None = None) -> list[Event]:
        """Report a line that is no message: in the log, and to the client once it has shown that it listens."""
        said: list[Event] = [Remark(sentence)]
        return said + _send(error_of(id, Invalid(code, sentence), batch)) if self._heard else said

    # --- requests -----------------------------------------------------------------------------------------------------

    def _request(self, id: Id, method: str, params: Object, meta: Object, batch: Batch | None) -> list[Event]:
        if id in self._calls or id in self._subscriptions:
            raise Invalid(INVALID_REQUEST, "This id belongs to a request that is still open.")
        modern = revisions.VERSION_KEY in meta
        if batch is not None and (modern or method == "initialize"):
            raise Invalid(INVALID_REQUEST, "A batch holds no initialize, and nothing of 2026-07-28.")
        if method == "initialize":
            return self._initialize(id, params)
        return self._modern(id, method, params, meta) if modern else self._legacy(id, method, params, meta, batch)

    def _initialize(self, id: Id, params: Object) -> list[Event]:
        self.client = revisions.client_from_initialize(params)
        self.initialized = False
        self._heard = True
        return _now(id, revisions.initialized(self.client.version))

    def _modern(self, id: Id, method: str, params: Object, meta: Object) -> list[Event]:
        client = revisions.client_from_meta(meta)
        self._heard = True
        match method:
            case "server/discover":
                return _now(id, revisions.complete(revisions.DISCOVERED))
            case "tools/list":
                return _now(id, revisions.complete(_listed(params) | revisions.CACHE))
            case "tools/call":
                return self._call(id, params, meta, client, None)
            case "subscriptions/listen":
                return self._subscribe(id, params)
        raise _unknown()

    def _legacy(self, id: Id, method: str, params: Object, meta: Object, batch: Batch | None) -> list[Event]:
        if method == "ping":
            return _now(id, {}, batch)
        if self.client is None and method in ("server/discover", "tools/list", "tools/call", "subscriptions/listen"):
            wanted = f"{revisions.VERSION_KEY} and {revisions.CAPABILITIES_KEY}"
            raise Invalid(INVALID_PARAMS, f"Send initialize first, or _meta with {wanted} in every request.")
        if method == "tools/list":
            return _now(id, _listed(params), batch)
        if method == "tools/call" and self.client is not None:
            return self._call(id, params, meta, self.client, batch)
        raise _unknown()

    def _call(self, id: Id, params: Object, meta: Object, client: Client, batch: Batch | None) -> list[Event]:
        tool, state, token = params.get("name"), params.get("requestState"), meta.get("progressToken")
        if not isinstance(tool, str) or tool not in schema.NAMES:
            raise Invalid(INVALID_PARAMS, f"There is no such tool. The tools are {', '.join(schema.NAMES)}.")
        if state is not None and not isinstance(state, str):
            raise Invalid(INVALID_PARAMS, "requestState is a string.")
        call = Call(
            id,
            tool,
            an_object(params.get("arguments"), "arguments"),
            client,
            progress_token=token if is_id(token) else None,
            input_responses=an_object(params.get("inputResponses"), "inputResponses") if client.modern else None,
            request_state=state if client.modern else None,
            batch=batch,
        )
        if len(self._calls) >= MAX_CALLS:
            refusal = results.refusal(words.refuse_calls())
            return _now(id, revisions.complete(refusal) if client.modern else refusal, batch)
        if batch is not None:
            batch.open += 1
        self._calls[id] = call
        return [CallStarted(call)]

    def _subscribe(self, id: Id, params: Object) -> list[Event]:
        if not isinstance(params.get("notifications"), dict):
            raise Invalid(INVALID_PARAMS, "subscriptions/listen has notifications, which is an object.")
        if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            raise Invalid(INTERNAL_ERROR, f"At most {MAX_SUBSCRIPTIONS} subscriptions are open at the same time.")
        self._subscriptions.append(id)
        return [Send(notification("notifications/subscriptions/acknowledged", revisions.subscribed(id)))]

    def _may_ask(self, call: Call) -> bool:
        return call.client.modern or self.initialized

    # --- what is not a request ----------------------------------------------------------------------------------------

    def _notified(self, method: str, params: object) -> list[Event]:
        if method == "notifications/initialized":
            self.initialized = self.client is not None
        elif method == "notifications/cancelled" and isinstance(params, dict):
            return self._cancelled(params.get("requestId"))
        return []

    def _cancelled(self, id: object) -> list[Event]:
        if not is_id(id):
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
        asked, result, error = message.get("id"), message.get("result"), message.get("error")
        if not isinstance(asked, str) or asked not in self._asked:
            return []
        self._asked.remove(asked)
        if isinstance(result, dict) and "error" not in message:
            return [Answered(asked, result, None)]
        return [Answered(asked, None, error if isinstance(error, dict) else {})]


def _listed(params: Object) -> Object:
    if params.get("cursor") is not None:
        raise Invalid(INVALID_PARAMS, "There is no such cursor: tools/list has one page.")
    return {"tools": schema.TOOLS}


def _unknown() -> Invalid:
    return Invalid(METHOD_NOT_FOUND, "There is no such method here.")


def _id_of(message: object) -> Id | None:
    id = message.get("id") if isinstance(message, dict) else None
    return id if is_id(id) else None


def _now(id: Id, result: Object, batch: Batch | None = None) -> list[Event]:
    """Return the answer to what needs no waiting."""
    return _send(result_of(id, result, batch))


def _reply(id: Id, result: Object, batch: Batch | None) -> bytes:
    """Return the answer to what was open."""
    if batch is not None:
        batch.open -= 1
    return result_of(id, result, batch)


def _send(data: bytes) -> list[Event]:
    return [Send(data)] if data else []
