"""What checks say of a value: a line for each rule, and one for the whole. docs/protocol.md ("Rules") has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["pass", "pending", "warn", "fail"]
"""`pending`: nothing can be said yet. `warn`: probably wrong; let through when a person insists. `fail`: refused."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one rule says: its id, its state, and the facts that its words need."""

    line_id: str
    state: State
    facts: dict[str, Any] = field(default_factory=dict)

    def as_object(self) -> dict[str, Any]:
        """The line as the page's script has it."""
        return {"id": self.line_id, "state": self.state, **self.facts}


@dataclass(frozen=True, slots=True)
class Summary:
    """What the whole says when nothing stands against it: `looks_like`, `fits` or `is`, and the facts of its words."""

    summary_id: str
    facts: dict[str, Any]

    def as_object(self) -> dict[str, Any]:
        """The summary as the page's script has it."""
        return {"id": self.summary_id, **self.facts}


@dataclass(frozen=True, slots=True)
class Checked:
    """All that can be said of a value."""

    lines: tuple[Line, ...]
    summary: Summary | None

    @property
    def blocks(self) -> bool:
        """Whether the value is refused."""
        return any(line.state == "fail" for line in self.lines)

    @property
    def warns(self) -> bool:
        """Whether a person should look twice."""
        return any(line.state == "warn" for line in self.lines)
