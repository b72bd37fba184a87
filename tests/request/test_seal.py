from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.public import PrivateKey, SealedBox

from offprompt import errors
from offprompt.request.seal import STEPS, open_seal, pad, seal
from tests.request.vectors import cases, unbase64url

OURS = PrivateKey(bytes(range(1, 33)))
THEIRS = PrivateKey(bytes([7] * 32))
OVERHEAD = 48
"""Bytes a sealed box is longer than its plaintext: a public key and a Poly1305 tag."""


def wire(box: bytes) -> str:
    return "v1." + base64.urlsafe_b64encode(box).decode().rstrip("=")


@pytest.mark.parametrize("case", cases("seal.json"), ids=lambda case: case["what"])
def test_the_vectors_open(case: dict[str, Any]) -> None:
    assert open_seal(unbase64url(case["private_key"]), case["sealed"]) == case["plaintext"].encode()


@given(st.binary(max_size=300), st.binary(min_size=32, max_size=32))
def test_what_is_sealed_opens_and_opens_for_nobody_else(plaintext: bytes, private_key: bytes) -> None:
    own = PrivateKey(private_key)
    sealed = seal(bytes(own.public_key), plaintext)
    assert open_seal(private_key, sealed) == plaintext
    assert SealedBox(own).decrypt(unbase64url(sealed.removeprefix("v1."))) == plaintext
    with pytest.raises(errors.SealForeign):
        open_seal(bytes(PrivateKey(bytes(32 * [3]))), sealed)


def test_two_seals_of_the_same_plaintext_are_different() -> None:
    assert seal(bytes(OURS.public_key), b"made up") != seal(bytes(OURS.public_key), b"made up")


def test_a_box_flipped_at_any_bit_does_not_open() -> None:
    """Also at the top bit of the key, which X25519 ignores (RFC 7748, section 5): the nonce covers it."""
    box = SealedBox(OURS.public_key).encrypt(b"made up, and not long")
    for at in range(len(box)):
        for bit in range(8):
            flipped = bytearray(box)
            flipped[at] ^= 1 << bit
            with pytest.raises(errors.SealForeign):
                open_seal(bytes(OURS), wire(bytes(flipped)))


def test_a_box_cut_or_lengthened_anywhere_does_not_open() -> None:
    box = bytes(SealedBox(OURS.public_key).encrypt(b"made up, and not long"))
    for length in range(len(box)):
        with pytest.raises(errors.SealForeign if length else errors.SealMalformed):
            open_seal(bytes(OURS), wire(box[:length]))
        with pytest.raises(errors.SealForeign):
            open_seal(bytes(OURS), wire(box[length + 1 :] or b"x"))
    with pytest.raises(errors.SealForeign):
        open_seal(bytes(OURS), wire(box + b"\0"))


def test_the_text_cut_changed_or_lengthened_anywhere_never_opens() -> None:
    """Every letter of what is sent counts: there is no second spelling of a seal."""
    sealed = seal(bytes(OURS.public_key), b"made up")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.,: \n\0\u00e9\ud800"
    for at in range(len(sealed)):
        with pytest.raises((errors.SealMalformed, errors.SealForeign)):
            open_seal(bytes(OURS), sealed[:at])
        for letter in alphabet:
            if letter != sealed[at]:
                with pytest.raises((errors.SealMalformed, errors.SealForeign)):
                    open_seal(bytes(OURS), sealed[:at] + letter + sealed[at + 1 :])
    for letter in alphabet:
        with pytest.raises((errors.SealMalformed, errors.SealForeign)):
            open_seal(bytes(OURS), sealed + letter)


@pytest.mark.parametrize(
    "sealed", ["", "v1.", "v1", "v2.AAAA", "V1.AAAA", " v1.AAAA", "v1.v1.AAAA", "v1.A", "v1.AA==", "v1.+/+/", "v1.é"]
)
def test_what_is_no_seal_is_called_malformed(sealed: str) -> None:
    with pytest.raises(errors.SealMalformed):
        open_seal(bytes(OURS), sealed)


@given(st.text(max_size=120))
def test_any_text_is_refused_by_one_of_two_errors(text: str) -> None:
    for sealed in (text, "v1." + text):
        with pytest.raises((errors.SealMalformed, errors.SealForeign)):
            open_seal(bytes(OURS), sealed)


def test_a_low_order_public_key_in_the_box_is_refused() -> None:
    """All zeros would agree on a secret that everybody knows (RFC 7748, section 6.1)."""
    for point in (bytes(32), b"\1" + bytes(31)):
        with pytest.raises(errors.SealForeign):
            open_seal(bytes(OURS), wire(point + bytes(16) + b"made up"))


@pytest.mark.parametrize("key", [bytes(32), b"\1" + bytes(31), b"", bytes(31), bytes(33)])
def test_nothing_is_sealed_to_what_is_no_key(key: bytes) -> None:
    with pytest.raises(errors.NotAKey) as refused:
        seal(key, b"made-up-marker")
    assert "made-up-marker" not in str(refused.value)


def test_padding_goes_to_the_next_step_and_adds_spaces_only() -> None:
    for before, step in zip((0, *STEPS), STEPS, strict=False):
        for size in (before + 1, step - 1, step):
            padded = pad(b"x" * size)
            assert len(padded) == step
            assert padded.rstrip(b" ") == b"x" * size
    assert len(pad(b"")) == STEPS[0]


def test_lengths_within_a_step_cannot_be_told_apart() -> None:
    key = bytes(OURS.public_key)
    assert len({len(seal(key, pad(b"x" * size))) for size in (0, 1, 100, STEPS[0])}) == 1


def test_more_than_the_largest_step_is_refused() -> None:
    with pytest.raises(errors.TooMuch, match="128 KiB"):
        pad(b"x" * (STEPS[-1] + 1))
    assert len(unbase64url(seal(bytes(OURS.public_key), pad(b"x" * STEPS[-1]))[3:])) == STEPS[-1] + OVERHEAD


def test_an_error_of_a_seal_carries_nothing_of_it() -> None:
    sealed = seal(bytes(THEIRS.public_key), b"made-up-marker")
    with pytest.raises(errors.SealForeign) as refused:
        open_seal(bytes(OURS), sealed)
    assert refused.value.details == {}
    assert sealed[10:30] not in repr(refused.value)
