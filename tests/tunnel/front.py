"""A stand-in for Cloudflare's edge: TLS for `*.trycloudflare.com` on loopback, carried on to a page's port.

It sees what Cloudflare sees, and keeps it: `passages` holds, for each connection, the bytes that went up to the page
and came down from it, after TLS. A browser is led here with

    --host-resolver-rules="MAP *.trycloudflare.com 127.0.0.1:<front.port>"
    --ignore-certificate-errors-spki-list=<front.spki>

and one of our own clients with `Network(trust=front.authority.trust, https_port=front.port, …)` and a DNS of its own.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from tests.tunnel.authority import Authority

NAMES = ("*.trycloudflare.com",)


def answer(status: int, body: bytes = b"", kind: str = "text/plain") -> bytes:
    """A whole HTTP answer that closes its connection, for `Front.instead`."""
    head = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join([*head, "", ""]).encode() + body


@dataclass
class Passage:
    """One connection: what the browser sent and what it got."""

    up: bytearray = field(default_factory=bytearray)
    down: bytearray = field(default_factory=bytearray)


class Front:
    """The edge. `origin` gives the page's port on 127.0.0.1.

    `instead` are answers (see `answer`) that the next connections get instead of the page's; b"" resets one. `dead`
    answers 530 to all, as an edge does that has lost the tunnel.
    """

    def __init__(self, reactor: Any, origin: Any, authority: Authority | None = None) -> None:
        self.authority = authority or Authority()
        self.passages: list[Passage] = []
        self.instead: deque[bytes] = deque()
        self.dead = False
        self.port = 0
        self._reactor = reactor
        self._origin = origin
        self._identity = self.authority.issue(*NAMES)
        self._open: set[Any] = set()
        self._listening: Any = None

    @property
    def spki(self) -> str:
        """The certificate's key, as Chromium wants it named."""
        return self._identity.spki

    @property
    def up(self) -> bytes:
        """Everything that went up to the page."""
        return b"".join(bytes(passage.up) for passage in self.passages)

    @property
    def down(self) -> bytes:
        """Everything that came down from it."""
        return b"".join(bytes(passage.down) for passage in self.passages)

    def listen(self, port: int = 0) -> None:
        """Listen on `port` of 127.0.0.1, by default a free one."""
        factory = Factory.forProtocol(lambda: _Visitor(self))
        factory.noisy = False
        self._listening = self._reactor.listenSSL(port, factory, self._identity, interface="127.0.0.1")
        self.port = self._listening.getHost().port

    def close(self) -> Deferred[Any]:
        """Close the port and every connection; fires when all are closed."""
        closing = [self._listening.stopListening()] if self._listening is not None else []
        self._listening = None
        for each in list(self._open):
            closing.append(each.gone)
            each.transport.abortConnection()
        return DeferredList([each for each in closing if each is not None])


class _End(Protocol):
    """One end of a passage."""

    def __init__(self, front: Front) -> None:
        self.front = front
        self.gone: Deferred[None] = Deferred()

    def connectionMade(self) -> None:
        self.front._open.add(self)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self.front._open.discard(self)
        self.gone.callback(None)


class _Visitor(_End):
    def __init__(self, front: Front) -> None:
        super().__init__(front)
        self.passage = Passage()
        self._page: _Page | None = None
        self._early = bytearray()
        self._answer: bytes | None = None

    def connectionMade(self) -> None:
        super().connectionMade()
        self.front.passages.append(self.passage)
        if self.front.dead:
            self._answer = answer(530, b"error code: 1033")
        elif self.front.instead:
            self._answer = self.front.instead.popleft()
        else:
            endpoint = TCP4ClientEndpoint(self.front._reactor, "127.0.0.1", self.front._origin())
            factory = Factory.forProtocol(lambda: _Page(self.front, self))
            factory.noisy = False
            endpoint.connect(factory).addCallbacks(self._connected, lambda _: self._say(answer(502, b"Bad gateway")))

    def dataReceived(self, data: bytes) -> None:
        self.passage.up += data
        if self._answer is not None:
            if b"\r\n\r\n" in self.passage.up:
                self._say(self._answer)
        elif self._page is None:
            self._early += data
        else:
            self._page.transport.write(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        super().connectionLost(reason)
        if self._page is not None:
            self._page.transport.loseConnection()

    def _connected(self, page: _Page) -> None:
        self._page = page
        page.transport.write(bytes(self._early))

    def _say(self, whole: bytes) -> None:
        if not whole:
            self.transport.abortConnection()
            return
        self.passage.down += whole
        self.transport.write(whole)
        self.transport.loseConnection()


class _Page(_End):
    def __init__(self, front: Front, visitor: _Visitor) -> None:
        super().__init__(front)
        self._visitor = visitor

    def dataReceived(self, data: bytes) -> None:
        self._visitor.passage.down += data
        self._visitor.transport.write(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        super().connectionLost(reason)
        self._visitor.transport.loseConnection()
