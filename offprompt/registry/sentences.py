"""Rules and refusals as English sentences, for terminals and refused submissions. The page has its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from offprompt.registry.checks import check, failures
from offprompt.registry.formats import phrase
from offprompt.text import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.registry.findings import Line
    from offprompt.registry.rules import Rule

_HEX = "hexadecimal digits"
_LETTERS = {"all": "letters", "capital": "capital letters", "small": "small letters"}
_SIGNS = {" ": "blanks"}


def rules_in_words(rules: Sequence[Rule]) -> tuple[str, ...]:
    """Return what a value should look like, a short line for each rule."""
    return tuple(words(line) for line in check(None, rules, ""))


def refusals(rules: Sequence[Rule], value: str) -> tuple[str, ...]:
    """Return why `value` is refused, as sentences without any part of it; () when it is not."""
    return tuple(_refusal(line.facts) for line in failures(rules, value))


def words(line: Line) -> str:
    """Return the rule behind a line."""
    facts = line.facts
    if line.line_id == "exposed":
        return f"secret, yet names that start with {facts['prefix']} are built into what every visitor's browser gets"
    if line.line_id == "starts_with":
        return f"starts with {listed(facts['prefixes'], 'or')}"
    if line.line_id == "usually":
        return f"usually starts with {listed(facts['prefixes'], 'or')}"
    if line.line_id == "length":
        return _length(facts)
    if line.line_id == "charset":
        return _characters(facts)
    if line.line_id == "format":
        return phrase(facts["format"])
    if line.line_id == "either":
        return "either " + ", or ".join(_form(form) for form in facts["forms"])
    return f"{facts['bytes']} random bytes or more as {facts['encoding']}"


def _refusal(facts: dict[str, Any]) -> str:
    what = phrase(facts["format"])
    if facts["why"] == "broken":
        return f"This starts like {what}, but cannot be read as one. Copy it again, as a whole."
    return f"This is not {what}, which is what the project reads here."


def _form(facts: dict[str, Any]) -> str:
    parts = [f"starts with {listed(facts['prefixes'], 'or')}"] if facts["prefixes"] else []
    signs = _characters(facts)
    return " and has ".join([*parts, f"{_length(facts)}" + (f" ({signs})" if signs else "")])


def _length(facts: dict[str, Any]) -> str:
    least, most = facts["min"], facts["max"]
    return f"exactly {least} characters" if least == most else f"{least} to {most} characters"


def _characters(facts: dict[str, Any]) -> str:
    kinds = [_LETTERS[facts["letters"]]] if facts["letters"] else []
    kinds += [_HEX] if facts["hex"] else ["digits"] if facts["digits"] else []
    return listed([*kinds, *(_SIGNS.get(sign, sign) for sign in facts["signs"])]) if kinds else ""
