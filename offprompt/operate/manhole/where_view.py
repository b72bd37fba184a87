"""What an operator sees of where the service runs, and why it thinks so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Where:
    """`place` is here, away or unclear; `reason` a sentence."""

    place: str
    reason: str

    def __repr__(self) -> str:
        return f"{self.place}: {self.reason}"
