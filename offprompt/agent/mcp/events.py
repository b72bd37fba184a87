"""What happens in an MCP conversation: the events that a session reports, and the call that they are about.

Standard library only. The classes are plain: dataclasses would cost the light start several milliseconds.
"""

from __future__ import annotations

from offprompt.agent.mcp.framing import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Id: TypeAlias = str | int
    Object: TypeAlias = dict[str, object]
    News: TypeAlias = "CallStarted | CallCancelled | Answered"
    Event: TypeAlias = "Send | Remark | News"


MAX_CLIENT_NAME = 128
"""Characters kept of what a client calls itself."""

MAX_BATCH = 64
"""Messages in one array. Without a limit a 4 MiB line of `1,1,1,…` would be answered with two million errors."""


class Client:
    """Who is at the other end: of a whole conversation (legacy), or of one request (modern).

    Attributes:
        version: the revision it speaks.
        modern: true for 2026-07-28, where the server may not send requests.
        name: what it calls itself, "" when unknown. A claim, for display only.
        capabilities: what it says it can do, as it came.
    """

    __slots__ = ("capabilities", "modern", "name", "version")

    def __init__(self, version: str, modern: bool, info: Object, capabilities: Object) -> None:
        name = info.get("name")
        self.version = version
        self.modern = modern
        self.name = name[:MAX_CLIENT_NAME] if isinstance(name, str) else ""
        self.capabilities = capabilities


class Batch:
    """The answers to one array of messages, which leave together in one array (2025-03-26, "Batching").

    Attributes:
        open: answers that are still to come.
    """

    __slots__ = ("_answers", "open")

    def __init__(self) -> None:
        self._answers: list[Object] = []
        self.open = 0

    def add(self, message: Object) -> None:
        """Keep one answer more."""
        self._answers.append(message)

    def flush(self) -> bytes:
        """Return the array, once.

        Return b"" while answers are open, and when there is nothing to say (JSON-RPC 2.0, section 6).
        """
        if self.open or not self._answers:
            return b""
        answers, self._answers = self._answers, []
        return encode(answers)

    def abandon(self) -> bytes:
        """Return what is answered so far: the conversation ends, and the open answers will not come."""
        self.open = 0
        return self.flush()


class Call:
    """A `tools/call` of a tool that we have, whose parameters have the right form.

    Attributes:
        id: the client's request id, a string or an integer, as it came.
        tool: one of `schema.NAMES`.
        arguments: as the agent sent them, unread; {} when absent or null.
        client: who calls.
        progress_token: None when no progress is wanted; 0 and "" are tokens.
        input_responses, request_state: what a modern client repeats a call with; hostile until proven. {} and None
            else.
        batch: the array that the call came in; None when it came alone.
        reported: the notes of progress so far.
    """

    __slots__ = (
        "arguments",
        "batch",
        "client",
        "id",
        "input_responses",
        "progress_token",
        "reported",
        "request_state",
        "tool",
    )

    def __init__(
        self,
        id: Id,
        tool: str,
        arguments: Object,
        client: Client,
        *,
        progress_token: Id | None = None,
        input_responses: Object | None = None,
        request_state: str | None = None,
        batch: Batch | None = None,
    ) -> None:
        self.id = id
        self.tool = tool
        self.arguments = arguments
        self.client = client
        self.progress_token = progress_token
        self.input_responses: Object = input_responses if input_responses is not None else {}
        self.request_state = request_state
        self.batch = batch
        self.reported = 0

    def __repr__(self) -> str:
        return f"<Call {self.tool} {self.id!r}>"  # its arguments are nobody's business but the tool's


class Send:
    """Bytes for the client: whole lines, to be written in the order of the events."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Send) and other.data == self.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f"Send({len(self.data)} bytes)"  # they may hold a link


class CallStarted:
    """The agent calls a tool: answer it once with `Session.answer`, unless it is cancelled before."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        self.call = call

    def __repr__(self) -> str:
        return f"CallStarted({self.call!r})"


class CallCancelled:
    """The client gave this call up: free what waits for it. `Session.answer` returns b"" for it from now on."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        self.call = call

    def __repr__(self) -> str:
        return f"CallCancelled({self.call!r})"


class Answered:
    """The client's answer to a request of ours: `result`, or the JSON-RPC `error`; the other is None."""

    __slots__ = ("error", "id", "result")

    def __init__(self, id: str, result: Object | None, error: Object | None) -> None:
        self.id = id
        self.result = result
        self.error = error

    def __repr__(self) -> str:
        return f"Answered({self.id!r}, {'result' if self.error is None else 'error'})"


class Remark:
    """A line for the log about something odd that came; never holds what came."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remark) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Remark({self.text!r})"
