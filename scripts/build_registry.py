"""Build offprompt/registry/built.json and the page's marks.js from the registry's TOML files. `--check`: exit with 1
when one of them is stale.

The package holds both: the TOML for people, the built form for the program. The built form has only the facts that a
run needs, and is read far faster (docs/registry.md has the figures).
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from recognition import a, chosen, dump, form, marks, module, users_of, vague

PACKAGE = Path(__file__).resolve().parent.parent / "offprompt"
REGISTRY = PACKAGE / "registry"
BUILT = REGISTRY / "built.json"
MARKS = PACKAGE / "page" / "script" / "checks" / "marks.js"

KEY_FACTS = ("label", "env", "url", "secret", "browser", "format", "also", "hosts", "inject", "inject_prefix")
"""What of a key is read at run time as it stands."""
FORMAT_FACTS = ("label", "multiline", "secret")
FORMAT_RULES = ("min", "max", "multiple", "pattern", "ignore_case", "schemes", "host", "parse", "begins", "odd")

SAID_BY_FORMAT = ("http://", "https://", "ws://", "wss://", "{")
"""Prefixes that say what a value is, not whose."""


def read(path: Path) -> dict[str, Any]:
    """One TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def sources() -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]:
    """All providers in the order of their ids, the formats' file and the hosts' file."""
    files = [read(path) for path in sorted((REGISTRY / "providers").glob("*.toml"))]
    providers = {p["id"]: p for file in files for p in file.get("provider", ())}
    in_order = [providers[provider_id] for provider_id in sorted(providers)]
    return in_order, read(REGISTRY / "formats.toml"), read(REGISTRY / "hosts.toml")


def build(providers: list[dict[str, Any]], formats: dict[str, Any], hosts: dict[str, Any]) -> str:
    """The built form: one JSON object, one provider, format or name a line, so that a change is a readable diff."""
    users = users_of(providers)
    keys = {
        p["id"]: {
            key["id"]: chosen(key, KEY_FACTS)
            | {"rules": rules_of(key)}
            | ({"formed": True} if "form" in key else {})
            | ({"vague": blurred} if (blurred := vague(p["id"], key, users)) else {})
            for key in p["key"]
        }
        for p in providers
    }
    tables: dict[str, dict[str, Any]] = {
        "formats": {f["id"]: chosen(f, FORMAT_FACTS) | {"a": a(f), "rule": format_rule(f)} for f in formats["format"]},
        "providers": {p["id"]: provider_facts(p) | {"keys": keys[p["id"]]} for p in providers},
        # Which key, or else which format, a usual name of a variable stands for.
        "keys_by_name": {name: f"{p['id']}/{key['id']}" for p in providers for key in p["key"] for name in key["env"]},
        "formats_by_name": {name: f["id"] for f in formats["format"] for name in f["env"]},
        "hosts_exact": {match: h["name"] for h in hosts["host"] if h["how"] == "exact" for match in h["match"]},
        "hosts_prefix": {match: h["name"] for h in hosts["host"] if h["how"] == "prefix" for match in h["match"]},
    }
    lists = {"public_prefixes": formats["public_prefixes"], "host_suffixes": hosts["suffixes_to_cut"]}
    parts = [f"{dump(name)}: {dump(value)}" for name, value in lists.items()]
    parts.append('"marks": [\n' + ",\n".join(map(dump, marks(providers))) + "\n]")
    for name, table in tables.items():
        rows = ",\n".join(f"{dump(key)}: {dump(value)}" for key, value in table.items())
        parts.append(f"{dump(name)}: {{\n{rows}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def provider_facts(provider: dict[str, Any]) -> dict[str, Any]:
    """What a run needs to know of a provider besides its keys."""
    facts = {"name": provider["name"]}
    facts |= {"an": True} if a(provider, "name") == "an" else {}
    return facts | chosen(provider, ("maker",))


def format_rule(entry: dict[str, Any]) -> dict[str, Any]:
    """A format's rule, as the page gets it."""
    strip = {"strip": True} if entry.get("strip") == "space" else {}
    return {"is": entry["id"]} | strip | chosen(entry, FORMAT_RULES)


def rules_of(key: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules of a key, in the order in which a page shows them; lookup.py adds its format's own rule.

    Where a format says how long a value is, or several known forms do, the key's own measures are not repeated.
    """
    rules: list[dict[str, Any]] = []
    prefixes = key["prefix"] if not set(key["prefix"]) <= set(SAID_BY_FORMAT) or not key.get("format") else []
    if key.get("either"):
        rules.append({"id": "either", "forms": [form(entry) for entry in key["either"]]})
    else:
        if prefixes:
            rules.append({"id": "starts_with" if key["prefix_required"] else "usually", "prefix": prefixes})
        if not key.get("format"):
            rules += [{"id": "length", "min": key["min"], "max": key["max"]}] if key["min"] > 1 else []
            rules += [{"id": "charset", "of": key["charset"]}] if "charset" in key else []
    return rules


def main(arguments: list[str]) -> int:
    """Build or check; the exit code."""
    providers, formats, hosts = sources()
    made = {BUILT: build(providers, formats, hosts), MARKS: module(providers)}
    if arguments == ["--check"]:
        stale = [path.name for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
        for name in stale:
            print(f"{name} is stale: run python scripts/build_registry.py")
        return 1 if stale else 0
    for path, text in made.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.name}: {len(text.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
