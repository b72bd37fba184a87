"""An agent's conversation on a transport: stdio or a socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.internet.interfaces import IConsumer, IHalfCloseableProtocol, IPushProducer
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.logger import Logger
from zope.interface import implementer

from offprompt.agent import timeouts
from offprompt.agent.mcp.session import Session
from offprompt.agent.tools.calls import Calls
from offprompt.agent.wire.descriptors import MAX_UNSENT
from offprompt.emptyable_set import EmptyableSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress, IDelayedCall
    from twisted.python.failure import Failure

    from offprompt.agent.mcp.events import Event
    from offprompt.agent.tools.services import Services


@implementer(IHalfCloseableProtocol, IPushProducer)
class AgentProtocol(Protocol):
    """Takes the bytes of one client to its session, and the answers of its calls back.

    When the client closes its side, what is due is sent and the connection closes. Calls under way are given up; their
    requests stay valid. `gone` is called once, when the connection is lost.
    """

    _log = Logger()

    def __init__(self, name: str, session: Session, services: Services, gone: Callable[[AgentProtocol], None]) -> None:
        self.session = session
        self.name = name
        self._clock = services.clock
        self._calls = Calls(name, session, self._send, services)
        self._gone = gone
        self._full = False
        self._unsent = 0
        self._lost = False
        self._hurry: IDelayedCall | None = None

    def connectionMade(self) -> None:
        """Ask the transport to say when the client stops reading."""
        IConsumer(self.transport).registerProducer(self, True)

    def begin(self, unsent: bytes, events: Sequence[Event], ended: bool) -> None:
        """Go on with a conversation that the light loop has begun."""
        self._send(unsent)
        for event in events:
            self._calls.handle(event)
        if ended:
            self.readConnectionLost()

    def dataReceived(self, data: bytes) -> None:
        """Take bytes of the client, cut anywhere."""
        for event in self.session.receive(data):
            self._calls.handle(event)

    def readConnectionLost(self) -> None:
        """Send what is due, then close: the client says nothing more."""
        for event in self.session.receive_end():
            self._calls.handle(event)
        if self._hurry is None:
            self._hurry = self._clock.callLater(timeouts.LAST_WORDS, self._abort)
            self._calls.settle(timeouts.LAST_ANSWERS).addCallback(self._close)

    def _close(self, settled: None) -> None:
        """Send the rest and close the connection: every call has its answer, or will have none."""
        self._send(self.session.close())
        if self.transport is not None:
            IConsumer(self.transport).unregisterProducer()
            self.transport.loseConnection()

    def writeConnectionLost(self) -> None:
        """Close the connection: nobody reads any more. StandardIO would not say that it has ended."""
        assert self.transport is not None
        self.transport.loseConnection()
        self.connectionLost()

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        """Free everything that waited for this client."""
        if self._lost:
            return
        self._lost = True
        self._calls.close()
        self.session.close()
        if self._hurry is not None and self._hurry.active():
            self._hurry.cancel()
        self._gone(self)

    def pauseProducing(self) -> None:
        """Count bytes from here on: the client does not read fast enough."""
        self._full = True

    def resumeProducing(self) -> None:
        """Stop counting: the client has read everything."""
        self._full = False
        self._unsent = 0

    def stopProducing(self) -> None:
        """Do nothing: the connection closes, and `connectionLost` follows."""

    def _send(self, data: bytes) -> None:
        if not data or self._lost or self.transport is None:
            return
        self._unsent += len(data) if self._full else 0
        if self._unsent > MAX_UNSENT:
            self._log.warn("A client does not read what it asked for. Closing.")
            self._abort()
            return
        self.transport.write(data)

    def _abort(self) -> None:
        abort = getattr(self.transport, "abortConnection", None)
        if abort is not None:
            abort()
        else:
            self.connectionLost()  # StandardIO cannot drop what it has not written: its process ends now


class AgentFactory(Factory):
    """Makes a session of its own for every agent that connects."""

    noisy = False

    def __init__(self, services: Services) -> None:
        self._services = services
        self._made = 0
        self.open: EmptyableSet[AgentProtocol] = EmptyableSet()
        """The sessions that are connected."""

    def buildProtocol(self, addr: IAddress | None) -> AgentProtocol:
        """Return a new session, unknown to all others."""
        return self.go_on(Session())

    def go_on(self, session: Session, gone: Callable[[AgentProtocol], None] = lambda protocol: None) -> AgentProtocol:
        """Return a protocol for a session that may have begun elsewhere. Call `gone` when its client is gone."""

        def left(protocol: AgentProtocol) -> None:
            gone(protocol)
            self.open.discard(protocol)

        self._made += 1
        protocol = AgentProtocol(f"session-{self._made}", session, self._services, left)
        self.open.add(protocol)
        return protocol

    def close(self) -> Deferred[None]:
        """End every session. Fire when all are gone."""
        for protocol in self.open:
            protocol.readConnectionLost()
        return self.open.when_empty()
