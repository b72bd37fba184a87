"""Reads tests/vectors/, which the page's script tests read too."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file of vectors."""
    path = Path(__file__).parent.parent / "vectors" / name
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return found


def unbase64url(text: str) -> bytes:
    """The bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
