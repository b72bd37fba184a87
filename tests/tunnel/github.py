"""A stand-in for GitHub's releases: TLS on loopback, and whatever a download can meet."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.python.failure import Failure

from tests.tunnel.authority import Authority

CHUNK = 16 * 1024


class GitHub:
    """The server. `behaviour` is a method of `_Connection`; `body` what a good answer holds.

    `asked` are the request lines, `open` the connections that are open now.
    """

    def __init__(
        self,
        reactor: Any,
        body: bytes,
        names: tuple[str, ...] = ("localhost", "127.0.0.1"),
        authority: Authority | None = None,
    ) -> None:
        self.reactor = reactor
        self.authority = authority or Authority()
        self.body = body
        self.behaviour = "good"
        self.location = ""
        self.asked: list[str] = []
        self.open: set[_Connection] = set()
        self.sent = 0
        factory = Factory.forProtocol(lambda: _Connection(self))
        factory.noisy = False
        self._port = reactor.listenSSL(0, factory, self.authority.issue(*names), interface="127.0.0.1")
        self.port: int = self._port.getHost().port
        self.address = f"https://localhost:{self.port}/releases/"

    def close(self) -> Any:
        for each in list(self.open):
            each.transport.abortConnection()
        return maybeDeferred(self._port.stopListening)

    def all_closed(self) -> bool:
        return not self.open


class _Connection(Protocol):
    def __init__(self, github: GitHub) -> None:
        self.github = github
        self._head = b""
        self._timer: Any = None
        self.gone: Deferred[None] = Deferred()

    def connectionMade(self) -> None:
        self.github.open.add(self)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self.github.open.discard(self)
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    def dataReceived(self, data: bytes) -> None:
        self._head += data
        if b"\r\n\r\n" in self._head:
            line = self._head.split(b"\r\n")[0].decode()
            self._head = b""
            self.github.asked.append(line)
            getattr(self, self.github.behaviour)(line)

    def head(self, status: str, *headers: str) -> None:
        self.transport.write("\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode())

    def write(self, data: bytes) -> None:
        self.github.sent += len(data)
        self.transport.write(data)

    def good(self, line: str) -> None:
        self.head("200 OK", f"Content-Length: {len(self.github.body)}")
        self.write(self.github.body)
        self.transport.loseConnection()

    def redirecting(self, line: str) -> None:
        """As GitHub does: to another address first, which has the file."""
        if "/asset" in line:
            self.good(line)
        else:
            self.head("302 Found", f"Location: {self.github.location}", "Content-Length: 0")
            self.transport.loseConnection()

    def going_round(self, line: str) -> None:
        self.head("302 Found", f"Location: https://localhost:{self.github.port}/again", "Content-Length: 3")
        self.write(b"...")

    def slow(self, line: str) -> None:
        self.head("200 OK", f"Content-Length: {len(self.github.body)}")
        self._drip(0)

    def _drip(self, start: int) -> None:
        self.write(self.github.body[start : start + 1000])
        if start + 1000 < len(self.github.body):
            self._timer = self.github.reactor.callLater(0.05, self._drip, start + 1000)

    def stalled(self, line: str) -> None:
        """At 99 %, and silent from then on."""
        self.head("200 OK", f"Content-Length: {len(self.github.body)}")
        self.write(self.github.body[: len(self.github.body) * 99 // 100])

    def deaf(self, line: str) -> None:
        """The same, and it hears nothing either: not even that the other side says good-bye, as TLS has it."""
        self.stalled(line)
        self.transport.pauseProducing()

    def silent(self, line: str) -> None:
        """Not even a head."""

    def half_a_head(self, line: str) -> None:
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Len")

    def truncated(self, line: str) -> None:
        self.head("200 OK", f"Content-Length: {len(self.github.body)}")
        self.write(self.github.body[: len(self.github.body) // 2])
        self.transport.loseConnection()

    def truncated_unannounced(self, line: str) -> None:
        """HTTP/1.0: its end looks like any other."""
        self.head("200 OK", "Connection: close")
        self.write(self.github.body[: len(self.github.body) // 2])
        self.transport.loseConnection()

    def reset(self, line: str) -> None:
        self.head("200 OK", f"Content-Length: {len(self.github.body)}")
        self.write(self.github.body[:100])
        self._timer = self.github.reactor.callLater(0.05, self.transport.abortConnection)

    def wrong(self, line: str) -> None:
        other = bytes(reversed(self.github.body))
        self.head("200 OK", f"Content-Length: {len(other)}")
        self.write(other)
        self.transport.loseConnection()

    def small(self, line: str) -> None:
        self.head("200 OK", "Content-Length: 9")
        self.write(b"Not Found")
        self.transport.loseConnection()

    def missing(self, line: str) -> None:
        self.head("404 Not Found", "Content-Length: 9")
        self.write(b"Not Found")

    def failing(self, line: str) -> None:
        self.head("500 Internal Server Error", "Transfer-Encoding: chunked")
        self._endless()

    def endless(self, line: str) -> None:
        self.head("200 OK", "Connection: close")
        self._endless()

    def _endless(self) -> None:
        self.write(b"y" * CHUNK)
        self._timer = self.github.reactor.callLater(0.001, self._endless)
