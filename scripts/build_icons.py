"""Builds offprompt/registry/icons.json: the providers' logos, from the pinned package of simple-icons (CC0).

    npm ci --prefix scripts/icons
    python scripts/build_icons.py     # with --check: exits 1 when icons.json is stale

Which icon is a provider's stands in the registry (`icon`). Icons that simple-icons has under a licence of their own are
refused: they would ask for a notice wherever they are shown.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from build_registry import REGISTRY, sources
from recognition import dump

PACKAGE = Path(__file__).resolve().parent / "icons" / "node_modules" / "simple-icons"
ICONS = REGISTRY / "icons.json"
DRAWN = re.compile(
    r'<svg role="img" viewBox="0 0 24 24" xmlns="[^"]+"><title>[^<]*</title><path d="([-0-9.A-Za-z, ]+)"/></svg>'
)
FREE = "CC0-1.0"


def build() -> str:
    """Path data by the providers' ids, one a line."""
    version = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["version"]
    listed = json.loads((PACKAGE / "data" / "simple-icons.json").read_text(encoding="utf-8"))
    known = {icon["slug"]: icon for icon in listed}
    rows = []
    for provider in sources()[0]:
        if "icon" not in provider:
            continue
        slug = provider["icon"]
        licence = known[slug].get("license", {}).get("type", FREE)
        if licence != FREE:
            raise SystemExit(f"{provider['id']}: the icon {slug} has the licence {licence}; leave it out")
        drawn = DRAWN.fullmatch((PACKAGE / "icons" / f"{slug}.svg").read_text(encoding="utf-8").strip())
        if drawn is None:
            raise SystemExit(f"{provider['id']}: the icon {slug} is more than one path")
        rows.append(f"{dump(provider['id'])}: {dump(drawn[1])}")
    return f'{{\n"from": "simple-icons {version}, CC0-1.0",\n"icons": {{\n' + ",\n".join(rows) + "\n}\n}\n"


def main(arguments: list[str]) -> int:
    """Build or check; the exit code."""
    built = build()
    if arguments == ["--check"]:
        fresh = ICONS.exists() and ICONS.read_text(encoding="utf-8") == built
        if not fresh:
            print("icons.json is stale: run python scripts/build_icons.py")
        return 0 if fresh else 1
    ICONS.write_text(built, encoding="utf-8", newline="\n")
    print(f"{ICONS.name}: {len(built.encode())} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
