"""Rules: how a value looks, as data. checks.py applies them here, and the page's script applies the same ones.

docs/protocol/http.md ("Rules") has their objects. Only `FormatRule` refuses a value. All other rules warn, since a
provider may have changed its keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Form:
    """One known form of a key.

    Attributes:
        prefixes: it starts with one of these; () for anything.
        min, max: its length in characters.
        of: the characters of the whole, as the inside of a regular expression's class; "" for any.
        holds: a text that stands somewhere in it.
    """

    prefixes: tuple[str, ...] = ()
    min: int = 1
    max: int = 1 << 20
    of: str = ""
    holds: str = ""

    def as_object(self) -> JsonObject:
        """The form as the page gets it."""
        members: JsonObject = {"prefix": list(self.prefixes)} if self.prefixes else {}
        members |= {"min": self.min, "max": self.max}
        members |= {"of": self.of} if self.of else {}
        return members | ({"holds": self.holds} if self.holds else {})


@dataclass(frozen=True, slots=True)
class StartsWith:
    """Every known key starts with one of these."""

    prefixes: tuple[str, ...]

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "starts_with", "prefix": list(self.prefixes)}


@dataclass(frozen=True, slots=True)
class Usually:
    """Most keys start with one of these; others are fine, too."""

    prefixes: tuple[str, ...]

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "usually", "prefix": list(self.prefixes)}


@dataclass(frozen=True, slots=True)
class Length:
    """Characters of the value, both ends included."""

    min: int
    max: int

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "length", "min": self.min, "max": self.max}


@dataclass(frozen=True, slots=True)
class Charset:
    """Every character is one of these: the inside of a regular expression's class."""

    of: str

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "charset", "of": self.of}


@dataclass(frozen=True, slots=True)
class FormatRule:
    """The value has a format. formats.toml explains the facts at its top.

    `firm`: the agent named the format, so a value of another one cannot work. Else a name suggested it.
    """

    format_id: str
    firm: bool = False
    min: int = 0
    max: int = 1 << 20
    strip: bool = False
    multiple: int = 1
    pattern: str = ""
    ignore_case: bool = False
    schemes: tuple[str, ...] = ()
    host: bool = False
    parse: str = ""
    begins: str = ""
    odd: str = ""

    def as_object(self) -> JsonObject:
        """The rule as the page gets it: facts that are not given are left out."""
        members: JsonObject = {"id": "format", "is": self.format_id}
        for name in FORMAT_FACTS:
            value = getattr(self, name)
            if value != getattr(_NO_FACTS, name):
                members[name] = list(value) if isinstance(value, tuple) else value
        return members


FORMAT_FACTS = (
    "firm", "min", "max", "strip", "multiple", "pattern", "ignore_case", "schemes", "host", "parse", "begins", "odd",
)  # fmt: skip
_NO_FACTS = FormatRule("")


@dataclass(frozen=True, slots=True)
class Either:
    """The value has one of several known forms."""

    forms: tuple[Form, ...]

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "either", "forms": [form.as_object() for form in self.forms]}


@dataclass(frozen=True, slots=True)
class Generated:
    """offprompt can make the value: `bytes` of randomness, encoded. One that a person brings should be as long."""

    bytes: int
    encoding: str

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "generated", "bytes": self.bytes, "encoding": self.encoding}


@dataclass(frozen=True, slots=True)
class Exposed:
    """Build tools copy the value into every visitor's browser, as its name starts with `prefix`.

    `secret`: the name is a secret key's. Else only the value tells.
    """

    prefix: str
    secret: bool

    def as_object(self) -> JsonObject:
        """The rule as the page gets it."""
        return {"id": "exposed", "prefix": self.prefix, "secret": self.secret}


Rule = StartsWith | Usually | Length | Charset | FormatRule | Either | Generated | Exposed


def form_of(members: Mapping[str, Any]) -> Form:
    """A form from its object."""
    prefixes, of, holds = tuple(members.get("prefix", ())), members.get("of", ""), members.get("holds", "")
    return Form(prefixes, members["min"], members["max"], of, holds)


def rule_of(members: Mapping[str, Any]) -> Rule:
    """Return the rule of an object, as built.json and the page's data hold it.

    Raises:
        KeyError: there is no such rule, or a fact is missing.
    """
    return _READERS[members["id"]](members)


def rules_of(objects: Iterable[Mapping[str, Any]]) -> tuple[Rule, ...]:
    """Return the rules of a key, from their objects."""
    return tuple(_READERS[members["id"]](members) for members in objects)


def format_rule(members: Mapping[str, Any]) -> FormatRule:
    """The rule of a format from its object."""
    facts = {name: members[name] for name in FORMAT_FACTS if name in members}
    if "schemes" in facts:
        facts["schemes"] = tuple(facts["schemes"])
    return FormatRule(members["is"], **facts)


_READERS: dict[str, Callable[[Mapping[str, Any]], Rule]] = {
    "starts_with": lambda members: StartsWith(tuple(members["prefix"])),
    "usually": lambda members: Usually(tuple(members["prefix"])),
    "length": lambda members: Length(members["min"], members["max"]),
    "charset": lambda members: Charset(members["of"]),
    "format": format_rule,
    "either": lambda members: Either(tuple(form_of(form) for form in members["forms"])),
    "generated": lambda members: Generated(members["bytes"], members["encoding"]),
    "exposed": lambda members: Exposed(members["prefix"], members["secret"]),
}
