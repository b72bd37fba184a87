"""A real `offprompt mcp`, and a scripted client at its pipes."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ANSWERS_WITHIN = 20.0
"""Seconds: far more than an answer takes, so that a busy machine fails no test."""

ENDS_WITHIN = 0.3
"""Seconds from the first sign of the end to the exit (docs/protocol.md, P2)."""
TRIES = 12
"""One of so many ends has to be in time: other programs may keep the machine busy."""

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
PING = {"jsonrpc": "2.0", "id": 2, "method": "ping"}


def in_time(once: Callable[[], float]) -> None:
    """An end, brought about by `once`, takes ENDS_WITHIN at most; `once` returns the seconds that it took."""
    taken: list[float] = []
    while len(taken) < TRIES:
        taken.append(once())
        if taken[-1] <= ENDS_WITHIN:
            return
    raise AssertionError(f"it took {taken} seconds")


def until(true: Callable[[], bool]) -> None:
    """Wait for something that takes a moment."""
    end = time.monotonic() + ANSWERS_WITHIN
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def line(message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def environment(**more: str) -> dict[str, str]:
    """What a host like Codex hands on, and where this checkout is."""
    given = {
        "HOME": "/nonexistent",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**given, **more}


class Running:
    """One process, and what was said to it and by it."""

    def __init__(self, argv: list[str], env: dict[str, str] | None = None, **more: Any) -> None:
        more = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        self.process = subprocess.Popen(argv, env=environment() if env is None else env, **more)
        self._read = bytearray()

    @property
    def pid(self) -> int:
        return self.process.pid

    def say(self, *messages: Any) -> None:
        self.raw(b"".join(line(message) for message in messages))

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> Any:
        """The next message."""
        return json.loads(self.hear_line())

    def hear_line(self) -> bytes:
        end = time.monotonic() + ANSWERS_WITHIN
        while b"\n" not in self._read:
            data = self._more(end)
            assert data, f"nothing more is said, and this is left: {bytes(self._read)!r}"
            self._read += data
        found, _, rest = self._read.partition(b"\n")
        self._read = bytearray(rest)
        return bytes(found)

    def rest(self) -> bytes:
        """Everything up to the end of its output."""
        end = time.monotonic() + ANSWERS_WITHIN
        while data := self._more(end):
            self._read += data
        return bytes(self._read)

    def _more(self, end: float) -> bytes:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
        assert ready, "no answer came"
        return os.read(self.process.stdout.fileno(), 1 << 16)

    def shake_hands(self) -> None:
        self.say(HELLO)
        assert self.hear()["id"] == 0

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def exit(self) -> tuple[int, float]:
        """Waits for the end: exit code, and the seconds it took."""
        begun = time.monotonic()
        code = self.process.wait(ANSWERS_WITHIN)
        return code, time.monotonic() - begun

    def errors(self) -> str:
        """What stderr holds, after the end."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def close(self) -> None:
        """It is gone afterwards, whatever happened."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def memory(self) -> int:
        """KiB of resident memory."""
        for row in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if row.startswith("VmRSS:"):
                return int(row.split()[1])
        raise AssertionError("no VmRSS")

    def cpu(self) -> float:
        """Seconds of processor time used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(argv: list[str], env: dict[str, str] | None = None, **more: Any) -> Iterator[Running]:
    """A process that is gone afterwards, whatever happens."""
    one = Running(argv, env, **more)
    try:
        yield one
    finally:
        one.close()
