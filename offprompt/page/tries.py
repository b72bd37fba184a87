"""How often one link may be tried."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from offprompt import errors
from offprompt.http.limits import TRIES, TRIES_WINDOW

if TYPE_CHECKING:
    from offprompt.request.record import Record


class Tries:
    """The posts of the last minute, for each request; forgotten with it."""

    def __init__(self) -> None:
        self._times: WeakKeyDictionary[Record, deque[float]] = WeakKeyDictionary()

    def count(self, record: Record, now: float) -> None:
        """One more try at `now`.

        Raises:
            TooOften: there were `TRIES` in the last `TRIES_WINDOW` seconds; its `seconds` says when to come back. A try
                that is refused does not count, so that waiting always helps.
        """
        times = self._times.setdefault(record, deque())
        while times and times[0] + TRIES_WINDOW <= now:
            times.popleft()
        if len(times) >= TRIES:
            raise errors.TooOften(seconds=max(1, math.ceil(times[0] + TRIES_WINDOW - now)))
        times.append(now)
