"""What happens in an MCP conversation: the events a session reports, and the call they are about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from offprompt.agent.batch import Batch

    Id: TypeAlias = str | int
    Object: TypeAlias = dict[str, object]
    News: TypeAlias = "CallStarted | CallCancelled | Answered"
    Event: TypeAlias = "Send | Remark | News"


class Call:
    """A `tools/call` of a tool we have, whose parameters have the right form.

    Attributes:
        id: the client's request id, a string or an integer, as it came.
        tool: one of `tools.NAMES`.
        arguments: as the agent sent them, not looked at; {} when absent or null.
        modern: true for 2026-07-28, where the server may not send requests (see `Session.may_elicit`).
        version: the revision that this call is spoken in.
        client_name, client_title: what the host calls itself, at most `MAX_CLIENT_NAME` characters; "" when unknown. A
            claim, for display only.
        capabilities: the client's, of this call (modern) or of the handshake.
        meta: the call's `_meta`.
        progress_token: None when no progress is wanted; 0 and "" are tokens.
        input_responses, request_state: what a modern client repeats a call with; hostile until proven. {} and None
    else.
    """

    __slots__ = (
        "arguments",
        "batch",
        "capabilities",
        "client_name",
        "client_title",
        "id",
        "input_responses",
        "meta",
        "modern",
        "progress_token",
        "reported",
        "request_state",
        "tool",
        "version",
    )

    def __init__(
        self,
        id: Id,
        tool: str,
        arguments: Object,
        *,
        modern: bool,
        version: str,
        client_name: str,
        client_title: str,
        capabilities: Object,
        meta: Object,
        progress_token: Id | None = None,
        input_responses: Object | None = None,
        request_state: str | None = None,
        batch: Batch | None = None,
    ) -> None:
        self.id = id
        self.tool = tool
        self.arguments = arguments
        self.modern = modern
        self.version = version
        self.client_name = client_name
        self.client_title = client_title
        self.capabilities = capabilities
        self.meta = meta
        self.progress_token = progress_token
        self.input_responses: Object = input_responses if input_responses is not None else {}
        self.request_state = request_state
        self.batch = batch
        self.reported = 0


class Send:
    """Bytes for the client: whole lines, to be written in the order of the events."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class CallStarted:
    """The agent calls a tool: to be answered once with `Session.answer`, unless it is cancelled before."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        self.call = call


class CallCancelled:
    """The client gave this call up: free what waits for it. Nothing more is sent for it, whoever tries."""

    __slots__ = ("call",)

    def __init__(self, call: Call) -> None:
        self.call = call


class Answered:
    """The client's answer to a request of ours: `result`, or the JSON-RPC `error`; the other is None."""

    __slots__ = ("error", "id", "result")

    def __init__(self, id: str, result: Object | None, error: Object | None) -> None:
        self.id = id
        self.result = result
        self.error = error


class Remark:
    """A line for the log about something odd that came; never holds what came."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text
