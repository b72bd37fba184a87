"""Stands between an agent and its MCP server and writes down all that passes.

    tee.py LOG SERVER [ARGS...]

Standard library only, as it runs in the agent's environment. Each line of LOG is JSON, `t` the seconds since the start:

    spawn  argv, cwd, the names (never the values) of the environment, the server's pid
    c2s    a line from the client: "msg" when it is JSON, else "raw"
    s2c    a line from the server          err   a line of the server's stderr
    eof    the client closed its side      sig   a signal reached us and was handed on
    exit   the server's exit status
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from types import FrameType
from typing import IO


class Log:
    """The file, written a whole line at a time from any thread."""

    def __init__(self, path: str) -> None:
        self.start = time.time()
        self.descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.lock = threading.Lock()

    def write(self, event: str, **facts: object) -> None:
        record = {"t": round(time.time() - self.start, 4), "ev": event, **facts}
        with self.lock:
            os.write(self.descriptor, json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")

    def line(self, event: str, raw: bytes) -> None:
        try:
            self.write(event, bytes=len(raw), msg=json.loads(raw))
        except ValueError:
            self.write(event, bytes=len(raw), raw=raw.decode("utf-8", "backslashreplace"))


def pump(log: Log, event: str, source: IO[bytes], sink: IO[bytes]) -> None:
    """Hand lines on until the source ends or the sink is gone."""
    try:
        for line in iter(source.readline, b""):
            log.line(event, line)
            sink.write(line)
            sink.flush()
    except (BrokenPipeError, ValueError) as error:
        log.write(f"{event}-broken", error=repr(error))


def main(path: str, argv: list[str]) -> int:
    log = Log(path)
    pipe = subprocess.PIPE
    server = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
    log.write("spawn", argv=argv, pid=server.pid, cwd=os.getcwd(), env=sorted(os.environ))
    stdin, stdout, stderr = server.stdin, server.stdout, server.stderr
    assert stdin is not None
    assert stdout is not None
    assert stderr is not None

    def hand_on(number: int, _frame: FrameType | None) -> None:
        log.write("sig", sig=signal.Signals(number).name)
        if server.poll() is None:
            server.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, hand_on)

    client_in, client_out, errors = (os.fdopen(n, mode, closefd=False) for n, mode in ((0, "rb"), (1, "wb"), (2, "wb")))

    def from_client() -> None:
        pump(log, "c2s", client_in, stdin)
        log.write("eof")
        stdin.close()

    out = threading.Thread(target=pump, args=(log, "s2c", stdout, client_out), daemon=True)
    err = threading.Thread(target=pump, args=(log, "err", stderr, errors), daemon=True)
    for thread in (threading.Thread(target=from_client, daemon=True), out, err):
        thread.start()
    status = server.wait()
    out.join(1)
    err.join(1)
    log.write("exit", rc=status)
    os._exit(status if status >= 0 else 128 - status)  # a reader that still blocks must not hold us


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
