"""What a check finds: a line for each rule. docs/protocol/http.md ("Rules") has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["pass", "pending", "warn", "fail"]
"""`pending`: it is too early to say. `warn`: probably wrong, a person may insist. `fail`: refused."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one rule says of a value: its id, its state, and the facts that its words need."""

    line_id: str
    state: State
    facts: dict[str, Any] = field(default_factory=dict)

    def as_object(self) -> dict[str, Any]:
        """Return the line as the page's script has it."""
        return {"id": self.line_id, "state": self.state, **self.facts}
