"""How the time of something grows with its input: told by ratio, so that it holds on a slow or busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

LINEAR = 24.0
"""What three doublings of the input stay under: linear work gives 8 or a little more, quadratic work gives 64."""

MEASURABLE = 0.001
"""Seconds of CPU from which a measurement is more than the clock's noise."""
LARGEST = 1 << 17
"""Units of input at which a search for a measurable time ends: what is still faster is linear."""
RUNS = 3


def growth(make: Callable[[int], T], use: Callable[[T], object], *, start: int = 64) -> float:
    """Return how many times longer `use` takes for an input eight times as large.

    `make(n)` gives an input of about `n` units. Its size grows from `start` until `use` takes a measurable time. Each
    time is the CPU of this thread, the least of several runs. The measurement ends early once the ratio is too large.
    Work that grows exponentially does not end here: the test's own time limit ends it.
    """
    size = start
    least = _least(use, make(size))
    while least < MEASURABLE and size < LARGEST:
        size *= 2
        least = _least(use, make(size))
    if least < MEASURABLE:
        return 1.0
    ratio = 1.0
    for factor in (2, 4, 8):
        ratio = _least(use, make(size * factor)) / least
        if ratio > 2 * LINEAR:
            break
    return ratio


def _least(use: Callable[[T], object], given: T) -> float:
    times = []
    for _ in range(RUNS):
        before = time.thread_time()
        use(given)
        times.append(time.thread_time() - before)
        if times[-1] > 1:  # far from noise, and worth no second look
            break
    return min(times)
