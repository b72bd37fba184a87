"""A value held against what is known about it: one line for each rule, and what to say of the whole.

The page runs the same checks while a person types (offprompt/page/script/checks/, proven equal by
tests/registry/test_twins.py); this is the reference, and what a submission has to pass. docs/protocol.md ("Rules") has
the lines. No line holds any part of the value.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Literal

from offprompt.registry.charsets import characters, only
from offprompt.registry.recognise import Kind, Named, claims, kind_of, matched_prefix, named, near_claims
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
from offprompt.registry.space import trim
from offprompt.registry.verdicts import placeholder_left, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

State = Literal["pass", "pending", "warn", "fail"]
"""`pending`: nothing can be said yet. `warn`: probably wrong; let through when a person insists. `fail`: refused."""

TELL_NOTHING = ("text", "password", "random_secret")
"""Formats that nearly every text has: to be of one of them is worth no word."""


@dataclass(frozen=True, slots=True)
class Issued:
    """Which key of which provider is asked for: its id (`stripe/secret_key`), who issues it, what it is called.

    Attributes:
        provider, label: "Stripe", "secret key".
        an: "an" goes before the provider's name.
        kind: what it is for.
        formed: its forms are known, so that what has another's form is another's.
        vague: prefixes that it shares with others, or that are too short to tell it.
        same_page: the provider's other keys that a person finds on the same page, by their short ids.
        also: other keys that the same variable may hold, by their short ids.
    """

    key_id: str
    provider: str
    label: str
    an: bool
    kind: Kind
    formed: bool
    vague: tuple[str, ...] = ()
    same_page: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def as_object(self) -> dict[str, Any]:
        """The key as the page gets it."""
        members = {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in asdict(self).items()}
        return {"id": members.pop("key_id"), **members}


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


def check(key: Issued | None, rules: Sequence[Rule], value: str, *, typing: bool = False) -> Checked:
    """Hold `value` against `rules`, and against the forms of all keys.

    Args:
        key: which key is asked for, if that is known.
        rules: what is known about how the value looks.
        value: as it was typed; spaces at its ends do not count.
        typing: it is still being typed, so what more characters could mend is `pending`.
    """
    text = trim(value)
    origin = _Origin.of(key, rules, text)
    said = [origin.line(), _placeholder(text)]
    said += [_exposed(rule, origin) if isinstance(rule, Exposed) else _line(rule, text, typing) for rule in rules]
    lines = [line for line in said if line]
    settled = text and all(line.state == "pass" or line.line_id == "usually" for line in lines)
    return Checked(tuple(lines), origin.summary() if settled else None)


def failures(rules: Sequence[Rule], value: str) -> tuple[Line, ...]:
    """The lines by which `value` is refused, alone: what a service has to know before it writes."""
    text = trim(value)
    lines = (_line(rule, text, False) for rule in rules if isinstance(rule, FormatRule))
    return tuple(line for line in lines if line.state == "fail")


def _state(good: bool, *, hope: bool) -> State:
    return "pass" if good else "pending" if hope else "warn"


@dataclass(frozen=True, slots=True)
class _Origin:
    """Whose key a text is, beside whose it should be."""

    key: Issued | None
    rules: Sequence[Rule]
    text: str
    explained: int
    key_ids: tuple[str, ...]
    own: int

    @staticmethod
    def of(key: Issued | None, rules: Sequence[Rule], text: str) -> _Origin:
        explained, key_ids = claims(text)
        own = max((len(prefix) for prefix in _prefixes(rules) if text.startswith(prefix)), default=0)
        return _Origin(key, rules, text, explained, key_ids, own)

    @property
    def _mine(self) -> bool:
        assert self.key is not None
        provider = self.key.key_id.partition("/")[0]
        return not {self.key.key_id, *(f"{provider}/{short}" for short in self.key.also)}.isdisjoint(self.key_ids)

    @property
    def _outweighed(self) -> bool:
        """Whether the own rules explain less of the text than a form of another key does."""
        assert self.key is not None
        return self.own < self.explained or (self.own == self.explained and self.key.formed)

    def named(self) -> Named | None:
        return named(self.key_ids) if self.key_ids else None

    def line(self) -> Line | None:
        """The line that says whose it is, when it is not the key that is asked for."""
        if self.key is None or self._mine:
            return None
        provider = self.key.key_id.partition("/")[0]
        key_ids = self.key_ids
        if not key_ids and not self.own:
            key_ids = tuple(
                key_id
                for key_id in near_claims(self.text)
                if key_id.startswith(f"{provider}/") and kind_of(key_id) != self.key.kind
            )
        elif not self._outweighed:
            return None
        name = named(key_ids) if key_ids else None
        if name is None:
            return None
        if all(key_id.startswith(f"{provider}/") for key_id in key_ids):
            if len(key_ids) > 1:
                return None
            same_page = key_ids[0].partition("/")[2] in self.key.same_page
            return Line("sibling", "warn", {"label": name.label, "own": self.key.label, "same_page": same_page})
        return Line("other_key", "warn", {"provider": name.provider, "label": name.label, "an": name.an})

    def summary(self) -> Summary | None:
        """What nothing stands against."""
        formats = [rule.format_id for rule in self.rules if isinstance(rule, FormatRule)]
        kinds = [format_id for format_id in formats if format_id not in TELL_NOTHING]
        if self.key is None:
            name = self.named()
            if name:
                return Summary("looks_like", {"provider": name.provider, "label": name.label, "an": name.an})
            return Summary("is", {"format": kinds[0]}) if kinds else None
        if all(isinstance(rule, Exposed) for rule in self.rules):
            return None
        name = self.named()
        telling = any(self.text.startswith(prefix) for prefix in _prefixes(self.rules) if prefix not in self.key.vague)
        sure = self._mine and name is not None if self.key_ids else telling
        label = self.key.label
        if name and self._mine and self.key.key_id not in self.key_ids:
            label = name.label
        facts = {"provider": self.key.provider, "label": label, "an": self.key.an}
        return Summary("looks_like" if sure else "fits", facts)


def _placeholder(text: str) -> Line | None:
    return Line("placeholder", "warn") if placeholder_left(text) else None


def _exposed(rule: Exposed, origin: _Origin) -> Line | None:
    found = origin.named()
    secret = rule.secret if found is None or found.secret is None else found.secret
    return Line("exposed", "warn", {"prefix": rule.prefix}) if secret else None


def _prefixes(rules: Sequence[Rule]) -> list[str]:
    found: list[str] = []
    for rule in rules:
        if isinstance(rule, StartsWith | Usually):
            found += rule.prefixes
        elif isinstance(rule, Either):
            found += [prefix for form in rule.forms for prefix in form.prefixes]
    return found


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
