"""The page listens on loopback, at the asked port or the next free one, and says so when it cannot."""

from __future__ import annotations

import socket

import pytest
import pytest_twisted
from twisted.internet.defer import Deferred, succeed
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.error import CannotListenError
from twisted.internet.protocol import Factory
from twisted.internet.task import deferLater

from offprompt import errors
from offprompt.http.listener import LOOPBACK, WebListener, described_endpoint, loopback_endpoints


@pytest.fixture
def taken():
    """A port that somebody else has."""
    with socket.socket() as other:
        other.bind((LOOPBACK, 0))
        other.listen()
        yield other.getsockname()[1]


@pytest_twisted.ensureDeferred
async def test_without_a_wish_any_free_port_is_taken():
    from twisted.internet import reactor

    page = WebListener("page", loopback_endpoints(reactor), Factory())
    assert page.port == 0
    page.startService()
    assert page.origin == f"http://127.0.0.1:{page.port}"
    assert page.port > 0
    await page.stopService()
    assert page.port == 0


@pytest_twisted.ensureDeferred
async def test_a_taken_port_gives_way_to_the_next_free_one(taken):
    from twisted.internet import reactor

    page = WebListener("page", loopback_endpoints(reactor, taken), Factory())
    page.startService()
    assert page.port not in (0, taken)
    await page.stopService()


@pytest_twisted.ensureDeferred
async def test_an_operators_endpoint_that_is_taken_is_an_error_and_not_a_silent_service(taken):
    from twisted.internet import reactor

    page = WebListener("page", [TCP4ServerEndpoint(reactor, taken, interface=LOOPBACK)], Factory())
    with pytest.raises(CannotListenError):
        page.privilegedStartService()
    await page.stopService()


@pytest_twisted.ensureDeferred
async def test_stopping_waits_for_each_ending_in_turn():
    from twisted.internet import reactor

    called, first = [], Deferred()

    def settled():
        called.append("settled")
        return first

    def close():
        called.append("close")
        return succeed(None)

    page = WebListener("page", loopback_endpoints(reactor), Factory(), (settled, close))
    page.startService()
    stopped = page.stopService()
    while not called:
        await deferLater(reactor, 0, lambda: None)
    assert called == ["settled"]
    first.callback(None)
    await stopped
    assert called == ["settled", "close"]


def test_the_last_port_there_is_has_only_the_systems_choice_behind_it():
    from twisted.internet import reactor

    assert len(loopback_endpoints(reactor, 65_535)) == 2


@pytest.mark.parametrize(
    "description", ["tcp:0", "tcp:0:interface=0.0.0.0", "tcp:0:interface=192.0.2.1", "tcp:0:interface=\\:\\:1"]
)
def test_an_operators_endpoint_on_the_network_is_refused(description):
    from twisted.internet import reactor

    page = WebListener("page", [described_endpoint(reactor, description, errors.PageExposed)], Factory())
    with pytest.raises(errors.PageExposed, match=r"interface=127\.0\.0\.1"):
        page.privilegedStartService()


@pytest_twisted.ensureDeferred
async def test_an_operators_endpoint_on_loopback_is_listened_on():
    from twisted.internet import reactor

    page = WebListener(
        "page", [described_endpoint(reactor, "tcp:0:interface=127.0.0.1", errors.PageExposed)], Factory()
    )
    page.privilegedStartService()
    assert page.port > 0
    await page.stopService()


@pytest.mark.parametrize("description", ["nonsense", "tcp", "tcp:many:interface=127.0.0.1", "tcp:0:much=1"])
def test_what_is_no_endpoint_is_said(description):
    from twisted.internet import reactor

    with pytest.raises(errors.EndpointUnknown, match=description):
        described_endpoint(reactor, description, errors.PageExposed)
