"""What the registry says of a value, before and after it is typed, in words for a terminal. Pure.

The page runs the same checks. The rules are those of our own registry: the service's data only name the key and the
format, so that no expression of somebody else's is ever run. No line holds any part of the value.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from offprompt import errors
from offprompt.registry.checks import check
from offprompt.registry.formats import phrase
from offprompt.registry.lookup import facts_of
from offprompt.registry.rules import Exposed
from offprompt.registry.sentences import refusals, rules_in_words, words
from offprompt.registry.space import SPACE

if TYPE_CHECKING:
    from offprompt.cli.fill.request import AskedValue
    from offprompt.registry.findings import Line
    from offprompt.registry.lookup import FieldFacts

_SAY_IT_ALL = ("other_key", "sibling")
"""Whose key a value is says more than how it differs from the one that is asked for."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """Sentences about a value: `refused` are those by which no service takes it, `doubts` leave it to the person."""

    refused: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()


def expectations(asked: AskedValue) -> tuple[str, ...]:
    """Return how the value should look, a few words for each rule."""
    return rules_in_words(tuple(rule for rule in _facts(asked).rules if not isinstance(rule, Exposed)))


def remarks(asked: AskedValue, value: str) -> Remarks:
    """Return what stands against `value` as an answer to `asked`."""
    if not value:
        return Remarks()
    facts = _facts(asked)
    refused = refusals(facts.rules, value)
    lines = [line for line in check(facts.key, facts.rules, value) if line.state == "warn"]
    foreign = [line for line in lines if line.line_id in _SAY_IT_ALL]
    heeded = [*foreign, *(line for line in lines if line.line_id == "exposed")] if foreign else lines
    return Remarks(refused, (*map(_sentence, heeded), *_form(value, multiline=asked.multiline)))


def _facts(asked: AskedValue) -> FieldFacts:
    """Return what we know of the value; by its name alone where we do not have the service's key or format."""
    try:
        return facts_of(asked.name, provider=asked.key_id, format_id="" if asked.key_id else asked.format_id)
    except errors.OffpromptError:
        return facts_of(asked.name)


def _sentence(line: Line) -> str:
    facts = line.facts
    if line.line_id == "other_key":
        return f"This looks like {'an' if facts['an'] else 'a'} {facts['provider']} {facts['label']}."
    if line.line_id == "sibling":
        where = " from the same page" if facts["same_page"] else ""
        return f"This is the {facts['label']}. What is asked for is the {facts['own']}{where}."
    if line.line_id == "placeholder":
        return "A part of it is still a placeholder, as the console shows it."
    if line.line_id == "exposed":
        return (
            f"A name that starts with {facts['prefix']} is built into what every visitor's browser gets, and this key "
            "is secret."
        )
    if line.line_id == "format":
        return _of_format(facts)
    if line.line_id == "length":
        return f"It has {facts['n']} characters. Usual are {words(line)}."
    if line.line_id == "charset":
        return f"It holds other characters than {words(line)}."
    return f"It does not look as usual: {words(line)}."


def _of_format(facts: dict[str, Any]) -> str:
    what = phrase(facts["format"])
    return f"It is not written as {what} usually is." if facts["why"] == "odd" else f"It does not look like {what}."


def _form(value: str, *, multiline: bool) -> list[str]:
    """Return what a person cannot see on a screen that does not show what they type."""
    found = []
    if value.strip(SPACE) != value and not multiline:
        found.append("There is space at its ends.")
    allowed = "\t\r\n" if multiline else "\t"
    if any(unicodedata.category(letter) == "Cc" and letter not in allowed for letter in value):
        found.append("It holds a control character, which nobody can see.")
    return found
