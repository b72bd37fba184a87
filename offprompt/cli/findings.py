"""What the doctor found, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

State = Literal["good", "note", "bad"]
MARKS: dict[State, str] = {"good": "✓", "note": "·", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    `state` is good, note (neither good nor bad) or bad; `text` what was found, `advice` what to do about it or "".
    """

    subject: str
    state: State
    text: str
    advice: str = ""

    def line(self) -> str:
        """For people: a mark, the subject, what was found."""
        advice = f"\n    {'':13} {self.advice}" if self.advice else ""
        return f"  {MARKS[self.state]} {self.subject:13} {self.text}{advice}"


def as_json(findings: Sequence[Finding], *, works: bool) -> str:
    """For programs: `{"works": bool, "findings": [{"subject", "state", "text", "advice"}]}`."""
    listed = [{"subject": one.subject, "state": one.state, "text": one.text, "advice": one.advice} for one in findings]
    return json.dumps({"works": works, "findings": listed}, ensure_ascii=False, indent=2)
