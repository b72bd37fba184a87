"""A person without a browser: a seal made with PyNaCl, sent over HTTP. Nothing of the product's own is used here."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import struct
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nacl.public import PublicKey, SealedBox

VECTORS = Path(__file__).parents[1] / "vectors" / "emoji.json"
EMOJI = [case["emoji"] for case in json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]]

_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(url: str, members: Mapping[str, str] | None = None) -> tuple[int, dict[str, Any]]:
    """Status and object of a GET, or of a POST of `members`."""
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    body = None if members is None else json.dumps(dict(members)).encode()
    try:
        with _opener.open(urllib.request.Request(url, body, headers), timeout=20) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def page_of(link: str) -> str:
    """The address that a browser sends for `link`."""
    return link.partition("#")[0]


def sealed(link: str, data: Mapping[str, Any], values: Mapping[str, str], key: bytes) -> str:
    """`values` as only the owner of the link's key can read them (docs/protocol.md, "Seal")."""
    whole = {
        "token": data["token"],
        "nonce": data["nonce"],
        "values": dict(values),
        "allow_tracked": False,
        "fingerprint_key": base64.urlsafe_b64encode(key).decode().rstrip("="),
    }
    plaintext = json.dumps(whole).encode()
    plaintext += b" " * (-len(plaintext) % 4096)
    public = base64.urlsafe_b64decode(link.partition("#k=")[2] + "=")
    return "v1." + base64.urlsafe_b64encode(SealedBox(PublicKey(public)).encrypt(plaintext)).decode().rstrip("=")


def four_emoji(key: bytes, values: Mapping[str, str]) -> list[str]:
    """The fingerprint of `values` (docs/protocol.md, "Fingerprint")."""
    message = b""
    for name in sorted(values):
        for text in (name.encode(), values[name].encode()):
            message += struct.pack(">I", len(text)) + text
    bits = int.from_bytes(hashlib.blake2b(message, key=key, digest_size=32).digest()[:3], "big")
    return [EMOJI[bits >> shift & 63] for shift in (18, 12, 6, 0)]


def answer(link: str, values: Mapping[str, str]) -> list[str]:
    """Answer a request with `values`, all of them typed; the four emoji that a page would show."""
    status, data = ask(page_of(link))
    assert status == 200, status
    key = os.urandom(32)
    status, told = ask(page_of(link), {"nonce": data["nonce"], "sealed": sealed(link, data, values, key)})
    assert status == 200, status
    emoji = four_emoji(key, values)
    assert told["fingerprint"] == emoji
    return emoji


def decline(link: str) -> None:
    """Say no."""
    _, data = ask(page_of(link))
    status, _ = ask(page_of(link) + "/decline", {"nonce": data["nonce"]})
    assert status == 200, status
