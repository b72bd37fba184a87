"""What the page shows for one requested value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from offprompt.registry.known import known

if TYPE_CHECKING:
    from offprompt.request.spec import Entry, Generate


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the page.

    `label` says what kind of value it is ("Stripe secret key"), `caption` are the agent's own words, `url` is where the
    value is made (from the registry, so it may be a link), `rules` are lines a value is checked by.
    """

    name: str
    label: str = ""
    caption: str = ""
    secret: bool = True
    multiline: bool = False
    url: str = ""
    rules: tuple[str, ...] = ()
    generate: Generate | None = None


def describe(entry: Entry) -> Field:
    """The field for `entry`: the agent's words, and what the registry knows of the value.

    Raises:
        UnknownProvider, UnclearProvider, UnknownFormat: the entry names something that the registry does not have.
    """
    facts = known(entry.name, provider=entry.provider, format_id=entry.format)
    return Field(
        name=entry.name,
        label=facts.label,
        caption=entry.caption,
        secret=facts.secret if entry.secret is None else entry.secret,
        multiline=facts.multiline,
        url=facts.url,
        generate=entry.generate,
    )
