"""What the page's check says beyond the lines, in Python: the reference that its script is held against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from offprompt.registry.checks import check
from offprompt.registry.expected_key import ExpectedKey
from offprompt.registry.findings import Line
from offprompt.registry.origin import Origin, prefixes_of
from offprompt.registry.owner import Owner, candidates, owner_of
from offprompt.registry.rules import Exposed, FormatRule, Rule
from offprompt.registry.space import SPACE

TELL_NOTHING = ("text", "password", "random_secret")
"""Formats that match nearly any text; the page does not name them."""

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WholeCheck:
    """Lines, and what the page says where nothing stands against a value."""

    lines: tuple[Line, ...]
    summary: Object | None

    @property
    def blocks(self) -> bool:
        return any(line.state == "fail" for line in self.lines)

    @property
    def warns(self) -> bool:
        return any(line.state == "warn" for line in self.lines)


def check_whole(key: ExpectedKey | None, rules: Sequence[Rule], value: str, *, typing: bool = False) -> WholeCheck:
    text = value.strip(SPACE)
    lines = check(key, rules, value, typing=typing)
    settled = text and all(line.state == "pass" or line.line_id == "usually" for line in lines)
    return WholeCheck(lines, _summary(Origin.of(key, rules, text)) if settled else None)


def recognised(value: str) -> Owner | None:
    """Whose key `value` surely is."""
    return owner_of(candidates(value.strip(SPACE))[1])


def _summary(origin: Origin) -> Object | None:
    key, owner = origin.key, origin.owner()
    formats = [rule.format_id for rule in origin.rules if isinstance(rule, FormatRule)]
    kinds = [format_id for format_id in formats if format_id not in TELL_NOTHING]
    if key is None:
        if owner:
            return {"id": "looks_like", "provider": owner.provider, "label": owner.label, "an": owner.an}
        return {"id": "is", "format": kinds[0]} if kinds else None
    if all(isinstance(rule, Exposed) for rule in origin.rules):
        return None
    telling = any(origin.text.startswith(prefix) for prefix in prefixes_of(origin.rules) if prefix not in key.vague)
    sure = origin.mine and owner is not None if origin.key_ids else telling
    label = owner.label if owner and origin.mine and key.key_id not in origin.key_ids else key.label
    return {"id": "looks_like" if sure else "fits", "provider": key.provider, "label": label, "an": key.an}
