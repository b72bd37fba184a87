"""An agent's door with everything around it in memory: one client on a string transport, one clock."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from offprompt import errors
from offprompt.agent.tools.services import Origin, Services
from offprompt.agent.wire.protocol import AgentFactory, AgentProtocol
from offprompt.request.ledger import Ledger
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.submission import Faults, Submission
from offprompt.request.target import TargetState
from offprompt.service.sinks import SINKS
from offprompt.sinks.sink import Target

HERE = Origin("http://127.0.0.1:4711", public=False, port=4711)
EMOJI = ("🍋", "🥝", "🌮", "🧀")
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def written(record: Record, outcome: str = "added") -> Written:
    """A result in which every name has `outcome`."""
    outcomes = tuple(Outcome(name, outcome) for name in record.spec.names)
    return Written(EMOJI, record.spec.sink.path, outcomes, record.spec.names)


class Client:
    """An agent's host: speaks lines of JSON."""

    def __init__(self, protocol: AgentProtocol) -> None:
        self.protocol = protocol
        self.transport = StringTransport()
        protocol.makeConnection(self.transport)
        self._ids = itertools.count(1)

    def say(self, message: Mapping[str, object]) -> None:
        self.protocol.dataReceived(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def initialize(self, version: str = "2025-11-25", name: str = "claude-code", **capabilities: object) -> None:
        client = {"name": name, "version": "1"}
        params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}
        self.say({"id": "init", "method": "initialize", "params": params})
        self.say({"method": "notifications/initialized"})
        self.heard()

    def call(
        self, tool: str, arguments: object = None, token: object = None, modern: bool = False, **params: object
    ) -> int:
        number = next(self._ids)
        meta = {**(MODERN if modern else {}), **({"progressToken": token} if token is not None else {})}
        whole = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {}), **params}
        self.say({"id": number, "method": "tools/call", "params": whole})
        return number

    def collect(self, *names: str, token: object = None, modern: bool = False, **arguments: object) -> int:
        secrets = [{"name": name} for name in names or ("STRIPE_SECRET_KEY",)]
        return self.call("collect_secret", {"secrets": secrets, **arguments}, token, modern)

    def wait(self, request_id: str, **more: object) -> int:
        return self.call("await_secret", {"request_id": request_id, **more})

    def heard(self) -> list[dict[str, Any]]:
        """What was said to the client since the last look."""
        lines = self.transport.value().splitlines()
        self.transport.clear()
        return [json.loads(line) for line in lines]

    def result(self, number: int) -> dict[str, Any]:
        """The only thing that was said: the structured result of that call."""
        (message,) = self.heard()
        assert message["id"] == number
        result = message["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        assert result["isError"] is ("error" in result["structuredContent"])
        return result["structuredContent"]


class Tunnel:
    """A tunnel that a test opens, closes and makes late. Without `host` and `pending` there is none."""

    def __init__(self) -> None:
        self.host = ""
        self.problem: errors.TunnelUnavailable = errors.TunnelOff()
        self.pending: Deferred[str] | None = None
        self.asked = 0
        self._watchers: list[Callable[[str], None]] = []

    def origin(self) -> Deferred[str]:
        self.asked += 1
        if self.pending is not None:
            return self.pending
        return succeed(f"https://{self.host}") if self.host else fail(self.problem)

    def subscribe(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def up(self, host: str) -> None:
        self.host, self.pending = host, None
        for watcher in tuple(self._watchers):
            watcher(f"https://{host}" if host else "")


class World:
    """The service around the door. What a test sets here, the door finds."""

    def __init__(self, *, remote: bool = False) -> None:
        self.clock = Clock()
        numbers = itertools.count(1)
        self.ledger = Ledger(lambda size: next(numbers).to_bytes(size, "big"))
        self.remote = remote
        self.browser = True
        self.opened: list[str] = []
        self.state: TargetState | Exception = TargetState(git="untracked", ignored=True)
        self.inspected: list[Target] = []
        self.roots: list[tuple[str, ...]] = []
        self.write_fails: errors.OffpromptError | None = None
        self.write_lasts: Deferred[Written | Faults] | None = None
        self.here = HERE
        self.tunnel = Tunnel()
        self.phase = ""
        self.factory = AgentFactory(
            Services(
                ledger=self.ledger,
                clock=self.clock,
                is_remote=lambda sandbox: self.remote or sandbox,
                here=lambda: self.here,
                tunnel=self.tunnel,
                phase=lambda: self.phase,
                open_page=self._open,
                choose_project=self._choose,
                sinks=SINKS,
                inspect=self._inspect,
                write=self._write,
            )
        )

    def client(self) -> Client:
        protocol = self.factory.buildProtocol(None)
        return Client(protocol)

    def record(self) -> Record:
        """The only open request."""
        (record,) = self.ledger.open_records()
        return record

    def answer(self, record: Record, outcome: str = "added") -> None:
        """The person answers."""
        record.begin_write()
        record.finish_write(written(record, outcome), self.clock.seconds())

    def _open(self, url: str) -> bool:
        self.opened.append(url)
        return self.browser

    def _choose(self, roots: Sequence[str]) -> str:
        self.roots.append(tuple(roots))
        return "/shop"

    def _inspect(self, target: Target) -> Deferred[TargetState]:
        self.inspected.append(target)
        return fail(self.state) if isinstance(self.state, Exception) else succeed(self.state)

    def _write(self, record: Record, submission: Submission | None = None) -> Deferred[Written | Faults]:
        record.begin_write()
        if self.write_lasts is not None:
            return self.write_lasts
        if self.write_fails is not None:
            record.fail_write(self.clock.seconds())
            return fail(self.write_fails)
        outcomes = tuple(Outcome(name, "generated") for name in record.spec.names)
        result = Written((), record.spec.sink.path, outcomes, record.spec.names)
        record.finish_write(result, self.clock.seconds())
        return succeed(result)
