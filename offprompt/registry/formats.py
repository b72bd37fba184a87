"""Kinds of value that no single provider owns: an integer, a Postgres URL, a PEM text."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from offprompt import errors
from offprompt.registry.rules import FormatRule, format_rule
from offprompt.registry.tables import built

DEFAULT = "text"
"""The format of a value of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    Attributes:
        label: a short noun.
        multiline: line breaks belong to the value.
        secret: the value is hidden while it is typed.
        rule: what a value of this format looks like; None where any text will do.
    """

    format_id: str
    label: str
    multiline: bool
    secret: bool
    rule: FormatRule | None = None


def format_of(format_id: str, name: str) -> Format:
    """Return the format called `format_id`, which the entry `name` asks for.

    Raises:
        UnknownFormat: no format has this name. The sentence lists all formats, the nearest first.
    """
    formats = built()["formats"]
    plain = format_id.strip().lower()
    facts = formats.get(plain)
    if facts is None:
        near = get_close_matches(plain, formats, n=3)
        raise errors.UnknownFormat(name=name, formats=", ".join([*near, *(f for f in formats if f not in near)]))
    rule = format_rule(facts["rule"])
    says_something = rule != FormatRule(plain)
    return Format(plain, facts["label"], facts["multiline"], facts["secret"], rule if says_something else None)


def phrase(format_id: str) -> str:
    """Return a format's label with its article: "an integer", "true or false"."""
    facts = built()["formats"][format_id]
    return f"{facts['a']} {facts['label']}".strip()
