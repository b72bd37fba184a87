"""The reader of Firefox's session files, which decides whether a value was found in one."""

from __future__ import annotations

import pytest

from tests.browser.mozlz4 import MAGIC, unpacked


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (b"\x50hello", b"hello"),
        (b"\x31abc\x03\x00\x10d", b"abcabcabd"),  # 3 literals, 5 bytes from 3 back, 1 literal
        (b"\xf0\x05" + b"x" * 20, b"x" * 20),  # a length of 15 and 5
        (b"\xf0\xff\x00" + b"y" * 270, b"y" * 270),  # of 15, 255 and 0
        (b"\x1fz\x01\x00\x01\x10!", b"z" * 21 + b"!"),  # a match of 4, 15 and 1 that runs into itself
    ],
)
def test_a_block_is_unpacked(block: bytes, text: bytes) -> None:
    assert unpacked(MAGIC + len(text).to_bytes(4, "little") + block) == text


def test_a_block_of_another_length_is_no_block() -> None:
    with pytest.raises(AssertionError):
        unpacked(MAGIC + (6).to_bytes(4, "little") + b"\x50hello")
