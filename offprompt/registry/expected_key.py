"""Which key of which provider is asked for: what a check has to know of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Kind = Literal["secret", "public", "webhook"]
"""What a key is for, whoever's it is: kept secret, shown to everybody, or to check what a webhook sends."""


@dataclass(frozen=True, slots=True)
class ExpectedKey:
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
        """Return the key as the page gets it."""
        members = {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in asdict(self).items()}
        return {"id": members.pop("key_id"), **members}
