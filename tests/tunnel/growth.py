"""How the time of a reader grows with what it reads."""

from __future__ import annotations

import time
from collections.abc import Callable


def growth(read: Callable[[str], object], hostile: str) -> float:
    """Return how many times longer `read` takes for twice the text: about 2 where it is linear, 4 where quadratic."""

    def seconds(count: int) -> float:
        text = hostile * count
        taken = []
        for _ in range(3):
            began = time.perf_counter()
            read(text)
            taken.append(time.perf_counter() - began)
        return min(taken)

    count = 2000
    while seconds(count) < 0.005:  # long enough to be told from the clock's grain
        count *= 2
    return seconds(2 * count) / seconds(count)
