from __future__ import annotations

import base64

import pytest

from offprompt.request.generation import generate
from offprompt.request.spec import MAX_GENERATED, MIN_GENERATED, Generate

SIZES = range(MIN_GENERATED, MAX_GENERATED + 1)


@pytest.mark.parametrize("size", SIZES)
def test_every_encoding_gives_back_exactly_the_random_bytes(size: int) -> None:
    asked: list[int] = []

    def random(wanted: int) -> bytes:
        asked.append(wanted)
        return bytes(range(255, 255 - wanted, -1))

    raw = bytes(range(255, 255 - size, -1))
    assert bytes.fromhex(generate(Generate(size, "hex"), random)) == raw
    assert base64.b64decode(generate(Generate(size, "base64"), random), validate=True) == raw
    url = generate(Generate(size, "base64url"), random)
    assert base64.urlsafe_b64decode(url + "=" * (-len(url) % 4)) == raw
    assert asked == [size] * 3


@pytest.mark.parametrize("encoding", ["base64url", "base64", "hex"])
@pytest.mark.parametrize("size", SIZES)
def test_a_generated_value_needs_no_quoting_beyond_its_alphabet(size: int, encoding: str) -> None:
    value = generate(Generate(size, encoding), lambda size: b"\xfb" * size)  # type: ignore[arg-type]
    alphabet = {"hex": "0123456789abcdef", "base64": "+/=", "base64url": "-_"}[encoding]
    assert all(letter.isalnum() or letter in alphabet for letter in value)
