"""Agents on a socket: several at once, each its own session, and only for the socket's owner."""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import threading

import pytest
import pytest_twisted
from twisted.internet.threads import deferToThread

from offprompt import errors
from offprompt.agent.wire.listener import AgentListener
from tests.agent.world import World

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there")


@pytest.mark.parametrize(
    "endpoint",
    [
        "tcp:0", "tcp:0:interface=127.0.0.1", "stdio:", "unix:/tmp/x", "unix:/tmp/x:mode=666", "unix:/tmp/x:mode=6000",
        "unix:/tmp/x:mode=600:mode=666", "unix:/tmp/x:mode=666:mode=600", "unix:/tmp/x\\:mode=600", "unix::mode=600",
        "unix:/tmp/x:mode=600:much=1", "unix:mode=666:mode=600",
    ],
)  # fmt: skip
def test_what_others_could_open_is_refused(endpoint):
    from twisted.internet import reactor

    with pytest.raises(errors.AgentExposed):
        AgentListener(endpoint, World().factory, reactor)


@pytest.mark.parametrize("endpoint", ["unix:/tmp/x:mode=0600", "unix:a\\:b\\=c:lockfile=0:mode=600:backlog=9"])
def test_what_only_its_owner_opens_is_served(endpoint):
    from twisted.internet import reactor

    assert AgentListener(endpoint, World().factory, reactor)


def test_a_system_without_unix_sockets_says_so():
    with pytest.raises(errors.NoUnixSockets):
        AgentListener("unix:/tmp/x:mode=600", World().factory, object())


def converse(path: str, barrier: threading.Barrier, number: int) -> tuple[list[dict], str]:
    """A plain client: initialize, collect, and one look at somebody else's request."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(path)
        lines = client.makefile("rwb")

        def ask(message: dict) -> dict:
            lines.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            lines.flush()
            return json.loads(lines.readline())

        info = {"name": f"agent-{number}", "version": "1"}
        ask(
            {
                "id": 0,
                "method": "initialize",
                "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info},
            }
        )
        barrier.wait()
        call = {"name": "collect_secret", "arguments": {"secrets": [{"name": "THE_SAME_KEY"}], "reason": "the same"}}
        told = [ask({"id": n, "method": "tools/call", "params": call})["result"]["structuredContent"] for n in (1, 2)]
        return told, told[0]["request_id"]


@pytest_twisted.ensureDeferred
async def test_ten_agents_with_equal_calls_are_not_mixed_up(tmp_path):
    from twisted.internet import reactor

    world = World(remote=True)
    path = str(tmp_path / "agents.sock")
    listener = AgentListener(f"unix:{path}:mode=600", world.factory, reactor)
    listener.privilegedStartService()
    listener.startService()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    barrier = threading.Barrier(10)
    from twisted.internet.defer import gatherResults

    outcomes = await gatherResults([deferToThread(converse, path, barrier, number) for number in range(10)])
    assert all(first["request_id"] == again["request_id"] for (first, again), _ in outcomes)
    assert len({request_id for _, request_id in outcomes}) == 10
    assert {record.order.host for record in world.ledger.open_records()} == {f"agent-{number}" for number in range(10)}
    assert len({record.order.session for record in world.ledger.open_records()}) == 10
    await listener.stopService()
    assert not len(world.factory.open)
    assert not os.path.exists(path)


@pytest_twisted.ensureDeferred
async def test_stopping_closes_a_session_that_waits(tmp_path):
    from twisted.internet import reactor

    world = World(remote=True)
    path = str(tmp_path / "agents.sock")
    listener = AgentListener(f"unix:{path}:mode=600", world.factory, reactor)
    listener.privilegedStartService()
    listener.startService()
    with socket.socket(socket.AF_UNIX) as client:
        await deferToThread(client.connect, path)
        while not world.factory.open:
            await deferToThread(lambda: None)
        await listener.stopService()
        assert await deferToThread(client.recv, 1) == b""


def test_a_place_where_no_socket_can_be_is_an_error_at_the_start(tmp_path):
    from twisted.internet import reactor

    listener = AgentListener(f"unix:{tmp_path}/missing/agents.sock:mode=600", World().factory, reactor)
    with pytest.raises(errors.SocketNotMade, match=r"No such file or directory$"):
        listener.privilegedStartService()
