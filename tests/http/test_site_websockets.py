"""A connection that becomes a WebSocket stays one of the site's connections until it is gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.error import ConnectionDone
from twisted.internet.task import Clock
from twisted.python.failure import Failure
from twisted.web.resource import Resource
from twisted.web.websocket import WebSocketClientEndpoint, WebSocketResource
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Event, Message, Request, TextMessage

from offprompt.http.answer import json_answer
from offprompt.http.channel import GOING_AWAY
from offprompt.http.limits import IDLE, LINGER, Capacity
from offprompt.http.site import BoundedSite
from tests.page.world import Client


@dataclass
class Echo:
    """Answers each text with the same text."""

    texts: list[str] = field(default_factory=list)
    lost: list[Failure] = field(default_factory=list)
    transport: Any = None

    def negotiationStarted(self, transport: Any) -> None:
        self.transport = transport

    def negotiationFinished(self) -> None: ...

    def textMessageReceived(self, text: str) -> None:
        self.texts.append(text)
        self.transport.sendTextMessage(text)

    def bytesMessageReceived(self, data: bytes) -> None: ...

    def pongReceived(self, payload: bytes) -> None: ...

    def connectionLost(self, reason: Failure) -> None:
        self.lost.append(reason)


@dataclass
class Echoes:
    """Makes an `Echo` for each WebSocket."""

    made: list[Echo] = field(default_factory=list)

    def buildProtocol(self, request: Any) -> Echo:
        self.made.append(Echo())
        return self.made[-1]


def site_of(echoes: Echoes, clock: Any, space: Capacity | None = None) -> BoundedSite:
    root = Resource()
    root.putChild(b"ws", WebSocketResource(echoes))  # type: ignore[arg-type]
    return BoundedSite(
        root,
        reactor=clock,
        admit=lambda head: None,
        refuse=lambda error, head: json_answer({"error": str(error)}, status=error.http_status),
        max_body=1024,
        space=space,
    )


class Browser:
    """A WebSocket client on a wire in memory."""

    def __init__(self, site: BoundedSite, clock: Clock) -> None:
        self.connection = WSConnection(ConnectionType.CLIENT)
        self.client = Client(site, clock)
        self.wire = self.client.wire
        self.send(Request("localhost", "/ws"))
        (accepted,) = self.heard()
        assert isinstance(accepted, AcceptConnection)

    def send(self, event: Event) -> None:
        self.client.send(self.connection.send(event))

    def heard(self) -> list[Event]:
        said = self.wire.value()
        self.wire.clear()
        self.connection.receive_data(said)
        return list(self.connection.events())


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def echoes() -> Echoes:
    return Echoes()


@pytest.fixture
def site(echoes: Echoes, clock: Clock) -> BoundedSite:
    return site_of(echoes, clock)


def test_it_counts_as_long_as_it_lasts(site: BoundedSite, echoes: Echoes, clock: Clock) -> None:
    browser = Browser(site, clock)
    browser.send(TextMessage("hello"))
    assert [event.data for event in browser.heard() if isinstance(event, Message)] == ["hello"]
    assert site.connections == 1
    browser.client.leave()
    assert site.connections == 0
    assert [reason.type for reason in echoes.made[0].lost] == [ConnectionDone]
    assert not clock.getDelayedCalls()


def test_closing_the_site_says_goodbye_and_fires_when_it_is_gone(
    site: BoundedSite, echoes: Echoes, clock: Clock
) -> None:
    browser = Browser(site, clock)
    closing = site.close()
    assert not closing.called
    (goodbye,) = browser.heard()
    assert isinstance(goodbye, CloseConnection)
    assert goodbye.code == GOING_AWAY
    clock.advance(0)
    assert closing.called
    assert site.connections == 0
    assert len(echoes.made[0].lost) == 1
    assert not clock.getDelayedCalls()


def test_closing_does_not_wait_long_for_a_client_that_does_not_read(site: BoundedSite, clock: Clock) -> None:
    browser = Browser(site, clock)
    browser.wire.loseConnection = lambda: None  # type: ignore[method-assign]
    closing = site.close()
    clock.advance(LINGER)
    clock.advance(0)
    assert closing.called


def test_a_client_that_closes_by_itself_leaves_nothing(site: BoundedSite, echoes: Echoes, clock: Clock) -> None:
    browser = Browser(site, clock)
    browser.send(CloseConnection(1000))
    browser.client.leave()
    assert (site.connections, len(echoes.made[0].lost)) == (0, 1)
    assert site.close().called


def test_a_quiet_one_has_no_deadline(site: BoundedSite, clock: Clock) -> None:
    browser = Browser(site, clock)
    clock.advance(100 * IDLE)
    browser.send(TextMessage("still here"))
    assert [event.data for event in browser.heard() if isinstance(event, Message)] == ["still here"]


def test_it_never_makes_room_for_another(echoes: Echoes, clock: Clock) -> None:
    site = site_of(echoes, clock, Capacity(2, 1))
    browser = Browser(site, clock)
    for _ in range(5):
        Client(site, clock)
        clock.advance(0)
    assert not browser.wire.gone
    assert site.connections == 2


def test_a_fault_in_its_end_is_no_reason_to_count_it_for_ever(site: BoundedSite, echoes: Echoes, clock: Clock) -> None:
    browser = Browser(site, clock)
    echoes.made[0].connectionLost = lambda reason: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(ZeroDivisionError):
        browser.client.leave()
    assert site.connections == 0


def test_it_may_have_a_producer_of_its_own(site: BoundedSite, echoes: Echoes, clock: Clock) -> None:
    browser = Browser(site, clock)
    producer = object()
    echoes.made[0].transport.attachProducer(producer)
    assert browser.wire.producer is producer


class Talker(Echo):
    """The client's side, which fires `heard` with the first text."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: Deferred[str] = Deferred()

    def negotiationFinished(self) -> None:
        self.transport.sendTextMessage("over a socket")

    def textMessageReceived(self, text: str) -> None:
        self.heard.callback(text)


@dataclass
class Talkers:
    def buildProtocol(self, url: str) -> Talker:
        return Talker()


@pytest_twisted.ensureDeferred
async def test_over_real_sockets_none_is_left_whoever_closes(echoes: Echoes) -> None:
    from twisted.internet import reactor

    site = site_of(echoes, reactor)
    port = await TCP4ServerEndpoint(reactor, 0, interface="127.0.0.1").listen(site)
    number = port.getHost().port
    endpoint = WebSocketClientEndpoint.new(reactor, f"ws://127.0.0.1:{number}/ws")
    first: Talker = await endpoint.connect(Talkers())
    second: Talker = await endpoint.connect(Talkers())
    assert [await first.heard, await second.heard] == ["over a socket"] * 2
    assert site.connections == 2
    first.transport.loseConnection()
    await port.stopListening()
    await site.close()
    assert site.connections == 0
    assert [len(echo.lost) for echo in echoes.made] == [1, 1]
