"""How far a public link has come: one sentence, for the log, for who started it and for agents that wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.logger import Logger

if TYPE_CHECKING:
    from collections.abc import Callable

_log = Logger()

UNDER_WAY = frozenset({"finding", "starting", "proving"})
"""States of a tunnel in which its last sentence still holds."""


class Progress:
    """The last sentence about the tunnel."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Hand every sentence to `tell`, too."""
        self._tell = tell
        self._last = ""

    def say(self, sentence: str) -> None:
        """Take, log and hand on what the tunnel does now."""
        self._last = sentence
        self._tell(sentence)
        _log.info("{sentence}", sentence=sentence)

    def phase(self, state: str) -> str:
        """Return the last sentence while a tunnel in `state` is on its way, else ""."""
        return self._last if state in UNDER_WAY else ""
