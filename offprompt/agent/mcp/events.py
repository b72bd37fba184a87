"""What happens in an MCP conversation: the events a session reports, and the call they are about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from offprompt.agent.mcp.batch import Batch

    Id: TypeAlias = str | int
    Object: TypeAlias = dict[str, object]
    News: TypeAlias = "CallStarted | CallCancelled | Answered"
    Event: TypeAlias = "Send | Remark | News"


MAX_CLIENT_NAME = 128
"""Characters kept of what a client calls itself."""


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
        self.version = version
        self.modern = modern
        self.name = _short(info.get("name"))
        self.capabilities = capabilities


class Call:
    """A `tools/call` of a tool we have, whose parameters have the right form.

    Attributes:
        id: the client's request id, a string or an integer, as it came.
        tool: one of `schema.NAMES`.
        arguments: as the agent sent them, not looked at; {} when absent or null.
        client: who calls. `modern`, `version`, `client_name` and `capabilities` are its.
        progress_token: None when no progress is wanted; 0 and "" are tokens.
        input_responses, request_state: what a modern client repeats a call with; hostile until proven. {} and None
            else.
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

    @property
    def modern(self) -> bool:
        """Whether the call is spoken in 2026-07-28."""
        return self.client.modern

    @property
    def version(self) -> str:
        """The revision that the call is spoken in."""
        return self.client.version

    @property
    def client_name(self) -> str:
        """What the host calls itself, "" when unknown."""
        return self.client.name

    @property
    def capabilities(self) -> Object:
        """What the client says it can do."""
        return self.client.capabilities


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


def _short(name: object) -> str:
    return name[:MAX_CLIENT_NAME] if isinstance(name, str) else ""
