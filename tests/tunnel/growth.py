"""How the time of a reader grows with what it reads."""

from __future__ import annotations

import time
from collections.abc import Callable

TOO_MUCH = 9.0
"""Four times the text takes 4 times as long where the time is linear, and 16 times where it is quadratic."""
LENGTH = 16_000
"""Characters of the shorter text. Much longer ones measure the processor's caches."""


def growth(read: Callable[[str], object], hostile: str) -> float:
    """Return how many times longer `read` takes for four times the text; time of this process alone."""
    short = hostile * (LENGTH // len(hostile))
    return _seconds(read, 4 * short) / _seconds(read, short)


def _seconds(read: Callable[[str], object], text: str) -> float:
    """The time of one reading: the best of five series that are long enough to be told from the clock's grain."""
    best = float("inf")
    for _ in range(5):
        count, began = 0, time.process_time()
        while time.process_time() - began < 0.003:
            read(text)
            count += 1
        best = min(best, (time.process_time() - began) / count)
    return best
