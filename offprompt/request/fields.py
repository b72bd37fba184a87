"""What the page shows for one requested value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from offprompt.request.spec import Generate


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
