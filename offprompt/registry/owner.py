"""Whose key a value is, by its form alone.

A value has an owner when it has a prefix that one company alone uses, or a known form: prefix, length and characters.
A form that several companies use (`sk-` and 48 letters and digits) has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from offprompt.registry.charsets import only
from offprompt.registry.providers import kind_of
from offprompt.registry.rules import Form, form_of
from offprompt.registry.tables import built

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Mark:
    """One form by which a key is known. `near`: several companies use it, all for keys of one kind."""

    key_id: str
    form: Form
    near: bool


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose key a value is: "OpenAI", "API key", and whether "an" goes before them.

    `secret` is None when the value can be one of several keys and only some are secret.
    """

    provider: str
    label: str
    an: bool
    secret: bool | None


def matched_prefix(form: Form, value: str) -> int | None:
    """Return how many characters of `value` the form's prefix and inner text explain, or None for another form."""
    prefix = max((prefix for prefix in form.prefixes if value.startswith(prefix)), key=len, default=None)
    if prefix is None and form.prefixes:
        return None
    if not form.min <= len(value) <= form.max or (form.of and not only(value, form.of)) or form.holds not in value:
        return None
    return len(prefix or "") + len(form.holds)


def candidates(value: str) -> tuple[int, tuple[str, ...]]:
    """Return how many characters of `value` the best forms explain, and the keys that have those forms."""
    return _best(value, near=False)


def near_candidates(value: str) -> tuple[str, ...]:
    """Return the keys of several companies that start like `value`, all of one kind."""
    return _best(value, near=True)[1]


def _best(value: str, *, near: bool) -> tuple[int, tuple[str, ...]]:
    found = [
        (explained, mark.key_id)
        for mark in marks_by_letter().get(value[:1], ())
        if mark.near is near and (explained := matched_prefix(mark.form, value)) is not None
    ]
    most = max((explained for explained, _ in found), default=0)
    return most, tuple(dict.fromkeys(key_id for explained, key_id in found if explained == most))


def owner_of(key_ids: Sequence[str]) -> Owner | None:
    """Return one name for all of these keys, or None when they belong to several companies."""
    providers = {key_id.partition("/")[0] for key_id in key_ids}
    makers = {built()["providers"][provider].get("maker", provider) for provider in providers}
    if len(makers) != 1:
        return None
    provider = built()["providers"][next(iter(providers))]
    secrets = {kind_of(key_id) != "public" for key_id in key_ids}
    secret = secrets.pop() if len(secrets) == 1 else None
    if len(providers) > 1:
        return Owner(makers.pop(), "key", False, secret)
    an = provider.get("an", False)
    if len(key_ids) > 1:
        return Owner(provider["name"], "key", an, secret)
    return Owner(provider["name"], provider["keys"][key_ids[0].partition("/")[2]]["label"], an, secret)


@cache
def marks_by_letter() -> dict[str, list[Mark]]:
    """Return all marks by the first letters of their prefixes, so that few are tried on a value."""
    found: dict[str, list[Mark]] = {}
    for row in built()["marks"]:
        mark = Mark(row["key"], form_of(row), row.get("near", False))
        for letter in dict.fromkeys(prefix[0] for prefix in mark.form.prefixes):
            found.setdefault(letter, []).append(mark)
    return found
