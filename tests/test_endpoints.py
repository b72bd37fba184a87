"""Endpoints that only this computer, or only this user, can reach."""

from __future__ import annotations

import os
import socket
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet import unix
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.testing import MemoryReactor

from offprompt import errors
from offprompt.endpoints import LocalReactor, is_loopback, local_endpoint, local_service

needs_unix_sockets = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there")


def local(description: str, reactor: Any, **rules: Any) -> Any:
    return local_endpoint(description, LocalReactor(reactor, description, errors.PageExposed, **rules))


@pytest.mark.parametrize("interface", ["127.0.0.1", "127.1.2.3", "::1", "::1%lo"])
def test_the_loopback_is_this_computer(interface: str) -> None:
    assert is_loopback(interface)


@pytest.mark.parametrize("interface", ["", "0.0.0.0", "::", "10.0.0.1", "localhost", "fe80::1%lo"])
def test_everything_else_is_not(interface: str) -> None:
    assert not is_loopback(interface)


@pytest.mark.parametrize("description", ["tcp:0:interface=127.0.0.1", "tcp:4173:interface=\\:\\:1"])
def test_the_loopback_may_be_listened_on(description: str) -> None:
    reactor = MemoryReactor()
    local(description, reactor).listen(Factory())
    assert len(reactor.tcpServers) == 1


@pytest.mark.parametrize("description", ["tcp:4173", "tcp:4173:interface=0.0.0.0", "tcp6:4173"])
def test_what_others_could_reach_is_refused(description: str) -> None:
    reactor = MemoryReactor()
    failures: list[Any] = []
    local(description, reactor).listen(Factory()).addErrback(failures.append)
    assert failures[0].check(errors.PageExposed)
    assert not reactor.tcpServers


@pytest.mark.parametrize("way", ["listenSSL", "listenUDP", "adoptStreamConnection", "spawnProcess", "callLater"])
def test_no_other_way_of_listening_is_offered(way: str) -> None:
    with pytest.raises(errors.PageExposed):
        getattr(LocalReactor(MemoryReactor(), "made:up", errors.PageExposed), way)


def test_a_socket_that_is_handed_over_is_taken_only_where_that_is_meant() -> None:
    taken: list[int] = []

    class Handed:
        def adoptStreamPort(self, number: int, family: int, factory: Factory) -> None:
            taken.append(number)

    with pytest.raises(errors.PageExposed):
        LocalReactor(Handed(), "systemd:", errors.PageExposed).adoptStreamPort(3, socket.AF_INET, Factory())
    LocalReactor(Handed(), "systemd:", errors.PageExposed, adopts=True).adoptStreamPort(4, socket.AF_INET, Factory())
    assert taken == [4]


@pytest.mark.parametrize("description", ["nosuch:1", "tcp:x", "tcp", "systemd:domain=INET:index=0"])
def test_what_is_no_endpoint_is_named(description: str) -> None:
    with pytest.raises(errors.EndpointUnknown) as refusal:
        local(description, MemoryReactor())
    assert description in str(refusal.value)
    with pytest.raises(errors.EndpointUnknown):
        local_service(description, Factory(), LocalReactor(MemoryReactor(), description, errors.PageExposed))


@needs_unix_sockets
@pytest_twisted.ensureDeferred
async def test_a_private_socket_is_its_owners_whatever_the_umask_and_the_description(tmp_path: Path) -> None:
    from twisted.internet import reactor

    path = tmp_path / "door.sock"
    before = os.umask(0)
    try:
        port = await local(f"unix:{path}:mode=666", reactor).listen(Factory.forProtocol(Protocol))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    await port.stopListening()
    assert not path.exists()


@needs_unix_sockets
@pytest_twisted.ensureDeferred
async def test_nobody_can_connect_before_the_mode_is_set_and_no_umask_is_needed_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from twisted.internet import reactor

    path, refused = tmp_path / "door.sock", []
    chmod = os.chmod

    def try_first(target: Any, mode: int) -> None:
        with socket.socket(socket.AF_UNIX) as early, pytest.raises(ConnectionRefusedError) as refusal:
            early.connect(str(path))
        refused.append(refusal.value)
        chmod(target, mode)

    monkeypatch.setattr(unix.os, "chmod", try_first)
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("a umask holds for every thread"))
    port = await local(f"unix:{path}", reactor).listen(Factory.forProtocol(Protocol))
    assert len(refused) == 1
    with socket.socket(socket.AF_UNIX) as later:
        later.connect(str(path))
    monkeypatch.undo()
    await port.stopListening()


@needs_unix_sockets
def test_a_socket_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    from twisted.internet import reactor

    failures: list[Any] = []
    local(f"unix:{tmp_path}/missing/door.sock", reactor).listen(Factory()).addErrback(failures.append)
    assert failures[0].check(errors.SocketNotMade)
    assert "No such file" in str(failures[0].value)


def test_a_system_without_unix_sockets_says_so() -> None:
    here = LocalReactor(object(), "unix:/run/door.sock", errors.PageExposed)
    with pytest.raises(errors.NoUnixSockets):
        here.listenUNIX("/run/door.sock", Factory())
