"""Seals: what a browser closes and only this request's private key opens.

libsodium's sealed box (`crypto_box_seal`: X25519, XSalsa20-Poly1305, nonce BLAKE2b of both keys). On the wire `v1.` and
base64url without padding of the box. The plaintext is padded with spaces to a step, so that a length says little
(docs/protocol.md, "Seal").
"""

from __future__ import annotations

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, PublicKey, SealedBox

from offprompt import errors
from offprompt.encoding import base64url, from_base64url

VERSION = "v1."
STEPS = tuple(kib * 1024 for kib in (4, 8, 16, 32, 64, 128))
"""Sizes in bytes that a plaintext is padded to; the largest is also the largest plaintext a page sends."""


def pad(plaintext: bytes) -> bytes:
    """Return `plaintext` with spaces up to the next step.

    Raises:
        TooMuch: longer than the largest step.
    """
    for step in STEPS:
        if len(plaintext) <= step:
            return plaintext.ljust(step, b" ")
    raise errors.TooMuch(most=STEPS[-1] // 1024)


def seal(public_key: bytes, plaintext: bytes) -> str:
    """Return `plaintext` as only the owner of `public_key`'s private half can read it. It is not padded here.

    Raises:
        NotAKey: everybody could read it (a point of low order: RFC 7748, section 6.1), or it is not 32 bytes.
    """
    try:
        box = SealedBox(PublicKey(public_key)).encrypt(plaintext)
    except (CryptoError, ValueError, TypeError):
        raise errors.NotAKey() from None
    return VERSION + base64url(box)


def open_seal(private_key: bytes, sealed: str) -> bytes:
    """Return the plaintext of `sealed`.

    Raises:
        SealMalformed: not `v1.` and base64url without padding.
        SealForeign: decodes, but was not made for this key, or was changed on its way.
    """
    body = sealed.removeprefix(VERSION)
    box = from_base64url(body)
    if body == sealed or not box:
        raise errors.SealMalformed()
    try:
        return SealedBox(PrivateKey(private_key)).decrypt(box)
    except (CryptoError, ValueError, TypeError):
        raise errors.SealForeign() from None
