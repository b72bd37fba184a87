"""The readers that a dotenv file is written for, run for real: node's dotenv, python-dotenv, bash and dash."""

from __future__ import annotations

import base64
import json
import logging
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import dotenv

from tests.node.program import node

NODE = Path(__file__).parents[1] / "node"
SHELLS = tuple(shell for shell in ("bash", "dash") if shutil.which(shell))
CANARY = "canary"
"""A program that exists only while a file is sourced; texts that name it must not start it."""

Found = dict[str, str]

logging.getLogger("dotenv.main").disabled = True  # it reports every line that it cannot read


class Node:
    """One Node.js process that reads texts as they come."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [node("tests/node"), str(NODE / "dotenv.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def read(self, texts: Sequence[bytes]) -> list[tuple[Found, Found, Found]]:
        """For each text: what version 18 finds, version 17, and version 18's fast parser."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([base64.b64encode(text).decode() for text in texts]).encode() + b"\n")
        self.process.stdin.flush()
        return [tuple(found) for found in json.loads(self.process.stdout.readline())]

    def stop(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):  # it ended by itself; the test that asked it says so
            self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


@contextmanager
def started() -> Iterator[Node]:
    reader = Node()
    try:
        yield reader
    finally:
        reader.stop()


def python(path: Path, *, interpolate: bool = True) -> dict[str, str | None]:
    """What `dotenv_values` returns, as most call it."""
    return dict(dotenv.dotenv_values(path, interpolate=interpolate))


class Sourced:
    """What a shell has in its environment after it sourced a file, and what that did besides."""

    def __init__(self, shell: str, path: Path, scratch: Path) -> None:
        programs = scratch / "programs"
        empty = scratch / "empty"
        programs.mkdir(exist_ok=True)
        shutil.rmtree(empty, ignore_errors=True)
        empty.mkdir()
        canary = programs / CANARY
        if not canary.exists():
            canary.write_text(f'#!/bin/sh\n: > "{scratch}/ran"\n')
            canary.chmod(0o755)
        (scratch / "ran").unlink(missing_ok=True)
        copy = scratch / "sourced"  # what is sourced knows its own name, and may write to it
        copy.write_bytes(path.read_bytes())
        told = scratch / "told"
        told.unlink(missing_ok=True)
        # What is sourced may write to standard output itself, as a bare `export` does.
        script = 'exec 9>"$2"; set -a; . "$1"; exec /usr/bin/env -0 >&9'
        subprocess.run(
            [str(shutil.which(shell)), "-c", script, shell, str(copy), str(told)],
            env={"PATH": str(programs)},
            cwd=empty,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=30,
        )
        pairs = [pair.partition(b"=") for pair in told.read_bytes().split(b"\0") if pair]
        self.values = {os.fsdecode(name): value for name, _, value in pairs}
        self.ran = (scratch / "ran").exists()
        self.made = os.listdir(empty)
