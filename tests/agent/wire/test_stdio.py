"""A conversation on descriptors goes on in Twisted, from where it was handed over to its end."""

from __future__ import annotations

import json
import os
import sys

import pytest
import pytest_twisted
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from offprompt.agent.mcp.session import Session
from offprompt.agent.wire.light_loop import Handover
from offprompt.agent.wire.stdio import StdioAgent
from tests.agent.world import World

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes are no descriptors to poll there")

CALL = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"x","version":"1"}}}\n'
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"await_secret","arguments":{"request_id":"x"}}}\n'
)


class Wire:
    """Two pipes with a client at the far ends."""

    def __init__(self) -> None:
        self.reading, self.to_server = os.pipe()
        self.from_server, self.writing = os.pipe()

    async def line(self) -> dict:
        data = b""
        while not data.endswith(b"\n"):
            data += await deferToThread(os.read, self.from_server, 1)
        return json.loads(data)

    def close(self) -> None:
        for descriptor in (self.to_server, self.from_server):
            os.close(descriptor)


@pytest_twisted.ensureDeferred
async def test_what_was_handed_over_is_answered_first_and_the_end_is_noticed():
    from twisted.internet import reactor

    wire, ended = Wire(), Deferred()
    session = Session()
    events = [event for event in session.receive(CALL) if type(event).__name__ == "CallStarted"]
    handover = Handover(session, events, wire.reading, wire.writing, b'{"unsent": 1}\n', False)
    agent = StdioAgent(World().factory, handover, reactor, lambda: ended.callback(None))
    agent.startService()
    assert await wire.line() == {"unsent": 1}
    assert (await wire.line())["id"] == 2
    os.write(wire.to_server, b'{"jsonrpc":"2.0","id":3,"method":"ping"}\n')
    assert (await wire.line())["id"] == 3
    os.close(wire.to_server)
    await ended
    os.close(wire.from_server)


@pytest_twisted.ensureDeferred
async def test_a_client_that_closes_its_reading_end_first_is_gone_too():
    from twisted.internet import reactor

    wire, ended = Wire(), Deferred()
    agent = StdioAgent(
        World().factory,
        Handover(Session(), [], wire.reading, wire.writing, b"", False),
        reactor,
        lambda: ended.callback(None),
    )
    agent.startService()
    os.close(wire.from_server)
    await ended
    os.close(wire.to_server)
