"""Builds offprompt/registry/built.json from the TOML files beside it; with `--check` exits 1 when it is stale.

Reading the TOML takes far longer than reading the built form (docs/registry.md has the figures), and a run needs only
some of the facts. So the package holds both: the first for people, the second for the program.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

REGISTRY = Path(__file__).resolve().parent.parent / "offprompt" / "registry"
BUILT = REGISTRY / "built.json"

KEY_FACTS = ("label", "env", "url", "secret", "format")
"""What of a key is read at run time."""
FORMAT_FACTS = ("label", "multiline", "secret")


def read(path: Path) -> dict[str, Any]:
    """One TOML file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def build() -> str:
    """The built form: one JSON object, one provider, format or name a line, so that a change is a readable diff."""
    formats = read(REGISTRY / "formats.toml")
    hosts = read(REGISTRY / "hosts.toml")
    sources = [read(path) for path in sorted((REGISTRY / "providers").glob("*.toml"))]
    providers = {p["id"]: p for source in sources for p in source.get("provider", ())}
    in_order = [providers[provider_id] for provider_id in sorted(providers)]
    keys = {p["id"]: {key["id"]: chosen(key, KEY_FACTS) for key in p["key"]} for p in in_order}
    tables: dict[str, dict[str, Any]] = {
        "formats": {f["id"]: chosen(f, FORMAT_FACTS) for f in formats["format"]},
        "providers": {p["id"]: {"name": p["name"], "keys": keys[p["id"]]} for p in in_order},
        # Which key, or else which format, a usual name of a variable stands for.
        "keys_by_name": {name: f"{p['id']}/{key['id']}" for p in in_order for key in p["key"] for name in key["env"]},
        "formats_by_name": {name: f["id"] for f in formats["format"] for name in f["env"]},
        "hosts_exact": {match: h["name"] for h in hosts["host"] if h["how"] == "exact" for match in h["match"]},
        "hosts_prefix": {match: h["name"] for h in hosts["host"] if h["how"] == "prefix" for match in h["match"]},
    }
    lists = {"public_prefixes": formats["public_prefixes"], "host_suffixes": hosts["suffixes_to_cut"]}
    parts = [f"{dump(name)}: {dump(value)}" for name, value in lists.items()]
    for name, table in tables.items():
        rows = ",\n".join(f"{dump(key)}: {dump(value)}" for key, value in table.items())
        parts.append(f"{dump(name)}: {{\n{rows}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def chosen(facts: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Those of `facts` that are named and there."""
    return {name: facts[name] for name in names if name in facts}


def dump(value: object) -> str:
    """`value` as JSON in as few characters as it takes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main(arguments: list[str]) -> int:
    """Build or check; the exit code."""
    built = build()
    if arguments == ["--check"]:
        fresh = BUILT.exists() and BUILT.read_text(encoding="utf-8") == built
        print("built.json is fresh" if fresh else "built.json is stale: run python scripts/build_registry.py")
        return 0 if fresh else 1
    BUILT.write_text(built, encoding="utf-8", newline="\n")
    print(f"{BUILT.name}: {len(built.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
