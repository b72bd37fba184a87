"""One connection: deadlines for what arrives, bounds on it, and refusals before a request is whole.

Twisted's channel parses. What it lacks is here: it restarts its one timeout at every byte, so a client that sends a byte a
minute stays for ever; it keeps a body of any size; and what it refuses itself it answers with a bare line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from twisted.internet.interfaces import ITCPTransport
from twisted.web.http import HTTPChannel

from offprompt import errors
from offprompt.page.asked import Asked, read_asked
from offprompt.page.limits import BODY_DEADLINE, HEAD_DEADLINE, IDLE, LINGER, LINGER_BYTES

if TYPE_CHECKING:
    from twisted.python.failure import Failure
    from twisted.web.http import Request


class House(Protocol):
    """What a connection needs of its site."""

    def opened(self, channel: Channel) -> None:
        """It is connected."""

    def waits(self, channel: Channel, waiting: bool) -> None:
        """It waits for a request, or for the rest of one; or it has a whole one to answer."""

    def closed(self, channel: Channel) -> None:
        """It is gone."""

    def admit(self, asked: Asked) -> None:
        """Let a request in whose headers are there; raises a `PageRefused` if not."""

    def refuse(self, error: errors.OffpromptError, asked: Asked | None) -> bytes:
        """The whole answer to a request that is refused, after which the connection is closed."""
        ...


class Channel(HTTPChannel):
    """One connection to a `House`, which stands in `site`."""

    site: House
    asked: Asked | None = None
    """The request whose headers are there, until it is answered."""

    _first_line = b""
    """The first line of the request whose headers are arriving."""
    _idle = True
    """Whether nothing of a request has arrived."""
    _refused = False
    _thrown_away = 0

    def connectionMade(self) -> None:
        """Start with the deadline of a request's head: a client connects in order to ask."""
        super().connectionMade()
        self.setTimeout(HEAD_DEADLINE)
        self.site.opened(self)
        self.site.waits(self, True)

    def dataReceived(self, data: bytes) -> None:
        """Take `data`, which does not put any deadline off."""
        if self._refused:
            self._throw_away(data)
            return
        if self._idle and not self._handling:
            self._idle = False
            self.setTimeout(HEAD_DEADLINE)
        # Not HTTPChannel's own, which would restart the timeout.
        super(HTTPChannel, self).dataReceived(data)

    @property
    def _handling(self) -> bool:
        return self.asked is not None

    def lineReceived(self, line: bytes) -> None:
        """A line of the head."""
        if self._refused:
            return
        self._first_line = self._first_line or line
        super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:
        """A line of the head is too long."""
        self.refuse(errors.HeadTooLarge())

    def rawDataReceived(self, data: bytes) -> None:
        """A part of the body."""
        if not self._refused:
            super().rawDataReceived(data)

    def allHeadersReceived(self) -> None:
        """The head is whole: decide on it before anything of the body is taken."""
        method, target = self._first_line.split(b" ")[:2]
        self.asked = read_asked(method, target, self.requests[-1].requestHeaders.getRawHeaders)
        try:
            self.site.admit(self.asked)
        except errors.PageRefused as error:
            self.refuse(error)
            return
        self.setTimeout(BODY_DEADLINE)
        super().allHeadersReceived()

    def allContentReceived(self) -> None:
        """The request is whole: it is answered without a deadline, as a write takes what it takes."""
        if self._refused:
            return
        self.setTimeout(None)
        self._first_line = b""
        self.site.waits(self, False)
        super().allContentReceived()

    def requestDone(self, request: Request) -> None:
        """The answer is out: rest, or go on with what has arrived meanwhile."""
        self.asked = None
        self._idle = True
        self.setTimeout(IDLE)
        self.site.waits(self, True)
        super().requestDone(request)

    def timeoutConnection(self) -> None:
        """A deadline has passed: say so, when a request had begun."""
        if self._refused:
            self.transport.abortConnection()
        elif self._idle:
            self.loseConnection()
            self.setTimeout(LINGER)
            self._refused = True
        else:
            self.refuse(errors.TooSlow(seconds=int(BODY_DEADLINE if self.asked else HEAD_DEADLINE)))

    def connectionLost(self, reason: Failure) -> None:
        """It is gone."""
        super().connectionLost(reason)
        self.site.closed(self)

    def refuse(self, error: errors.OffpromptError) -> None:
        """Answer with `error` at once and close, listening on a little so that the answer is not lost."""
        if self._refused:
            return
        self._refused = True
        self.clearLineBuffer()
        self.transport.write(self.site.refuse(error, self.asked))
        self.transport.unregisterProducer()
        if ITCPTransport.providedBy(self.transport):
            self.transport.loseWriteConnection()
            self.setTimeout(LINGER)
        else:
            self.transport.loseConnection()

    def _throw_away(self, data: bytes) -> None:
        self._thrown_away += len(data)
        if self._thrown_away > LINGER_BYTES:
            self.transport.abortConnection()

    def _respondToBadRequestAndDisconnect(self) -> None:
        # The one hook of Twisted for what its parser refuses; tests/page/test_channel.py sees to it that it stays one.
        self.refuse(errors.NotHttp())
