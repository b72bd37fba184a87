"""Keys and their providers, by the id that an agent gives or by a variable's usual name."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from offprompt import errors
from offprompt.registry.expected_key import ExpectedKey, Kind
from offprompt.registry.public_prefixes import plain_name
from offprompt.registry.rules import Rule, rules_of
from offprompt.registry.tables import built

MAX_NEAREST = 5
"""Names that a refusal offers: enough for a slip of the pen, short enough to read."""


@dataclass(frozen=True, slots=True)
class Key:
    """One kind of key of one provider.

    Attributes:
        key_id: `provider/key`, such as `stripe/webhook_secret`.
        label: a short noun without the provider's name.
        url: where a person gets one.
        secret: False when the value may be shown.
        browser: code that runs in browsers may hold it, although it is secret.
        format: a format's id or "".
        rules: what else is known of how the value looks.
        expected: what a check needs to know of the key.
    """

    key_id: str
    provider_name: str
    label: str
    url: str
    secret: bool
    browser: bool
    format: str
    rules: tuple[Rule, ...]
    expected: ExpectedKey


def kind_of(key_id: str) -> Kind:
    """Return what the key is for."""
    provider, _, short = key_id.partition("/")
    facts = built()["providers"][provider]["keys"][short]
    return "public" if not facts["secret"] else "webhook" if "webhook" in facts["label"] else "secret"


def key_by_name(name: str) -> Key | None:
    """Return the key that the variable `name` usually holds, or None when no provider owns that name."""
    key_id = built()["keys_by_name"].get(plain_name(name))
    return key(key_id) if key_id else None


def key(key_id: str) -> Key:
    """Return the key called `provider/key`, which must exist."""
    provider_id, _, short = key_id.partition("/")
    provider = built()["providers"][provider_id]
    facts = provider["keys"][short]
    others = {other: of for other, of in provider["keys"].items() if other != short}
    expected = ExpectedKey(
        key_id=key_id,
        provider=provider["name"],
        label=facts["label"],
        an=provider.get("an", False),
        kind=kind_of(key_id),
        formed=facts.get("formed", False),
        vague=tuple(facts.get("vague", ())),
        same_page=tuple(other for other, of in others.items() if of["url"] == facts["url"]),
        also=tuple(facts.get("also", ())),
    )
    return Key(
        key_id=key_id,
        provider_name=provider["name"],
        label=facts["label"],
        url=facts["url"],
        secret=facts["secret"],
        browser=facts.get("browser", False),
        format=facts.get("format", ""),
        rules=rules_of(facts["rules"]),
        expected=expected,
    )


def key_of(provider: str, name: str) -> Key:
    """Return the key that an agent means by `provider` (`stripe` or `stripe/webhook_secret`) for the entry `name`.

    A provider alone means its only key, or the one whose usual name is `name` or ends it (`SHOP_STRIPE_SECRET_KEY`).

    Raises:
        UnknownProvider: no provider has this name. The sentence gives the nearest.
        UnclearProvider: the provider has several keys and neither `provider` nor `name` says which.
    """
    provider_id, _, short = provider.strip().lower().partition("/")
    providers = built()["providers"]
    if provider_id not in providers:
        provider_id = _ids_by_name().get(provider_id, provider_id)
    if provider_id not in providers:
        raise _unknown(provider_id, name)
    keys = providers[provider_id]["keys"]
    if short:
        if short not in keys:
            raise errors.UnclearProvider(name=name, keys=_listed(provider_id))
        return key(f"{provider_id}/{short}")
    if len(keys) == 1:
        return key(f"{provider_id}/{next(iter(keys))}")
    plain = plain_name(name)
    usual = {env: short for short, facts in keys.items() for env in facts["env"]}
    ends = [env for env in usual if plain == env or plain.endswith(f"_{env}")]
    if not ends:
        raise errors.UnclearProvider(name=name, keys=_listed(provider_id))
    return key(f"{provider_id}/{usual[max(ends, key=len)]}")


def _ids_by_name() -> dict[str, str]:
    """Return providers' ids by their names in small letters: `hugging face`, `azure openai`."""
    return {provider["name"].lower(): provider_id for provider_id, provider in built()["providers"].items()}


def _unknown(provider: str, name: str) -> errors.UnknownProvider:
    known = {provider_id: provider_id for provider_id in built()["providers"]} | _ids_by_name()
    near = dict.fromkeys(known[match] for match in get_close_matches(provider, known, n=MAX_NEAREST))
    if not near:
        return errors.UnknownProvider(name=name)
    return errors.MisspeltProvider(name=name, nearest=", ".join(near))


def _listed(provider_id: str) -> str:
    return ", ".join(f"{provider_id}/{short}" for short in built()["providers"][provider_id]["keys"])
