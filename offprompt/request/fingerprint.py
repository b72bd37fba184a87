"""Four emoji by which a person sees that the file holds exactly what was typed.

The fingerprint is keyed anew for every press of the button, so it tells nothing about a value to anybody without both
(docs/protocol.md, "Fingerprint").
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from offprompt.request.emoji import EMOJI

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_SIZE = 32
"""Bytes of the key: BLAKE2b takes up to 64, 32 give its full strength at a 256-bit digest (RFC 7693, section 2.1)."""


def fingerprint(key: bytes, values: Mapping[str, str]) -> tuple[str, str, str, str]:
    """Return the four emoji of `values` under `key` (32 bytes).

    BLAKE2b-256 over each name in code point order: four bytes of length, big-endian, and the name's UTF-8, then the
    same of its value. The digest's first 24 bits, most significant first, six at a time, index the list of 64.

    Raises:
        ValueError: the key is not 32 bytes.
    """
    if len(key) != KEY_SIZE:
        raise ValueError(f"a fingerprint key is {KEY_SIZE} bytes")
    digest = hashlib.blake2b(key=key, digest_size=32)
    for name in sorted(values):
        for text in (name, values[name]):
            raw = text.encode()
            digest.update(len(raw).to_bytes(4, "big") + raw)
    bits = int.from_bytes(digest.digest()[:3], "big")
    return (EMOJI[bits >> 18], EMOJI[bits >> 12 & 63], EMOJI[bits >> 6 & 63], EMOJI[bits & 63])


def key_id(public_key: bytes) -> str:
    """Return the first eight hex digits of BLAKE2b-256 of a public key: by it a page knows that its link is whole."""
    return hashlib.blake2b(public_key, digest_size=32).hexdigest()[:8]
