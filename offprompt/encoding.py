"""Encodings that leave no second way of writing or reading the same thing."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any


def base64url(raw: bytes) -> str:
    """Return `raw` in base64url without padding (RFC 4648, section 5)."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def from_base64url(text: str) -> bytes | None:
    """Return the bytes of `text`, or None where it is not what `base64url` writes.

    Bits left over in the last character would be a second spelling of the same bytes, so they count as wrong too.
    """
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if base64url(raw) == text else None


def strict_json(raw: bytes) -> object:
    """Return what `raw` says in JSON in UTF-8; None where it says nothing, or one thing twice.

    No error leaves this function: it would quote what it could not read, and that may hold a value.
    """
    try:
        return json.loads(raw.decode("utf-8"), object_pairs_hook=distinct, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the members of a JSON object.

    Raises:
        ValueError: a member stands twice, which readers take in two ways (RFC 8259, section 4).
    """
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands twice")
    return members


def _no_constant(name: str) -> object:
    raise ValueError("NaN and Infinity are no JSON")
