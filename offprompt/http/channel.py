"""One connection: deadlines for what arrives, bounds on it, and refusals before a request is whole.

Twisted's channel parses, and three things are added. Its one timeout begins anew at every byte, so a client that sends
one byte a minute stays for ever. It keeps a body of any size. What it refuses itself it answers with a bare line.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.interfaces import IConsumer, ITCPTransport
from twisted.internet.protocol import connectionDone
from twisted.web.http import HTTPChannel
from twisted.web.server import Request

from offprompt import errors
from offprompt.http.head import RequestHead, read_head
from offprompt.http.limits import BODY_DEADLINE, HEAD_DEADLINE, IDLE, LINGER, LINGER_BYTES

if TYPE_CHECKING:
    from twisted.internet.interfaces import IProtocol
    from twisted.python.failure import Failure

    class Wire(ITCPTransport, IConsumer):
        """What a channel is connected to: TCP or a Unix socket."""

        disconnecting: bool


_LONGEST_LENGTH = 9
"""Digits of a Content-Length that are read: a body of more is as much too large as any."""


GOING_AWAY = 1001
"""The code with which a server that stops closes a WebSocket (RFC 6455, section 7.4.1)."""


class ChannelOwner(Protocol):
    """What a connection needs of its site."""

    max_body: int
    """Bytes of a request's body."""

    def opened(self, channel: Channel) -> None:
        """`channel` is connected."""

    def waits(self, channel: Channel, waiting: bool) -> None:
        """`channel` waits for its client, or has a whole request to answer."""

    def closed(self, channel: Channel) -> None:
        """`channel` is gone."""

    def admit(self, head: RequestHead) -> None:
        """Let a request in whose head is whole, or raise a leaf of NotAnswered."""

    def refuse(self, error: errors.OffpromptError, head: RequestHead | None) -> bytes:
        """Return the whole answer to a request that is refused, after which the connection is closed."""
        ...


