"""What is known about one value that is asked for: how a page labels its field, and whether it is hidden."""

from __future__ import annotations

from dataclasses import dataclass

from offprompt.registry.built import built
from offprompt.registry.formats import DEFAULT, format_of
from offprompt.registry.providers import key_by_name, key_of, plain_name


@dataclass(frozen=True, slots=True)
class Known:
    """The facts of one field.

    `label` says what the value is ("Stripe secret key", "Postgres URL", "" when nothing is known); `url` where a person
    gets one, or ""; `provider` is `provider/key` or ""; `format` a format's id.
    """

    label: str
    url: str
    secret: bool
    multiline: bool
    provider: str
    format: str


def known(name: str, *, provider: str = "", format_id: str = "") -> Known:
    """What is known about the entry `name`: by the provider or format the agent gives, else by its usual name.

    A format that the agent gives says how the value looks; a name that belongs to a secret key keeps it hidden anyway.

    Raises:
        UnknownProvider, UnclearProvider: see `key_of`.
        UnknownFormat: see `format_of`.
    """
    recognised = key_by_name(name)
    key = key_of(provider, name) if provider else None if format_id else recognised
    by_name = built()["formats_by_name"].get(plain_name(name), DEFAULT)
    form = format_of(key.format or DEFAULT if key else format_id or by_name, name)
    if key:
        label, url, secret = f"{key.provider_name} {key.label}", key.url, key.secret
    else:
        label, url = "" if form.format_id == DEFAULT else form.label[0].upper() + form.label[1:], ""
        secret = form.secret or (recognised is not None and recognised.secret)
    return Known(label, url, secret, form.multiline, key.key_id if key else "", form.format_id)
