"""Firefox's files of sessions: LZ4 blocks (lz4_Block_format.md) behind the magic `mozLz40` and a length."""

from __future__ import annotations

MAGIC = b"mozLz40\0"


def unpacked(data: bytes) -> bytes:
    """What a file holds."""
    assert data.startswith(MAGIC)
    block = memoryview(data)[len(MAGIC) + 4 :]
    out = bytearray()
    at = 0

    def whole(length: int) -> int:
        """A length whose first four bits are all set goes on in bytes, as long as these are full."""
        nonlocal at
        byte = 255 if length == 15 else 0
        while byte == 255:
            byte = block[at]
            at += 1
            length += byte
        return length

    while at < len(block):
        token = block[at]
        at += 1
        literals = whole(token >> 4)
        out += block[at : at + literals]
        at += literals
        if at >= len(block):
            break
        back = block[at] | block[at + 1] << 8
        at += 2
        for _ in range(whole(token & 15) + 4):
            out.append(out[-back])
    assert len(out) == int.from_bytes(data[len(MAGIC) : len(MAGIC) + 4], "little")
    return bytes(out)
