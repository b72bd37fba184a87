"""How many connections there are, and which of them makes room; in memory."""

from __future__ import annotations

import sys

import pytest

from offprompt.http.limits import HEAD_DEADLINE, LINGER, Capacity
from offprompt.http.site import BoundedSite, open_file_limit
from tests.page.world import CANARY, KEY, Client, World, press, raw

STATUS = raw("GET", "/r/" + "0" * 32 + "/status")
LIMIT, OVERLAP = 5, 7


@pytest.fixture
def small(world: World) -> World:
    world.space = Capacity(LIMIT, OVERLAP)
    world.build()
    return world


def test_the_one_that_has_waited_longest_makes_room(small: World) -> None:
    clients = [small.client() for _ in range(LIMIT)]
    clients[0].send(STATUS)  # waits anew from now on
    late = small.client()
    small.clock.advance(0)
    assert [client.wire.gone for client in clients] == [False, True, False, False, False]
    late.send(STATUS)
    assert late.replies()[0].status == 404
    assert small.site.connections == LIMIT


def test_a_request_that_is_being_sent_waits_from_its_connections_last_rest(small: World) -> None:
    """Else a client would stay for ever by sending a byte now and then."""
    slow = small.client()
    others = [small.client() for _ in range(LIMIT - 1)]
    slow.send(b"GET / ")
    small.client()
    small.clock.advance(0)
    assert slow.wire.gone
    assert not any(client.wire.gone for client in others)


def test_a_connection_that_is_being_answered_never_makes_room(small: World) -> None:
    slow = small.slow()
    busy = small.client()
    busy.send(press(small.record(), {KEY: CANARY}))
    for _ in range(3 * LIMIT):
        small.client()
        small.clock.advance(0)
    assert not busy.wire.gone
    slow.succeed()
    assert busy.replies()[0].status == 200


def test_when_all_are_being_answered_a_new_one_is_dropped(small: World) -> None:
    slow = small.slow()
    busy = []
    for number in range(LIMIT):
        busy.append(small.client())
        busy[-1].send(press(small.record(session=str(number)), {KEY: CANARY}))
    assert small.client().refused
    slow.succeed()
    assert not small.client().refused


def test_while_connections_are_being_closed_only_so_many_overlap(small: World) -> None:
    """Closing takes a turn of the reactor, in which many can come."""
    clients = [small.client() for _ in range(3 * (LIMIT + OVERLAP))]
    assert small.site.connections == LIMIT + OVERLAP
    assert [client.refused for client in clients].count(False) == LIMIT + OVERLAP
    small.clock.advance(0)
    assert small.site.connections == LIMIT


def test_closing_waits_until_every_connection_is_gone(world: World) -> None:
    clients = [world.client() for _ in range(3)]
    clients[0].send(STATUS)
    clients[1].send(b"GET / HT")
    closing = world.site.close()
    assert not closing.called
    world.clock.advance(0)
    assert closing.called
    assert all(client.wire.gone for client in clients)
    assert world.site.close().called


def test_closing_does_not_wait_long_for_who_does_not_read(world: World) -> None:
    client = world.client()
    client.wire.loseConnection = lambda: None  # type: ignore[method-assign]
    closing = world.site.close()
    world.clock.advance(LINGER)
    world.clock.advance(0)
    assert closing.called


def test_an_answer_that_comes_after_closing_keeps_nothing_alive(world: World) -> None:
    slow, client = world.slow(), world.client()
    client.send(press(world.record(), {KEY: CANARY}))
    client.wire.loseConnection = lambda: None  # type: ignore[method-assign]
    world.site.close()
    slow.succeed()
    world.clock.advance(LINGER)
    world.clock.advance(0)
    assert client.wire.gone
    assert not world.clock.getDelayedCalls()


def test_a_site_at_rest_sets_no_clock(world: World) -> None:
    """An access log would wake the process every second."""
    world.site.doStart()
    assert not world.clock.getDelayedCalls()
    world.site.doStop()
    client = world.client()
    assert len(world.clock.getDelayedCalls()) == 1
    client.leave()
    assert not world.clock.getDelayedCalls()


def test_a_hundred_clients_that_come_and_go_leave_nothing(world: World) -> None:
    for number in range(100):
        client = world.client()
        client.send(STATUS[: number % len(STATUS)])
        client.leave()
    assert world.site.connections == 0
    assert not world.clock.getDelayedCalls()


def test_a_wave_of_silent_clients_is_gone_after_the_deadline(world: World) -> None:
    clients = [world.client() for _ in range(200)]
    world.clock.advance(HEAD_DEADLINE)
    world.clock.advance(0)
    assert all(client.wire.gone for client in clients)


def test_http_2_is_not_offered(world: World) -> None:
    assert world.site.acceptableProtocols() == [b"http/1.1"]


def test_the_limit_of_descriptors_is_read_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < open_file_limit() <= sys.maxsize
    monkeypatch.setitem(sys.modules, "resource", None)
    assert open_file_limit() == sys.maxsize


def test_no_body_is_ever_spooled_to_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twisted keeps bodies of 100 KB and more, and those of unknown length, in a temporary file."""

    def spooled(*_: object, **__: object) -> None:
        raise AssertionError("a body went to disk")

    monkeypatch.setattr("tempfile.TemporaryFile", spooled)
    monkeypatch.setattr("tempfile.NamedTemporaryFile", spooled)
    assert isinstance(world.site, BoundedSite)
    assert world.ask("POST", "/r/" + "0" * 32, {}, b"x" * 250_000).status == 404
    client: Client = world.client()
    client.send(raw("POST", "/r/" + "0" * 32, {"Transfer-Encoding": "chunked"}) + b"5\r\nhello\r\n0\r\n\r\n")
    assert client.replies()[0].status == 404