class BoundedRequest(Request):
    """A request whose body stays in memory, within the site's `max_body`: Twisted would write a larger one to disk."""

    channel: Channel
    content: BytesIO
    head: RequestHead
    """The request's head, once it is whole."""

    def gotLength(self, length: int | None) -> None:
        """The body begins."""
        self.content = BytesIO()

    def handleContentChunk(self, data: bytes) -> None:
        """Enforce the limit on bytes received: Content-Length may lie."""
        most = self.channel.site.max_body
        if self.content.tell() + len(data) > most:
            self.channel.refuse(errors.BodyTooLarge(most=most // 1024))
        else:
            self.content.write(data)


class Channel(HTTPChannel):
    """One connection to a `ChannelOwner`, which stands in `site`.

    It rests until something of a request arrives. The head has `HEAD_DEADLINE`, the body `BODY_DEADLINE`, the answer
    none. Then it rests again, for `IDLE` at most. After a refusal nothing more is taken. A WebSocket has no
    deadline either.
    """

    site: ChannelOwner
    transport: Wire

    _first_line = b""
    _head: RequestHead | None = None
    _resting = True
    _answering = False
    _over = False
    _thrown_away = 0
    _upgraded: Any = None  # the wire protocol of a WebSocket, of a private type of Twisted's

    def connectionMade(self) -> None:
        """Begin with the deadline of a head: a client connects in order to ask."""
        super().connectionMade()
        self.setTimeout(HEAD_DEADLINE)
        self.site.opened(self)
        self.site.waits(self, True)

    def dataReceived(self, data: bytes) -> None:
        """Take `data`. It puts no deadline off."""
        if self._over:
            self._throw_away(data)
            return
        self._wake()
        super(HTTPChannel, self).dataReceived(data)  # HTTPChannel's own would begin the timeout anew

    def lineReceived(self, line: bytes) -> None:
        """Take a line of the head."""
        if not self._over:
            self._wake()
            self._first_line = self._first_line or line
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:
        """Refuse a line of the head that is too long."""
        self.refuse(errors.HeadTooLarge())

    def headerReceived(self, line: bytes) -> bool:
        """Take a header. A Content-Length of thousands of digits is cut: Python raises an error for such a number."""
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length" and len(value) > _LONGEST_LENGTH and value.strip().isdigit():
            line = name + b":" + b"9" * _LONGEST_LENGTH
        return bool(super().headerReceived(line))

    def allHeadersReceived(self) -> None:
        """Decide on the whole head before anything of the body is taken."""
        request = self.requests[-1]
        method, target = self._first_line.split(b" ")[:2]
        self._head = request.head = read_head(method, target, request.requestHeaders.getRawHeaders)
        try:
            self.site.admit(self._head)
        except errors.NotAnswered as error:
            self.refuse(error)
        else:
            self.setTimeout(BODY_DEADLINE)
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:
        """Take a part of the body, or of what follows a request that is being answered."""
        if not self._over:
            super().rawDataReceived(data)

    def allContentReceived(self) -> None:
        """Answer the whole request, without a deadline: a write takes as long as it takes."""
        if not self._over:
            self._answering = True
            self.setTimeout(None)
            self.site.waits(self, False)
            super().allContentReceived()

    def requestDone(self, request: Request) -> None:
        """Rest after an answer, or go on with what has arrived meanwhile."""
        self._first_line, self._head = b"", None
        self._answering, self._resting = False, True
        if not self._over:
            self.setTimeout(IDLE)
            self.site.waits(self, True)
        super().requestDone(request)

    def timeoutConnection(self) -> None:
        """Close after a deadline, with an answer if a request had begun."""
        if self._over:
            self.transport.abortConnection()
        elif self._resting:
            self.hang_up()
        else:
            self.refuse(errors.TooSlow(seconds=int(BODY_DEADLINE if self._head else HEAD_DEADLINE)))

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """The connection is gone."""
        super().connectionLost(reason)
        self.site.closed(self)

    def hang_up(self) -> None:
        """Take no more, and close once what was written is sent, or after `LINGER` seconds."""
        self._over = True
        self.setTimeout(LINGER)  # before: a connection that is half closed already is lost at once
        if self._upgraded is None:
            self.loseConnection()
        elif not self.transport.disconnecting:
            self._upgraded.loseConnection(GOING_AWAY)

    def refuse(self, error: errors.OffpromptError) -> None:
        """Answer with `error` at once and close, listening on a little so that the answer is not lost."""
        if self._over:
            return
        self._over = True
        self.setTimeout(LINGER)
        self.clearLineBuffer()
        self.transport.write(self.site.refuse(error, self._head))
        self.transport.unregisterProducer()  # a paused producer would keep the end of the answer from being sent
        if ITCPTransport.providedBy(self.transport):
            self.transport.loseWriteConnection()
        else:
            self.transport.loseConnection()

    def _protocolUpgradeForWebsockets(self, protocol: IProtocol) -> None:
        """Hand the connection over to `protocol` for the rest of its life.

        Twisted's own replaces `dataReceived` and `connectionLost` on this channel, so its site would never hear of the
        end. And it leaves the channel registered as the transport's producer, so that `protocol` could have none.
        """
        self._upgraded = protocol
        self.transport.unregisterProducer()
        super()._protocolUpgradeForWebsockets(protocol)

        def lost(reason: Failure = connectionDone) -> None:
            try:
                protocol.connectionLost(reason)
            finally:
                Channel.connectionLost(self, reason)

        self.connectionLost = lost  # type: ignore[method-assign]

    def _wake(self) -> None:
        if self._resting and not self._answering:
            self._resting = False
            self.setTimeout(HEAD_DEADLINE)

    def _throw_away(self, data: bytes) -> None:
        self._thrown_away += len(data)
        if self._thrown_away > LINGER_BYTES:
            self.transport.abortConnection()

    def _respondToBadRequestAndDisconnect(self) -> None:
        # Twisted's one way of refusing what it cannot parse; tests/http/test_channel.py sees to it that it stays one.
        self.refuse(errors.NotHttp())
