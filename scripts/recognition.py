"""The forms by which keys are recognised, from the registry's TOML files: as rows, and as the page's module."""

from __future__ import annotations

import json
from typing import Any

Entry = dict[str, Any]

ANYBODYS = {
    "http://", "https://", "ws://", "wss://", "postgres://", "postgresql://", "whatsapp:+",
    "access_", "API-", "api-", "apk_", "client-", "client_", "console-", "dev:", "inc_", "key-", "key_", "live_", "md-",
    "pat-", "plan_", "preview:", "price_", "private_", "prj_", "prod:", "project:", "public_", "sandbox_", "sdk-",
    "secret-", "secret_", "sig_", "standard_", "team_", "TEST-", "test_",
    "4b1d", "AAAA", "cmVmd", "EAAA", "eyJ",
}  # fmt: skip
"""Prefixes that the next company may use tomorrow: words, and letters that stand at the head of encoded texts."""
MARK_LENGTH = 4
"""Characters from which on a prefix that one company alone uses names that company.

Of keys that are random base64url one in 16 million starts with a given four; of three, one in 260,000, which `form` has
to narrow down.
"""
LEAST_LENGTH = 3
"""Characters from which on a prefix says something in the field of its own key."""
KINDS = ("secret", "public", "webhook")

HEAD = """/**
 * By what forms keys are recognised: built by scripts/build_registry.py from the registry, read by owner.js.
 *
 * MARKS: [provider, name, whether "an" goes before it, maker, ...keys], a key: [id, label, kind, ...forms],
 * a form: [prefixes, min, max, number of its set of characters, inner text, near].
 */

"""


Users = dict[str, list[tuple[str, Entry]]]
"""Which keys, by provider, start with a prefix."""


def users_of(providers: list[Entry]) -> Users:
    """All prefixes."""
    users: Users = {}
    for provider in providers:
        for key in provider["key"]:
            for prefix in key["prefix"]:
                users.setdefault(prefix, []).append((provider["id"], key))
    return users


def vague(provider: str, key: Entry, users: Users) -> list[str]:
    """The prefixes of a key that do not even tell it in its own field: too short, anybody's, or also those of another
    provider's keys whose forms are not known.
    """
    either = [prefix for one in key.get("either", ()) for prefix in one.get("prefix", ())]
    return [
        prefix
        for prefix in dict.fromkeys([*key["prefix"], *either])
        if len(prefix) < LEAST_LENGTH
        or prefix in ANYBODYS
        or any(user != provider and "form" not in used for user, used in users.get(prefix, ()))
    ]


def marks(providers: list[Entry]) -> list[Entry]:
    """The forms by which keys are recognised: those that `form` lists, prefixes that one provider alone uses, and with
    `near` prefixes that several use, all for public keys or all for webhooks' secrets.
    """
    users = users_of(providers)
    found = []
    for provider in providers:
        for key in provider["key"]:
            row = {"key": f"{provider['id']}/{key['id']}"}
            found += [row | form(entry) for entry in key.get("form", ())]
            telling = [prefix for prefix in key["prefix"] if len(prefix) >= MARK_LENGTH and prefix not in ANYBODYS]
            alone = [prefix for prefix in telling if len({user for user, _ in users[prefix]}) == 1]
            near = [
                prefix
                for prefix in telling
                if prefix not in alone and {kind(used) for _, used in users[prefix]} in ({"public"}, {"webhook"})
            ]
            measures = chosen(key, ("min", "max", "charset"))
            if alone and "form" not in key:
                found.append(row | form({"prefix": alone} | measures))
            if near:
                found.append(row | {"near": True} | form({"prefix": near} | measures))
    return found


def module(providers: list[Entry]) -> str:
    """The page's module: the same rows, a provider a line, each set of characters once."""
    rows = marks(providers)
    sets = sorted({row.get("of", "") for row in rows})
    lines = []
    for provider in providers:
        keys = {
            key["id"]: [key["id"], key["label"], KINDS.index(kind(key)), *own]
            for key in provider["key"]
            if (own := [packed(row, sets) for row in rows if row["key"] == f"{provider['id']}/{key['id']}"])
        }
        if keys:
            an = int(a(provider, "name") == "an")
            lines.append(dump([provider["id"], provider["name"], an, provider.get("maker", 0), *keys.values()]))
    made = "".join(f"  {line},\n" for line in lines)
    return f"{HEAD}export const SETS = {dump(sets)};\n\nexport const MARKS = [\n{made}];\n"


def packed(row: Entry, sets: list[str]) -> list[Any]:
    """A form in the page's module. Prefixes are one text, blanks between, unless one of them holds a blank."""
    prefixes = row["prefix"] if any(" " in prefix for prefix in row["prefix"]) else " ".join(row["prefix"])
    facts = [prefixes, row["min"], row["max"], sets.index(row.get("of", "")), row.get("holds", 0)]
    return [*facts, 1] if row.get("near") else facts


def kind(key: Entry) -> str:
    """What a key is for, whoever's it is."""
    return "public" if not key["secret"] else "webhook" if "webhook" in key["label"] else "secret"


def form(entry: Entry) -> Entry:
    """A known form of a key, as rules.py reads it."""
    names = {"prefix": "prefix", "min": "min", "max": "max", "charset": "of", "holds": "holds"}
    return {short: entry[name] for name, short in names.items() if entry.get(name)}


def a(entry: Entry, what: str = "label") -> str:
    """The English article before the entry's label or name."""
    return str(entry.get("article", "an" if entry[what][0] in "AEIOUaeiou" else "a"))


def chosen(facts: Entry, names: tuple[str, ...]) -> Entry:
    """Those of `facts` that are named and there."""
    return {name: facts[name] for name in names if name in facts}


def dump(value: object) -> str:
    """`value` as JSON in as few characters as it takes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
