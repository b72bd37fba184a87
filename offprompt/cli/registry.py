"""`offprompt registry NAME`: what is known of a variable's name, a provider, one of its keys, or a format."""

from __future__ import annotations

import sys
import textwrap
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from offprompt.registry.formats import phrase
from offprompt.registry.lookup import facts_of
from offprompt.registry.public_prefixes import plain_name
from offprompt.registry.sentences import rules_in_words
from offprompt.registry.tables import built

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 79
"""Columns of a line: what a terminal of 80 shows without breaking it."""
MAX_NEAREST = 5
INDENT = 14

_SENT = {
    "bearer": "in the header Authorization, behind Bearer",
    "basic-user": "as the user of HTTP Basic",
    "basic-password": "as the password of HTTP Basic",
    "other": "in a way of its own",
}


@click.command(
    "registry",
    help="Tell what is known of NAME: how a value looks, where to get one, and where it is sent. NAME is a variable "
    "(STRIPE_SECRET_KEY), a provider (stripe), a key (stripe/secret_key) or a format (postgres_url).",
    epilog="Exit status: 0 something is known, 1 nothing is; the nearest names are then told.",
)
@click.argument("name", metavar="NAME")
def command(name: str) -> int:
    """Look `name` up and print what is known; return 1 where nothing is."""
    name = name.strip()
    lines = about(name)
    if not lines:
        print(_unknown(name), file=sys.stderr)
        return 1
    print("\n".join(lines))
    return 0


def about(name: str) -> list[str]:
    """Return all that is known of `name`, line by line; [] where nothing is."""
    data = built()
    small = name.lower()
    provider_id, _, short = small.partition("/")
    provider_id = _provider(provider_id)
    if short:
        there = provider_id in data["providers"] and short in data["providers"][provider_id]["keys"]
        return _key(f"{provider_id}/{short}") if there else []
    if plain_name(name) in data["keys_by_name"]:
        return _key(data["keys_by_name"][plain_name(name)], name)
    if plain_name(name) in data["formats_by_name"]:
        return _format(data["formats_by_name"][plain_name(name)], name)
    if provider_id in data["providers"]:
        keys = data["providers"][provider_id]["keys"]
        return [line for short in keys for line in [*_key(f"{provider_id}/{short}"), ""]][:-1]
    return _format(small) if small in data["formats"] else []


def _provider(spelling: str) -> str:
    """Return the id of a provider, which people may spell in their own way."""
    by_name = {facts["name"].lower(): provider_id for provider_id, facts in built()["providers"].items()}
    return by_name.get(spelling, spelling)


def _key(key_id: str, name: str = "") -> list[str]:
    provider_id, _, short = key_id.partition("/")
    facts = built()["providers"][provider_id]["keys"][short]
    found = facts_of(name or facts["env"][0], provider=key_id)
    how = facts.get("inject", "")
    way = _SENT.get(how) or " ".join(("in the", how.partition(":")[0], how.partition(":")[2]))
    if "inject_prefix" in facts:
        way += f", behind {facts['inject_prefix'].strip()}"
    return [
        f"{found.label} ({key_id})",
        *_row("get one", [found.url]),
        *_row("looks like", rules_in_words(found.rules) or ["any text"]),
        *_row("on the page", ["hidden while typed" if found.secret else "shown while typed"]),
        *_row("usual names", [", ".join(facts["env"])]),
        *(_row("sent to", [", ".join(facts["hosts"]), way]) if facts.get("hosts") else ()),
    ]


def _format(format_id: str, name: str = "") -> list[str]:
    data = built()
    found = facts_of(name) if name else facts_of("A", format_id=format_id)
    names = [env for env, of in data["formats_by_name"].items() if of == format_id]
    rules = [rule for rule in rules_in_words(found.rules) if rule != phrase(format_id)]
    return [
        f"{data['formats'][format_id]['label']} (the format {format_id})",
        *(_row("looks like", rules) if rules else ()),
        *_row("on the page", ["hidden while typed" if found.secret else "shown while typed"]),
        *(_row("usual names", [", ".join(names)]) if names else ()),
    ]


def _row(head: str, parts: Iterable[str]) -> list[str]:
    """Return one fact, its head in front of its first line."""
    lines = [line for part in parts for line in textwrap.wrap(part, WIDTH - INDENT, break_long_words=False)]
    heads = [head, *[""] * (len(lines) - 1)]
    return [f"  {before:<{INDENT - 2}}{line}" for before, line in zip(heads, lines, strict=True)]


def _unknown(name: str) -> str:
    data = built()
    provider_id, _, short = name.lower().partition("/")
    provider_id = _provider(provider_id)
    if short and provider_id in data["providers"]:
        keys = ", ".join(f"{provider_id}/{each}" for each in data["providers"][provider_id]["keys"])
        return f"offprompt knows no such key. The keys of {data['providers'][provider_id]['name']}: {keys}"
    spellings = {each.lower(): each for each in (*data["providers"], *data["formats"], *data["keys_by_name"])}
    spellings |= {facts["name"].lower(): each for each, facts in data["providers"].items()}
    near = [spellings[match] for match in get_close_matches(plain_name(name).lower(), spellings, n=MAX_NEAREST)]
    return "offprompt knows nothing of this name." + (f" Nearest: {', '.join(dict.fromkeys(near))}" if near else "")
