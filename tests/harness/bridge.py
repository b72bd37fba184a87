"""Puts a stdio MCP server behind Streamable HTTP on loopback, since the official conformance suite speaks HTTP only.

Each POST is one line to the server; the answer with the same id comes back as JSON, or as a stream when notifications
or requests come before it. A legacy initialize starts a process of its own (Mcp-Session-Id); requests without a session
share one (2026-07-28).
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Message = dict[str, Any]

PATIENCE = 60.0
"""Seconds that the suite's own client waits for an answer."""

MODERN_BAD_REQUEST = (-32020, -32021, -32022, -32602)
"""Errors that 2026-07-28 sends with status 400 (its transport chapter); -32601 goes with 404."""


class Server:
    """One process of the server, with the calls that wait for it."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.lock = threading.Lock()
        self.waiting: dict[Any, queue.Queue[Message | None]] = {}
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        """Give each answer to its call, and what belongs to no call to the latest."""
        assert self.process.stdout is not None
        for line in iter(self.process.stdout.readline, b""):
            message = json.loads(line)
            with self.lock:
                own = self.waiting.get(message.get("id")) if "method" not in message else None
                latest = list(self.waiting.values())[-1:]
            for call in [own] if own else latest:
                call.put(message)
        with self.lock:
            for call in self.waiting.values():
                call.put(None)

    def send(self, message: Message) -> None:
        """One line to the server."""
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")

    def call(self, message: Message) -> Iterator[Message | None]:
        """All that comes until the answer; None when the server went away or said nothing in time."""
        answers: queue.Queue[Message | None] = queue.Queue()
        with self.lock:
            self.waiting[message["id"]] = answers
        try:
            self.send(message)
            while True:
                answer = answers.get(timeout=PATIENCE)
                yield answer
                if answer is None or ("method" not in answer and answer.get("id") == message["id"]):
                    return
        except queue.Empty:
            yield None
        finally:
            with self.lock:
                self.waiting.pop(message["id"], None)

    def close(self) -> None:
        """End its input and wait for its end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(10)
        self.reader.join()
        self.process.stdout.close()


class Sessions:
    """The processes by session; "shared" is the one for requests without."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv, self._lock, self._servers = argv, threading.Lock(), dict[str, Server]()

    def server(self, session: str, first: bool) -> Server | None:
        """The process of `session`, started where it may be."""
        with self._lock:
            if session not in self._servers and (first or session == "shared"):
                self._servers[session] = Server(self._argv)
            return self._servers.get(session)

    def end(self, session: str | None) -> bool:
        """Whether there was such a session; it is gone now."""
        with self._lock:
            server = self._servers.pop(session or "", None)
        if server:
            server.close()
        return server is not None

    def close(self) -> None:
        """End them all."""
        for session in list(self._servers):
            self.end(session)


class Handler(BaseHTTPRequestHandler):
    """The HTTP side."""

    protocol_version = "HTTP/1.1"
    sessions: Sessions

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""

    def do_GET(self) -> None:
        self.answer(405)

    def do_DELETE(self) -> None:
        self.answer(200 if self.sessions.end(self.headers.get("mcp-session-id")) else 404)

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        first = message.get("method") == "initialize"
        session = uuid.uuid4().hex if first else self.headers.get("mcp-session-id") or "shared"
        server = self.sessions.server(session, first)
        if server is None:
            self.answer(404, failed(message, -32600, "no such session"))
        elif "id" not in message or "method" not in message:
            server.send(message)
            self.answer(202)
        else:
            self.relay(server.call(message), message, session)

    def relay(self, answers: Iterator[Message | None], message: Message, session: str) -> None:
        """The answer alone as JSON; with messages before it, all as a stream."""
        begun = False
        for answer in answers:
            if answer is None:
                return None if begun else self.answer(502, failed(message, -32603, "the server went away"))
            if "method" not in answer and not begun:
                return self.answer(status_of(answer, session), answer, session)
            if not begun:
                begun = True
                self.begin_stream(session)
            self.wfile.write(b"event: message\ndata: " + json.dumps(answer).encode() + b"\n\n")
            self.wfile.flush()
        return None

    def answer(self, status: int, message: Message | None = None, session: str = "shared") -> None:
        data = b"" if message is None else json.dumps(message).encode()
        self.send_response(status)
        if session != "shared":
            self.send_header("mcp-session-id", session)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self, session: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        if session != "shared":
            self.send_header("mcp-session-id", session)
        self.end_headers()
        self.close_connection = True


def status_of(answer: Message, session: str) -> int:
    """The HTTP status that goes with an answer."""
    code = (answer.get("error") or {}).get("code")
    if session != "shared":
        return 200
    return 404 if code == -32601 else 400 if code in MODERN_BAD_REQUEST else 200


def failed(message: Message, code: int, words: str) -> Message:
    """An error of the bridge's own."""
    return {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": code, "message": words}}


@contextmanager
def over_http(argv: Sequence[str]) -> Iterator[str]:
    """The address of the server started by `argv`, as long as the `with` block lasts."""
    sessions = Sessions(argv)
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Bridge", (Handler,), {"sessions": sessions}))
    http.daemon_threads = True
    threading.Thread(target=http.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/mcp"
    finally:
        http.shutdown()
        http.server_close()
        sessions.close()
