"""Figures as a table that can stand in a document, with the budget beside what was measured."""

from __future__ import annotations

import platform
from collections.abc import Sequence


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    cells = [[f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    print(f"\n{title} (Python {platform.python_version()}, {platform.machine()})\n")
    for row in [list(columns), ["---"] * len(columns), *cells]:
        print("| " + " | ".join(row) + " |")


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
