"""Providers' logos: one path each, for a square of 24 by 24, drawn in the colour of the text beside it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def icons(key_ids: Iterable[str]) -> dict[str, str]:
    """SVG path data by provider, for the providers of these keys that have a logo, in the order of their ids."""
    providers = sorted({key_id.partition("/")[0] for key_id in key_ids})
    return {provider: paths()[provider] for provider in providers if provider in paths()} if providers else {}


@cache
def paths() -> dict[str, str]:
    """All logos, read once in a process; icons.json is made by scripts/build_icons.py."""
    text = Path(__file__).with_name("icons.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)["icons"]
    return found
