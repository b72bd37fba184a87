"""Small disks of one's own, where the machine allows it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def mounted(kind: str, where: Path, what: str) -> Iterator[Path]:
    """A mount at `where` while the `with` lasts: `tmpfs` or `overlay` with options, or `bind` of a path. Skips where it
    is not allowed.
    """
    if kind == "bind":
        command = ["mount", "--bind", what, str(where)]
    else:
        where.mkdir(exist_ok=True)
        command = ["mount", "-t", kind, "-o", what, kind, str(where)]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"mount cannot be started: {error}")
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
    try:
        yield where
    finally:
        subprocess.run(["umount", "--lazy", str(where)], check=True)
