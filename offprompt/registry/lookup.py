"""The facts of one field: its label, whether its value is hidden, and how the value looks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from offprompt.registry.formats import DEFAULT, format_of
from offprompt.registry.providers import key_by_name, key_of
from offprompt.registry.public_prefixes import plain_name, public_prefix
from offprompt.registry.rules import Exposed, Rule
from offprompt.registry.tables import built

if TYPE_CHECKING:
    from offprompt.registry.expected_key import ExpectedKey


@dataclass(frozen=True, slots=True)
class FieldFacts:
    """The facts of one field.

    Attributes:
        label: what the value is ("Stripe secret key", "Postgres URL"), or "".
        url: where a person gets one, or "".
        provider: `provider/key`, or "".
        format: a format's id.
        key, rules: for `offprompt.registry.checks.check`.
    """

    label: str
    url: str
    secret: bool
    multiline: bool
    provider: str
    format: str
    key: ExpectedKey | None = None
    rules: tuple[Rule, ...] = ()


def facts_of(name: str, *, provider: str = "", format_id: str = "") -> FieldFacts:
    """Return what is known of the entry `name`: by the agent's provider or format, else by its usual name.

    The agent knows what the project reads, so a format that it gives refuses other values. A format that only a name
    suggests can be wrong (`DATABASE_URL` may be a file's path), so it warns. A secret key's name hides the value,
    whatever the format.

    Raises:
        UnknownProvider, UnclearProvider: see `key_of`.
        UnknownFormat: see `format_of`.
    """
    plain, prefix, recognised = plain_name(name), public_prefix(name), key_by_name(name)
    key = key_of(provider, name) if provider else None if format_id else recognised
    by_name = built()["formats_by_name"].get(plain, DEFAULT)
    form = format_of(key.format or DEFAULT if key else format_id or by_name, name)
    rules = key.rules if key else ()
    if form.rule:
        rules += (replace(form.rule, firm=bool(format_id)),)
    if key:
        label, url, secret = f"{key.provider_name} {key.label}", key.url, key.secret
        surely = secret and not key.browser
    else:
        label, url = "" if form.format_id == DEFAULT else form.label[0].upper() + form.label[1:], ""
        secret = form.secret or (recognised is not None and recognised.secret)
        surely = recognised is not None and recognised.secret and not recognised.browser
        surely = surely or (form.secret and form.format_id != DEFAULT)
    if prefix:
        rules += (Exposed(prefix, surely),)
    key_id, expected = (key.key_id, key.expected) if key else ("", None)
    return FieldFacts(label, url, secret, form.multiline, key_id, form.format_id, expected, rules)
