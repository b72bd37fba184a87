"""How often a link takes a press of the button."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from offprompt import errors

if TYPE_CHECKING:
    from offprompt.request.record import Record

TRIES = 20
"""Posts that one link takes in `TRIES_WINDOW`: more than a person presses a button, too few to grind on."""
TRIES_WINDOW = 60.0
"""Seconds."""


class Tries:
    """The posts of the last minute to each link, by its token."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}  # who tried last stands last

    def __len__(self) -> int:
        return len(self._times)

    def count(self, record: Record, now: float) -> None:
        """Count one more try at `now`.

        Raises:
            TooOften: there were `TRIES` in the last `TRIES_WINDOW` seconds; its `seconds` says when to come back. A try
                that is refused does not count, so that waiting always helps.
        """
        for token, times in tuple(self._times.items()):
            if times[-1] + TRIES_WINDOW > now:
                break
            del self._times[token]
        times = self._times.pop(record.token, deque())
        while times and times[0] + TRIES_WINDOW <= now:
            times.popleft()
        allowed = len(times) < TRIES
        if allowed:
            times.append(now)
        self._times[record.token] = times
        if not allowed:
            raise errors.TooOften(seconds=max(1, math.ceil(times[0] + TRIES_WINDOW - now)))
