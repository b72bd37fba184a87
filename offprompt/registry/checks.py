"""A value held against what is known of it: a line for each rule. No line holds any part of the value.

The service refuses a submission for `failures` alone. `offprompt fill` warns with `check`, and the page with its twin
in offprompt/page/script/checks/, which tests/registry/test_twins.py holds equal. docs/protocol/http.md ("Rules") has
the lines.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from offprompt.registry.charsets import characters, only
from offprompt.registry.findings import Line, State
from offprompt.registry.origin import Origin
from offprompt.registry.owner import matched_prefix
from offprompt.registry.rules import (
    Charset,
    Either,
    Exposed,
    Form,
    FormatRule,
    Generated,
    Length,
    Rule,
    StartsWith,
    Usually,
)
from offprompt.registry.space import SPACE
from offprompt.registry.verdicts import placeholder_left, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.registry.expected_key import ExpectedKey


def check(key: ExpectedKey | None, rules: Sequence[Rule], value: str, *, typing: bool = False) -> tuple[Line, ...]:
    """Hold `value` against `rules`, and against the forms of all keys.

    Args:
        key: which key is asked for, if that is known.
        rules: what is known of how the value looks.
        value: as it was typed; spaces at its ends do not count.
        typing: the person still types, so what more characters can mend is `pending`. Only the page knows this.
    """
    text = value.strip(SPACE)
    origin = Origin.of(key, rules, text)
    said = [origin.line(), _placeholder(text)]
    said += [_exposed(rule, origin) if isinstance(rule, Exposed) else _line(rule, text, typing) for rule in rules]
    return tuple(line for line in said if line)


def failures(rules: Sequence[Rule], value: str) -> tuple[Line, ...]:
    """Return the lines by which a service refuses `value`."""
    text = value.strip(SPACE)
    lines = (_line(rule, text, False) for rule in rules if isinstance(rule, FormatRule))
    return tuple(line for line in lines if line.state == "fail")


def _state(good: bool, *, hope: bool) -> State:
    return "pass" if good else "pending" if hope else "warn"


def _exposed(rule: Exposed, origin: Origin) -> Line | None:
    found = origin.owner()
    secret = rule.secret if found is None or found.secret is None else found.secret
    return Line("exposed", "warn", {"prefix": rule.prefix}) if secret else None


def _placeholder(text: str) -> Line | None:
    return Line("placeholder", "warn") if placeholder_left(text) else None


@singledispatch
def _line(rule: Rule, text: str, typing: bool) -> Line:
    raise TypeError(rule)


@_line.register
def _(rule: StartsWith, text: str, typing: bool) -> Line:
    hope = not text or (typing and any(prefix.startswith(text) for prefix in rule.prefixes))
    return Line("starts_with", _state(text.startswith(rule.prefixes), hope=hope), {"prefixes": list(rule.prefixes)})


@_line.register
def _(rule: Usually, text: str, typing: bool) -> Line:
    return Line("usually", _state(text.startswith(rule.prefixes), hope=True), {"prefixes": list(rule.prefixes)})


@_line.register
def _(rule: Length, text: str, typing: bool) -> Line:
    count = len(text)
    hope = not text or (typing and count < rule.min)
    facts = {"min": rule.min, "max": rule.max, "n": count}
    return Line("length", _state(rule.min <= count <= rule.max, hope=hope), facts)


@_line.register
def _(rule: Charset, text: str, typing: bool) -> Line:
    return Line("charset", _state(bool(text) and only(text, rule.of), hope=not text), asdict(characters(rule.of)))


@_line.register
def _(rule: Either, text: str, typing: bool) -> Line:
    good = any(matched_prefix(form, text) is not None for form in rule.forms)
    facts = {"forms": [_form_facts(form) for form in rule.forms]}
    return Line("either", _state(bool(text) and good, hope=typing or not text), facts)


def _form_facts(form: Form) -> dict[str, Any]:
    facts = {"prefixes": list(form.prefixes), "min": form.min, "max": form.max}
    return {**facts, **asdict(characters(form.of))}


@_line.register
def _(rule: FormatRule, text: str, typing: bool) -> Line:
    why = verdict(rule, text) if text else ""
    state: State = "pass" if text and not why else "warn"
    if not text or (typing and why):
        state, why = "pending", ""
    elif why == "broken" or (why == "other" and rule.firm):
        state = "fail"
    return Line("format", state, {"format": rule.format_id, "why": why})


_ALPHABETS = {"hex": "0-9a-fA-F", "base64": "A-Za-z0-9+/", "base64url": "A-Za-z0-9_-"}
_PADDING = re.compile(r"={0,2}\Z")


@_line.register
def _(rule: Generated, text: str, typing: bool) -> Line:
    bare = text if rule.encoding == "hex" else _PADDING.sub("", text, count=1)
    encoded = only(bare, _ALPHABETS[rule.encoding])
    size = len(bare) // 2 if rule.encoding == "hex" else len(bare) * 3 // 4
    why = "" if not text else "encoding" if not encoded else "short" if size < rule.bytes else ""
    hope = not text or (typing and why == "short")
    state = _state(bool(text) and not why, hope=hope)
    facts = {"bytes": rule.bytes, "encoding": rule.encoding, "why": "" if state == "pending" else why}
    return Line("generated", state, facts)
