"""The registry as its TOML files have it, and as the program does."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from offprompt.registry.providers import key
from offprompt.registry.tables import built

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = ROOT / "offprompt" / "registry"


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


FILES = {path.stem: read(path) for path in sorted((REGISTRY / "providers").glob("*.toml"))}
PROVIDERS = [provider for file in FILES.values() for provider in file.get("provider", ())]
FORMATS = {entry["id"]: entry for entry in read(REGISTRY / "formats.toml")["format"]}
IN_TOML = {f"{provider['id']}/{entry['id']}": (provider, entry) for provider in PROVIDERS for entry in provider["key"]}
KEYS = {f"{provider}/{short}": key(f"{provider}/{short}") for provider in built()["providers"]
        for short in built()["providers"][provider]["keys"]}  # fmt: skip
