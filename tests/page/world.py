"""The page's door in memory: the real site and routes, a clock, and clients on wires without sockets."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionAborted, ConnectionDone
from twisted.internet.interfaces import ITCPTransport
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from zope.interface import implementer

from offprompt.http.limits import Capacity
from offprompt.request.fields import Field
from offprompt.request.ledger import Ledger
from offprompt.request.order import RequestOrder
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.seal import pad, seal
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec
from offprompt.request.submission import Faults, Submission
from offprompt.request.target import TargetState
from offprompt.service.sinks import SINKS
from offprompt.sinks.writer import RequestWriter

TUNNEL = "four-odd-little-words.trycloudflare.com"
CANARY = "canary-Zq9-never-shown"
"""Every value that these tests type holds this."""

FINGERPRINT_KEY = bytes(range(32))

NAVIGATION = {
    "Sec-Fetch-Site": "none",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
    "Accept": "text/html",
}
DATA = {"Accept": "application/json"}
KEY = "STRIPE_SECRET_KEY"


class Chance:
    """Bytes that never repeat and are the same in every run."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return self._count.to_bytes(8, "big").rjust(size, b"\x5a")


@implementer(ITCPTransport)
class Wire(StringTransport):
    """A connection in memory, closed one turn of the clock after someone wished so, as TCP is."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(peerAddress=IPv4Address("TCP", "127.0.0.1", 40_000))
        self._clock = clock
        self.half_closed = False
        self.gone = False
        self.protocol: Any = None

    def loseConnection(self) -> None:
        if not self.disconnecting:
            self.disconnecting = True
            self._clock.callLater(0, self.lose, Failure(ConnectionDone()))

    def abortConnection(self) -> None:
        self.disconnecting = True
        self._clock.callLater(0, self.lose, Failure(ConnectionAborted()))

    def loseWriteConnection(self) -> None:
        self.half_closed = True

    def lose(self, reason: Failure | None = None) -> None:
        if not self.gone:
            self.gone = True
            self.protocol.connectionLost(reason or Failure(ConnectionDone()))

    def getTcpNoDelay(self) -> bool:
        return True

    def setTcpNoDelay(self, enabled: bool) -> None: ...

    def getTcpKeepAlive(self) -> bool:
        return False

    def setTcpKeepAlive(self, enabled: bool) -> None: ...


@dataclass
class Reply:
    """One answer, parsed."""

    status: int
    headers: dict[str, list[str]]
    body: bytes

    def __getitem__(self, name: str) -> str:
        (value,) = self.headers[name]
        return value

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.json["error"])


def read_replies(said: bytes, *, head: bool = False) -> list[Reply]:
    """Every answer in `said`; each must have its whole body."""
    replies = []
    while said:
        top, end, said = said.partition(b"\r\n\r\n")
        assert end, top
        status_line, *lines = top.decode("ascii").split("\r\n")
        headers: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            headers.setdefault(name.lower(), []).append(value)
        version, status, _ = status_line.split(" ", 2)
        assert version in ("HTTP/1.1", "HTTP/1.0")
        length = 0 if head else int(headers["content-length"][0])
        assert len(said) >= length
        replies.append(Reply(int(status), headers, said[:length]))
        said = said[length:]
    return replies


class Client:
    """One connection to the site."""

    def __init__(self, site: Any, clock: Clock) -> None:
        self._clock = clock
        self.wire = Wire(clock)
        channel = site.buildProtocol(self.wire.getPeer())
        self.refused = channel is None
        if channel is not None:
            self.wire.protocol = channel
            channel.makeConnection(self.wire)

    def send(self, data: bytes) -> None:
        self.wire.protocol.dataReceived(data)
        self._clock.advance(0)

    def replies(self, *, head: bool = False) -> list[Reply]:
        return read_replies(self.wire.value(), head=head)

    @property
    def open(self) -> bool:
        return not self.wire.gone and not self.wire.half_closed

    def leave(self) -> None:
        self.wire.lose()


class SlowWriter:
    """Claims the write as the real one does, and ends it when the test says so."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.record: Record | None = None
        self.values: Mapping[str, str] = {}
        self._outer: Deferred[Written | Faults] | None = None

    def write(self, record: Record, submission: Submission | None = None) -> Deferred[Written | Faults]:
        record.begin_write()
        self.record, self.values = record, {} if submission is None else submission.values
        self._outer = Deferred()
        return self._outer

    def succeed(self) -> None:
        assert self.record is not None
        assert self._outer is not None
        outcomes = tuple(Outcome(name, "added") for name in self.record.spec.names)
        written = Written(("🍋", "🥝", "🌮", "🧀"), ".env", outcomes)
        self.record.finish_write(written, self._clock.seconds())
        self._outer.callback(written)

    def fail(self, error: Exception) -> None:
        assert self.record is not None
        assert self._outer is not None
        self.record.fail_write(self._clock.seconds())
        self._outer.errback(error)


