"""A client on a transport: its bytes in any pieces, its end, its silence."""

from __future__ import annotations

import json

from twisted.internet.testing import StringTransport

from offprompt.agent import timeouts
from offprompt.agent.mcp.events import CallStarted
from offprompt.agent.mcp.session import Session
from offprompt.agent.wire.descriptors import MAX_UNSENT
from tests.agent.world import World

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"x","version":"1"}}}\n'
)
COLLECT = (
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"collect_secret","arguments":'
    b'{"secrets":[{"name":"A_KEY"}]}}}\n'
)


def test_a_conversation_may_come_a_byte_at_a_time():
    world = World(remote=True)
    client = world.client()
    for byte in INITIALIZE + COLLECT:
        client.protocol.dataReceived(bytes([byte]))
    assert [message["id"] for message in client.heard()] == [1, 2]


def test_a_conversation_that_the_light_loop_began_goes_on_where_it_was():
    """Unsent bytes first, then the call that woke us, then the rest of a line that came in two halves."""
    world = World(remote=True)
    session = Session()
    session.receive(INITIALIZE)
    events = session.receive(COLLECT + b'{"jsonrpc":"2.0","id":3,"me')
    assert [type(event) for event in events] == [CallStarted]
    protocol = world.factory.go_on(session)
    transport = StringTransport()
    protocol.makeConnection(transport)
    protocol.begin(b'{"unsent": true}\n', events, ended=False)
    protocol.dataReceived(b'thod":"ping"}\n')
    lines = [json.loads(line) for line in transport.value().splitlines()]
    assert lines[0] == {"unsent": True}
    assert [line.get("id") for line in lines[1:]] == [2, 3]


def test_P3_what_is_due_is_sent_before_a_client_that_has_ended_is_left():
    world = World(remote=True)
    protocol = world.factory.go_on(Session())
    transport = StringTransport()
    protocol.makeConnection(transport)
    protocol.dataReceived(INITIALIZE + COLLECT)
    protocol.readConnectionLost()
    assert [json.loads(line)["id"] for line in transport.value().splitlines()] == [1, 2]
    assert transport.disconnecting
    protocol.connectionLost()
    assert world.clock.getDelayedCalls() == []


def test_P2_a_call_that_waits_holds_the_end_for_a_tenth_of_a_second():
    world = World()
    client = world.client()
    client.initialize()
    client.collect()
    world.record().fetched(world.clock.seconds())
    client.protocol.readConnectionLost()
    assert not client.transport.disconnecting
    world.clock.advance(timeouts.LAST_ANSWERS)
    assert client.transport.disconnecting
    assert client.heard() == []
    client.protocol.connectionLost()
    assert world.clock.getDelayedCalls() == []


def test_a_handover_of_a_client_that_has_ended_answers_and_closes():
    world = World(remote=True)
    session = Session()
    session.receive(INITIALIZE)
    events = session.receive(COLLECT)
    transport = StringTransport()
    protocol = world.factory.go_on(session)
    protocol.makeConnection(transport)
    protocol.begin(b"", events, ended=True)
    assert b'"id":2' in transport.value().replace(b" ", b"")
    assert transport.disconnecting
    protocol.connectionLost()


def test_F8_a_client_that_does_not_read_is_left_when_8_mib_wait_for_it():
    world = World()
    client = world.client()
    client.initialize()
    dropped = []
    client.transport.abortConnection = lambda: dropped.append(True)
    client.protocol.pauseProducing()
    listing = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    while not dropped:
        client.protocol.dataReceived(listing * 50)
        assert len(client.transport.value()) <= MAX_UNSENT
    assert len(client.transport.value()) > MAX_UNSENT - 500_000
    client.protocol.connectionLost()


def test_F8_a_client_that_reads_again_is_kept():
    world = World()
    client = world.client()
    client.initialize()
    dropped = []
    client.transport.abortConnection = lambda: dropped.append(True)
    listing = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    for _ in range(40):
        client.protocol.pauseProducing()
        client.protocol.dataReceived(listing * 100)
        client.protocol.resumeProducing()
        client.transport.clear()
    assert not dropped


def test_a_lost_client_frees_its_calls_and_its_place():
    world = World()
    client = world.client()
    client.initialize()
    client.collect(token=1)
    assert len(world.factory.open) == 1
    client.protocol.connectionLost()
    client.protocol.connectionLost()
    assert not len(world.factory.open)
    world.ledger.sweep(1e9)
    assert world.clock.getDelayedCalls() == []


def test_P2_a_client_that_does_not_read_any_more_is_gone():
    world = World()
    client = world.client()
    client.initialize()
    client.collect(token=1)
    client.protocol.writeConnectionLost()
    assert not len(world.factory.open)
    world.ledger.sweep(1e9)
    assert world.clock.getDelayedCalls() == []


def test_stopping_ends_every_session_and_waits_for_it():
    world = World()
    clients = [world.client() for _ in range(3)]
    closed = world.factory.close()
    assert all(client.transport.disconnecting for client in clients)
    assert not closed.called
    for client in clients:
        client.protocol.connectionLost()
    assert closed.called
    assert world.factory.close().called
