"""What the page shows for one requested value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from offprompt.registry.lookup import facts_of
from offprompt.registry.rules import Exposed, Generated

if TYPE_CHECKING:
    from offprompt.registry.expected_key import ExpectedKey
    from offprompt.registry.rules import Rule
    from offprompt.request.spec import Entry, Generate


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the page.

    `label` says what kind of value it is ("Stripe secret key"), `caption` are the agent's own words, `url` is where the
    value is made (from the registry, so it may be a link). `key` says whose key it is and `rules` how it looks, for
    `offprompt.registry.checks.check`: the page runs the same checks, and `judge` refuses what they refuse.
    """

    name: str
    label: str = ""
    caption: str = ""
    secret: bool = True
    multiline: bool = False
    url: str = ""
    key: ExpectedKey | None = None
    rules: tuple[Rule, ...] = ()
    generate: Generate | None = None


def describe(entry: Entry) -> Field:
    """Return the field for `entry`: the agent's words, and what the registry knows of the value.

    Raises:
        UnknownProvider, UnclearProvider, UnknownFormat: the entry names something that the registry does not have.
    """
    facts = facts_of(entry.name, provider=entry.provider, format_id=entry.format)
    rules = facts.rules
    if entry.generate:
        # What a provider's or a person's value would look like says nothing about one that we make.
        made = Generated(entry.generate.bytes, entry.generate.encoding)
        rules = (made, *(rule for rule in rules if isinstance(rule, Exposed)))
    return Field(
        name=entry.name,
        label=facts.label,
        caption=entry.caption,
        secret=facts.secret if entry.secret is None else entry.secret,
        multiline=facts.multiline,
        url=facts.url,
        key=facts.key,
        rules=rules,
        generate=entry.generate,
    )
