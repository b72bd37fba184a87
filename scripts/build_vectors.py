"""Writes tests/vectors/: fixed seals, fingerprints and emoji facts that the service's and the page's tests both read.

Made from the words of docs/protocol.md with other means than the product's (the primitives below a sealed box, bits as
text, Perl's Unicode tables), so that a mistake in the product cannot hide in its own vectors.
"""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import subprocess
from pathlib import Path

from nacl.public import Box, PrivateKey

from offprompt.request.emoji import EMOJI, EMOJI_NAMES

FOLDER = Path(__file__).parent.parent / "tests" / "vectors"
COUNTING = bytes(range(32))

FINGERPRINTS: tuple[tuple[str, bytes, dict[str, str]], ...] = (
    ("nothing", bytes(32), {}),
    ("one value", COUNTING, {"API_KEY": "made-up-value"}),
    ("sorted by code point, not as they come", COUNTING, {"B": "2", "A_": "3", "A": "1", "AB": "4", "A0": "5"}),
    ("the empty string is a value", COUNTING, {"EMPTY": ""}),
    ("every length of UTF-8", bytes(range(32, 64)), {"TEXT": "a\u00e9\u20ac\U0001f600"}),
    ("a composed letter", bytes(range(32, 64)), {"TEXT": "\u00e9"}),
    ("the same letter decomposed is another value", bytes(range(32, 64)), {"TEXT": "e\u0301"}),
    (
        "lines, blanks at the ends, quotes",
        bytes([255] * 32),
        {"PEM": " -----A-----\nAAAA\r\n-----B-----\n ", "Q": "\"'`$\\"},
    ),
    ("lengths keep names and values apart (1)", COUNTING, {"A": "BC", "D": ""}),
    ("lengths keep names and values apart (2)", COUNTING, {"A": "B", "CD": ""}),
    ("a length of three bytes", COUNTING, {"LONG": "x" * 65_536}),
)
SUBMISSION = {
    "token": "0" * 32,
    "nonce": "f" * 32,
    "values": {"API_KEY": "made-up-value"},
    "allow_tracked": False,
    "fingerprint_key": base64.urlsafe_b64encode(COUNTING).decode().rstrip("="),
}
SEALS: tuple[tuple[str, bytes, bytes, bytes], ...] = (
    ("empty", bytes(range(1, 33)), bytes(range(33, 65)), b""),
    ("one letter", bytes(range(1, 33)), bytes(range(65, 97)), b"x"),
    ("UTF-8 over a block's end", bytes(range(1, 33)), bytes(range(97, 129)), "a\u00e9\u20ac\U0001f600".encode() * 20),
    ("another key", bytes([7] * 32), bytes([9] * 32), b'{"token":"made up"}'),
    ("a whole submission", bytes(range(1, 33)), bytes(range(129, 161)), json.dumps(SUBMISSION).encode().ljust(4096)),
)


def base64url(raw: bytes) -> str:
    """The raw bytes in base64url without padding."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def fingerprint(key: bytes, values: dict[str, str]) -> dict[str, object]:
    """Digest, indexes and emoji of `values` under `key`."""
    message = b""
    for name in sorted(values, key=lambda name: [ord(letter) for letter in name]):
        for text in (name, values[name]):
            message += struct.pack(">I", len(text.encode())) + text.encode()
    digest = hashlib.blake2b(message, key=key, digest_size=32).digest()
    bits = "".join(f"{byte:08b}" for byte in digest[:3])
    indexes = [int(bits[at : at + 6], 2) for at in range(0, 24, 6)]
    return {"digest": digest.hex(), "indexes": indexes, "emoji": [EMOJI[index] for index in indexes]}


def seal(private_key: bytes, ephemeral: bytes, plaintext: bytes) -> dict[str, str]:
    """One sealed box whose ephemeral key is given, with everything needed to make and to open it."""
    theirs, ours = PrivateKey(private_key).public_key, PrivateKey(ephemeral)
    nonce = hashlib.blake2b(bytes(ours.public_key) + bytes(theirs), digest_size=24).digest()
    box = bytes(ours.public_key) + Box(ours, theirs).encrypt(plaintext, nonce).ciphertext
    return {
        "private_key": base64url(private_key),
        "public_key": base64url(bytes(theirs)),
        "key_id": hashlib.blake2b(bytes(theirs), digest_size=32).hexdigest()[:8],
        "ephemeral_private_key": base64url(ephemeral),
        "plaintext": plaintext.decode(),
        "sealed": "v1." + base64url(box),
    }


def emoji() -> list[dict[str, str]]:
    """What Unicode says of each emoji of the list."""
    code = "for (@ARGV) { print join(qq{\\t}, charprop(hex, 'Age'), charprop(hex, 'Emoji_Presentation')), qq{\\n} }"
    points = [f"{ord(each):X}" for each in EMOJI]
    told = subprocess.run(
        ["perl", "-MUnicode::UCD=charprop", "-e", code, *points], capture_output=True, text=True, check=True
    )
    facts = [line.split("\t") for line in told.stdout.splitlines()]
    return [
        {"emoji": each, "name": name, "age": age[1:].replace("_", "."), "presentation": presentation}
        for each, name, (age, presentation) in zip(EMOJI, EMOJI_NAMES, facts, strict=True)
    ]


def write(name: str, about: str, cases: object) -> None:
    """Write one file of vectors."""
    text = json.dumps({"about": about, "cases": cases}, ensure_ascii=False, indent=1)
    (FOLDER / name).write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Write them all."""
    write(
        "fingerprint.json",
        "docs/protocol.md, Fingerprint. `key` is base64url, `digest` all of the BLAKE2b-256 in hex.",
        [
            {"what": what, "key": base64url(key), "values": values} | fingerprint(key, values)
            for what, key, values in FINGERPRINTS
        ],
    )
    write(
        "seal.json",
        "docs/protocol.md, Seal. Keys are base64url. A real seal has a fresh ephemeral key; here it is given.",
        [{"what": what} | seal(*parts) for what, *parts in SEALS],
    )
    write(
        "emoji.json",
        "The list in its order; Age and Emoji_Presentation of Unicode 14.0 (DerivedAge, emoji-data).",
        emoji(),
    )


if __name__ == "__main__":
    main()
