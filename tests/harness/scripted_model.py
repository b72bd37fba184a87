"""A scripted language model on loopback: real agents are led through a fixed conversation, without an account.

    with Model(Script("offprompt", steps, "Done: {last}"), log) as model: … model.url

It keeps no state: how many tool results a request carries says which step is next. Requests that offer none of the
wanted tools (titles, warm-ups) get a short text. Each request and each decision is one line of JSON in the log.
"""

from __future__ import annotations

import gzip
import itertools
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.harness.model_formats import (
    LOADERS,
    Body,
    Decision,
    Events,
    Request,
    answer_chat,
    answer_gemini,
    answer_messages,
    answer_responses,
    read_chat,
    read_gemini,
    read_messages,
    read_responses,
)

PLACEHOLDER = re.compile(r"\{(last|prev)(?::((?:[^{}]|\{[^{}]*\})*))?\}")


@dataclass(frozen=True, slots=True)
class Script:
    """What the model does: `steps` are `{"tool": name, "args": {…}}`, `final` its last text; both may quote results."""

    server: str
    steps: list[Body]
    final: str

    def decide(self, request: Request) -> Decision:
        """The model's next turn."""
        done = len(request.results)
        if done >= len(self.steps):
            return Decision(text=self.fill(self.final, request.results))
        step = self.steps[done]
        name = self.full_name(step["tool"], request.tools)
        if name is not None:
            return Decision(((name, self.fill(step.get("args", {}), request.results)),))
        loader = next((tool for tool in request.tools if tool in LOADERS), None)
        if loader is None:
            return Decision(text="ok")
        if request.loaded:
            return Decision(text=f"the tool {step['tool']} could not be loaded")
        return Decision(((loader, {"query": f"select:mcp__{self.server}__{step['tool']}"}),))

    def full_name(self, tool: str, offered: dict[str, Body]) -> str | None:
        """The name under which the agent offers the server's `tool`."""
        tail = re.compile(rf"(?:^|[_.:/-]){re.escape(self.server)}[_.:/-]+{re.escape(tool)}$")
        return tool if tool in offered else next((name for name in offered if tail.search(name)), None)

    def fill(self, value: Any, results: list[str]) -> Any:
        """`value` with its placeholders filled from the results."""
        if isinstance(value, dict):
            return {key: self.fill(inner, results) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.fill(inner, results) for inner in value]
        if not isinstance(value, str):
            return value

        def found(placeholder: re.Match[str]) -> str:
            where = results[-1] if placeholder[1] == "last" and results else "\n".join(results)
            if placeholder[2] is None:
                return where
            hit = re.search(placeholder[2], where)
            return hit[1] if hit else f"NO-MATCH({placeholder[2]})"

        return PLACEHOLDER.sub(found, value)


@dataclass(frozen=True, slots=True)
class Format:
    """A wire format: how to read a request and how to write the model's turn."""

    read: Callable[[Body], Request]
    answer: Callable[[Decision, Body, Callable[[str], str]], Body | Events]


MESSAGES = Format(read_messages, answer_messages)
RESPONSES = Format(read_responses, answer_responses)
CHAT = Format(read_chat, answer_chat)
GEMINI = Format(read_gemini, answer_gemini)


def format_of(path: str) -> Format | None:
    """The format that is spoken at `path`."""
    endings = {"/messages": MESSAGES, "/responses": RESPONSES, "/chat/completions": CHAT}
    if "enerateContent" in path:
        return GEMINI
    return next((form for ending, form in endings.items() if path.endswith(ending)), None)


class Model:
    """The model on a port of its own, serving as long as the `with` block lasts."""

    def __init__(self, script: Script, log: Path) -> None:
        self._script, self._log, self._lock, self._numbers = script, log, threading.Lock(), itertools.count(1)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def new_id(self, kind: str) -> str:
        """An id that no other part of the conversation has."""
        with self._lock:
            return f"{kind}_{next(self._numbers):06d}"

    def record(self, **facts: object) -> None:
        """One line of the log."""
        with self._lock, self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(facts) + "\n")

    def turn(self, path: str, body: Body) -> Body | Events:
        """The answer to one request."""
        form = format_of(path)
        if form is None:
            return {"input_tokens": 100, "totalTokens": 100}  # what counts tokens, and all else
        if "stream" in path:
            body = {**body, "stream": True}  # Gemini says it in the path
        request = form.read(body)
        decision = self._script.decide(request)
        self.record(calls=decision.calls, text=decision.text, results=request.results)
        return form.answer(decision, body, self.new_id)

    def __enter__(self) -> Model:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *_: object) -> None:
        """Nothing on stderr: the log has it all."""

    def do_HEAD(self) -> None:
        self.answer({})

    def do_GET(self) -> None:
        self.answer({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        path = self.path.split("?")[0]
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        self.model.record(path=self.path, body=body)
        answer = self.model.turn(path, body)
        try:
            self.stream(answer) if isinstance(answer, list) else self.answer(answer)
        except (BrokenPipeError, ConnectionResetError):
            self.model.record(path=self.path, note="the client went away")

    def answer(self, body: Body) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def stream(self, events: Events) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            if name:
                self.wfile.write(f"event: {name}\n".encode())
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(f"data: {text}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True
