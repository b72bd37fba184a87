"""The answers to one array of messages, which belong together in one array (2025-03-26, "Batching")."""

from __future__ import annotations

from offprompt.agent.mcp.framing import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Object

MAX_BATCH = 64
"""Messages in one array. Without a limit a 4 MiB line of `1,1,1,…` would be answered with two million errors."""


class Batch:
    """Collects answers until none is open any more."""

    __slots__ = ("_answers", "open")

    def __init__(self) -> None:
        self._answers: list[Object] = []
        self.open = 0
        """Answers that are still to come."""

    def add(self, message: Object) -> None:
        """One answer more."""
        self._answers.append(message)

    def flush(self) -> bytes:
        """The array, once; b"" while answers are open, when there is nothing to say (JSON-RPC 2.0, section 6), and
        later."""
        if self.open or not self._answers:
            return b""
        answers, self._answers = self._answers, []
        return encode(answers)

    def abandon(self) -> bytes:
        """What has been answered so far: the conversation ends, the open ones will not be answered any more."""
        self.open = 0
        return self.flush()