@dataclass
class Threads:
    """A reactor's threads, of which each works at once or, when `held`, when it is told to."""

    held: bool = False
    work: list[Callable[[], None]] = field(default_factory=list)

    def getThreadPool(self) -> Threads:
        return self

    def callFromThread(self, function: Callable[..., object], *args: object, **kwargs: object) -> None:
        function(*args, **kwargs)

    def callInThreadWithCallback(
        self, done: Callable[[bool, object], None], function: Callable[..., object], *args: object, **kwargs: object
    ) -> None:
        def run() -> None:
            done(True, function(*args, **kwargs))

        self.work.append(run)
        if not self.held:
            self.let_go()

    def let_go(self) -> None:
        work, self.work = self.work, []
        for run in work:
            run()


@dataclass
class World:
    """A service's page, and everything around it that a test may turn."""

    project: Path
    clock: Clock = field(default_factory=Clock)
    chance: Chance = field(default_factory=Chance)
    threads: Threads = field(default_factory=Threads)
    tunnel: str = ""
    proofs: dict[str, str] = field(default_factory=dict)
    space: Capacity | None = None

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.chance)
        self.writer: Any = RequestWriter(self.clock, self.threads, self.chance, SINKS)  # type: ignore[arg-type]
        self.build()

    def build(self) -> None:
        """Build the site anew, with the parts as they are."""
        from offprompt.page.app import page_site

        self.site = page_site(
            ledger=self.ledger,
            write=self.writer.write,
            reactor=self.clock,
            random=self.chance,
            tunnel_host=lambda: self.tunnel,
            tunnel_nonce=lambda random: self.proofs.get(random),
            space=self.space,
        )

    def slow(self) -> SlowWriter:
        """Write by hand from now on."""
        self.writer = SlowWriter(self.clock)
        self.build()
        return self.writer

    def record(
        self,
        *fields: Field,
        reason: str = "Checkout needs **Stripe**.",
        sink: SinkSpec | None = None,
        session: str = "s",
        target: TargetState | None = None,
        host: str = "Claude Code",
        project: str = "",
        remote: bool = False,
    ) -> Record:
        fields = fields or (Field(KEY),)
        entries = tuple(Entry(one.name, generate=one.generate) for one in fields)
        spec = RequestSpec(entries, reason, sink or SinkSpec())
        order = RequestOrder(spec, fields, session, project or str(self.project), host, remote, target or TargetState())
        record, _ = self.ledger.open(order, self.clock.seconds())
        return record

    def client(self) -> Client:
        return Client(self.site, self.clock)

    def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> Reply:
        """One request on a connection of its own, and its answer."""
        client = self.client()
        client.send(raw(method, path, headers, body))
        (reply,) = client.replies(head=method == "HEAD")
        client.leave()
        return reply

    def post(self, path: str, members: Any, headers: Mapping[str, str] | None = None) -> Reply:
        typed = {"Content-Type": "application/json", **(headers or {})}
        return self.ask("POST", path, typed, members if isinstance(members, bytes) else json.dumps(members).encode())

    def submit(self, record: Record, values: Mapping[str, str], **changed: Any) -> Reply:
        """What a page does when its button is pressed."""
        return self.post(f"/r/{record.token}", {"nonce": record.nonce, "sealed": sealed(record, values, **changed)})

    def written(self, record: Record, **values: str) -> Reply:
        """The answer to a submission that is written."""
        reply = self.submit(record, values)
        assert reply.status == 200, reply.body
        return reply

    def submit_again(self, record: Record) -> Reply:
        """A press of the button on a page that was left open."""
        return self.submit(record, dict.fromkeys(record.spec.names, CANARY))

    def decline(self, record: Record, nonce: str = "") -> Reply:
        """What a page does when the person says no."""
        return self.post(f"/r/{record.token}/decline", {"nonce": nonce or record.nonce})


def raw(method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> bytes:
    """A request on the wire; without a Host of its own it gets ours."""
    lines = {"Host": "127.0.0.1:8080", **(headers or {})}
    if body is not None:
        lines["Content-Length"] = str(len(body))
    top = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in lines.items()), "", ""]
    return "\r\n".join(top).encode("latin-1") + (body or b"")


def press(record: Record, values: Mapping[str, str]) -> bytes:
    """A submission on the wire."""
    body = json.dumps({"nonce": record.nonce, "sealed": sealed(record, values)}).encode()
    return raw("POST", f"/r/{record.token}", {"Content-Type": "application/json"}, body)


def plaintext(record: Record, values: Mapping[str, str], **changed: Any) -> dict[str, Any]:
    return {
        "token": record.token,
        "nonce": record.nonce,
        "values": values,
        "allow_tracked": False,
        "fingerprint_key": base64.urlsafe_b64encode(FINGERPRINT_KEY).rstrip(b"=").decode(),
        **changed,
    }


def sealed(record: Record, values: Mapping[str, str], **changed: Any) -> str:
    return seal(record.public_key, pad(json.dumps(plaintext(record, values, **changed)).encode()))


GENERATED = Field("AUTH_SECRET", generate=Generate(32, "hex"))
