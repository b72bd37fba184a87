"""Where in a folder a text is found, in any form in which a program may have written it down."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from pathlib import Path

UNREADABLE = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"\xfd7zXZ")
"""How gzip, zstd, zip and xz begin: a text in such a file is not found, so such a file must not be there."""


def spellings(text: str) -> list[bytes]:
    """`text` as UTF-8, UTF-16, hex, backwards, and in base64 at each of its three alignments, with both alphabets."""
    plain = text.encode()
    forms = [plain, text.encode("utf-16-le"), plain.hex().encode(), plain.hex().upper().encode(), plain[::-1]]
    for shift in range(3):
        coded = base64.b64encode(b"\0" * shift + plain)
        inner = coded[4 if shift else 0 : len(coded) // 4 * 4 - 4]  # what is the same whatever stands around
        forms += [inner, inner.replace(b"+", b"-").replace(b"/", b"_")]
    return forms


def files_with(folder: Path, text: str) -> set[str]:
    """The files below `folder`, relative to it, that hold `text`; the names of files count too."""
    forms = spellings(text)
    found = set()
    for path in _files(folder):
        name = str(path.relative_to(folder))
        data = path.read_bytes()
        assert not data.startswith(UNREADABLE), f"{name} cannot be searched"
        if any(form in data or form in name.encode() for form in forms):
            found.add(name)
    return found


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield path
