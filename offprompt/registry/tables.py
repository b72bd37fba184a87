"""The registry's data as it is read at run time: built.json, made from the TOML files by scripts/build_registry.py."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, TypedDict


class KeyFacts(TypedDict):
    """The facts of a key that a run needs, from providers/*.toml (docs/registry.md has the fields).

    `rules` are objects as rules.py reads them; `formed`: the forms by which the key is recognised are listed; `vague`:
    prefixes that do not tell it from others.
    """

    label: str
    env: list[str]
    url: str
    secret: bool
    browser: NotRequired[bool]
    format: NotRequired[str]
    also: NotRequired[list[str]]
    hosts: NotRequired[list[str]]
    inject: NotRequired[str]
    inject_prefix: NotRequired[str]
    rules: list[dict[str, Any]]
    formed: NotRequired[bool]
    vague: NotRequired[list[str]]


class ProviderFacts(TypedDict):
    """A provider: what people call it, whether "an" goes before that, who it belongs to, and its keys by their ids."""

    name: str
    an: NotRequired[bool]
    maker: NotRequired[str]
    keys: dict[str, KeyFacts]


class FormatFacts(TypedDict):
    """What formats.toml says of a format; `a` is the article before the label, `rule` an object for rules.py."""

    label: str
    multiline: bool
    secret: bool
    a: str
    rule: dict[str, Any]


class Built(TypedDict):
    """The object in built.json."""

    public_prefixes: list[str]
    host_suffixes: list[str]
    marks: list[dict[str, Any]]
    formats: dict[str, FormatFacts]
    providers: dict[str, ProviderFacts]
    keys_by_name: dict[str, str]
    formats_by_name: dict[str, str]
    hosts_exact: dict[str, str]
    hosts_prefix: dict[str, str]


@cache
def built() -> Built:
    """Return the whole registry, read once in a process. It is shared: treat it as read-only."""
    data: Built = json.loads(Path(__file__).with_name("built.json").read_text(encoding="utf-8"))
    return data
