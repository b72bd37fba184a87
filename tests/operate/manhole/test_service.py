"""The manhole, entered by Conch's client in this process and by the computer's own ssh in another."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.conch.client.knownhosts import KnownHostsFile
from twisted.conch.endpoints import SSHCommandClientEndpoint
from twisted.conch.ssh.keys import Key
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import UNIXClientEndpoint
from twisted.internet.protocol import Factory, ProcessProtocol, Protocol
from twisted.internet.task import deferLater
from twisted.python.failure import Failure
from twisted.python.filepath import FilePath

from offprompt import errors
from offprompt.cli.attach import ssh_command
from offprompt.emptyable_set import EmptyableSet
from offprompt.operate.manhole.views import requests_view
from offprompt.request.ledger import Ledger
from offprompt.request.record import Record
from tests.request.made import counting, order

DENIED = 255
"""What ssh returns when it could not log in."""


@dataclass
class World:
    """A manhole into a ledger with two open requests, on a socket in a state folder of its own."""

    reactor: Any
    state: Path
    description: str = ""
    authorized_keys: str | None = None
    ledger: Ledger = field(default_factory=lambda: Ledger(counting()))

    def __post_init__(self) -> None:
        from offprompt.operate.manhole.service import manhole_service

        now = self.reactor.seconds()
        self.records: list[Record] = [self.ledger.open(order(name), now)[0] for name in ("STRIPE_KEY", "DATABASE_URL")]
        self.socket = str(self.state / "manhole.sock")
        namespace = {"requests": requests_view(self.ledger, self.reactor.seconds)}
        self.service = manhole_service(
            self.description or f"unix:{self.socket}", namespace, str(self.state), self.authorized_keys, self.reactor
        )

    async def ssh(self, line: str | None, typed: bytes = b"", *, identity: str | None = None) -> tuple[int, str]:
        """What the computer's ssh returns and shows for a line of Python, or for what is typed at a prompt."""
        command = ssh_command(self.socket, str(self.state), identity, line)
        if line is None:
            command.insert(1, "-tt")
        ssh = _Ssh(typed)
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.reactor.spawnProcess(ssh, command[0], command, environ)
        return await ssh.ended.addTimeout(30, self.reactor)


class _Ssh(ProcessProtocol):
    def __init__(self, typed: bytes) -> None:
        self.ended: Deferred[tuple[int, str]] = Deferred()
        self._typed = typed
        self._shown = b""

    def outReceived(self, data: bytes) -> None:
        self._shown += data
        if self._typed and b">>> " in self._shown:
            self.transport.write(self._typed)
            self._typed = b""

    errReceived = outReceived

    def processEnded(self, reason: Failure) -> None:
        self.ended.callback((reason.value.exitCode, self._shown.decode()))


@pytest_twisted.async_yield_fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    from twisted.internet import reactor

    world = World(reactor, tmp_path / "state")
    world.service.privilegedStartService()
    world.service.startService()
    yield world
    if world.service.running:
        await world.service.stopService()


needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs OpenSSH's client")


def no_secret(world: World, shown: str) -> bool:
    secrets = [secret for each in world.records for secret in (each.token, each.nonce, each.link("x").key)]
    return not any(secret in shown for secret in secrets)


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_an_operator_lists_requests_and_cancels_one_with_ssh(world: World) -> None:
    status, shown = await world.ssh("requests")
    assert status == 0
    assert "STRIPE_KEY" in shown
    assert "DATABASE_URL" in shown
    assert no_secret(world, shown)
    beginning = world.records[0].request_id[:8]
    status, shown = await world.ssh(f'requests.cancel("{beginning}")')
    assert (status, shown) == (0, f"'cancelled {beginning} (STRIPE_KEY)'\n")
    assert world.records[0].cancelled_by == "operator"
    _, shown = await world.ssh("requests")
    assert "STRIPE_KEY" not in shown
    assert "DATABASE_URL" in shown


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_offprompt_attach_leads_to_the_manhole_of_its_state_folder(world: World) -> None:
    program = "import sys; from offprompt.cli import main; sys.exit(main())"
    attach = _Ssh(b"")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", program, "attach", "--state", str(world.state), "requests"]
    world.reactor.spawnProcess(attach, command[0], command, environ)
    status, shown = await attach.ended.addTimeout(30, world.reactor)
    assert status == 0
    assert "STRIPE_KEY" in shown


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_an_operator_types_at_a_prompt(world: World) -> None:
    status, shown = await world.ssh(None, b"requests\rprint(6 * 7)\r\x04")
    assert "DATABASE_URL" in shown
    assert "42" in shown
    assert no_secret(world, shown)
    assert status in (0, DENIED)


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_a_line_that_fails_shows_why_and_one_that_is_cut_returns_2(world: World) -> None:
    assert "ZeroDivisionError" in (await world.ssh("1/0"))[1]
    assert (await world.ssh("if True:"))[0] == 2
    assert "SyntaxError" in (await world.ssh("é="))[1]
    assert (await world.ssh("None")) == (0, "")


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_nobody_comes_in_with_another_key(world: World, tmp_path: Path) -> None:
    identity = tmp_path / "other"
    identity.write_bytes(_new_key().toString("openssh"))
    identity.chmod(0o600)
    status, shown = await world.ssh("requests", identity=str(identity))
    assert status == DENIED
    assert "STRIPE_KEY" not in shown


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_a_key_that_is_taken_from_the_file_opens_no_more(world: World) -> None:
    assert (await world.ssh("1"))[0] == 0
    (world.state / "manhole_authorized_keys").write_text("")
    assert (await world.ssh("1"))[0] == DENIED


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_a_file_of_keys_that_others_may_write_lets_nobody_in(world: World) -> None:
    (world.state / "manhole_authorized_keys").chmod(0o620)
    assert (await world.ssh("1"))[0] == DENIED


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_ssh_refuses_a_host_with_another_key(world: World) -> None:
    known = world.state / "manhole_known_hosts"
    known.write_bytes(b"offprompt " + _new_key().public().toString("openssh") + b"\n")
    assert (await world.ssh("1"))[0] == DENIED


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_stopping_ends_open_prompts_and_leaves_nothing(world: World) -> None:
    prompt = Deferred.fromCoroutine(world.ssh(None, b"print('in')\r"))
    await _until(world, lambda: len(_sessions(world)) == 1 and hasattr(next(iter(_sessions(world))), "avatar"))
    await world.service.stopService()
    assert not len(_sessions(world))
    assert not os.path.exists(world.socket)
    await prompt


@needs_ssh
@pytest_twisted.ensureDeferred
async def test_operators_with_a_file_of_their_own_use_their_own_keys(tmp_path: Path) -> None:
    from twisted.internet import reactor

    key = _new_key()
    identity, keys = tmp_path / "mine", tmp_path / "keys"
    identity.write_bytes(key.toString("openssh"))
    identity.chmod(0o600)
    keys.write_bytes(b"# the team\n\n" + key.public().toString("openssh") + b" me\nnot a key\n")
    world = World(reactor, tmp_path / "state", authorized_keys=str(keys))
    world.service.startService()
    assert (await world.ssh("6*7", identity=str(identity))) == (0, "42\n")
    assert not (tmp_path / "state" / "manhole_key").exists(), "no key is made that nobody asked for"
    await world.service.stopService()


@pytest_twisted.ensureDeferred
async def test_conchs_own_client_runs_a_line_over_loopback(tmp_path: Path) -> None:
    """A second implementation of the protocol, and the other way of listening."""
    from twisted.internet import reactor

    shown: Deferred[bytes] = Deferred()

    class Command(Protocol):
        received = b""

        def dataReceived(self, data: bytes) -> None:
            self.received += data

        def connectionLost(self, reason: Failure = None) -> None:  # type: ignore[assignment]
            shown.callback(self.received)

    world = World(reactor, tmp_path / "state", description="tcp:0:interface=127.0.0.1")
    world.service.startService()
    port = world.service.services[0]._waitingForPort.result.getHost().port
    known = KnownHostsFile(FilePath(str(tmp_path / "known_hosts")))
    known.addHostKey(b"127.0.0.1", Key.fromFile(str(world.state / "manhole_host_key")).public())
    key = Key.fromFile(str(world.state / "manhole_key"))
    endpoint = SSHCommandClientEndpoint.newConnection(
        reactor, b"requests", b"anybody", b"127.0.0.1", port, keys=[key], knownHosts=known, agentEndpoint=None
    )
    await endpoint.connect(Factory.forProtocol(Command))
    text = (await shown).decode()
    assert "STRIPE_KEY" in text
    assert no_secret(world, text)
    await world.service.stopService()


@pytest_twisted.ensureDeferred
async def test_only_so_many_are_let_in_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from offprompt.operate.manhole import service

    monkeypatch.setattr(service, "MAX_SESSIONS", 2)
    knocking = [await _knock(world) for _ in range(3)]
    await _until(world, lambda: knocking[2].closed)
    assert not knocking[0].closed
    for each in knocking:
        each.transport.loseConnection()
    await _until(world, lambda: not len(_sessions(world)))


@pytest_twisted.ensureDeferred
async def test_who_does_not_log_in_is_cut_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from offprompt.operate.manhole import service

    monkeypatch.setattr(service, "LOGIN_TIME", 0.05)
    knocking = await _knock(world)
    await _until(world, lambda: knocking.closed)


@pytest_twisted.ensureDeferred
async def test_stopping_cuts_who_does_not_answer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from offprompt.operate.manhole import service

    monkeypatch.setattr(service, "PATIENCE", 0.05)
    knocking = await _knock(world)
    knocking.transport.pauseProducing()
    await world.service.stopService()
    assert not len(_sessions(world))
    knocking.transport.abortConnection()


@pytest.mark.parametrize(
    "description",
    ["tcp:0", "tcp:0:interface=0.0.0.0", "tcp:0:interface=192.0.2.1", "tcp:0:interface=localhost", "tcp6:0"],
)
def test_anywhere_but_on_this_computer_it_does_not_listen(tmp_path: Path, description: str) -> None:
    """A host name is refused too: who answers for it is not ours to say."""
    from twisted.internet import reactor

    with pytest.raises(errors.ManholeExposed, match="tcp"):
        World(reactor, tmp_path / "state", description=description).service.privilegedStartService()


@pytest.mark.parametrize("description", ["nonsense", "tcp:many", "tcp:0:much=1"])
def test_what_is_no_endpoint_is_said(tmp_path: Path, description: str) -> None:
    from twisted.internet import reactor

    with pytest.raises(errors.EndpointUnknown, match=description):
        World(reactor, tmp_path / "state", description=description)


def test_a_socket_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    from twisted.internet import reactor

    description = f"unix:{tmp_path}/missing/manhole.sock"
    with pytest.raises(errors.SocketNotMade, match=r"No such file or directory$"):
        World(reactor, tmp_path / "state", description=description).service.privilegedStartService()


@pytest_twisted.ensureDeferred
async def test_on_loopback_it_listens(tmp_path: Path) -> None:
    from twisted.internet import reactor

    world = World(reactor, tmp_path / "state", description="tcp:0:interface=127.0.0.1")
    world.service.startService()
    await world.service.stopService()


@pytest_twisted.ensureDeferred
async def test_a_socket_is_its_owners_alone_whatever_the_endpoint_says(tmp_path: Path) -> None:
    from twisted.internet import reactor

    (tmp_path / "state").mkdir(mode=0o700)
    path = tmp_path / "state" / "open.sock"
    world = World(reactor, tmp_path / "state", description=f"unix:{path}:mode=666")
    world.service.startService()
    found = os.stat(path)
    assert stat.S_ISSOCK(found.st_mode)
    assert found.st_mode & 0o777 == 0o600
    await world.service.stopService()


@pytest_twisted.ensureDeferred
async def test_a_taken_port_stops_the_start(tmp_path: Path) -> None:
    from twisted.internet import reactor
    from twisted.internet.error import CannotListenError

    port = reactor.listenTCP(0, Factory.forProtocol(Protocol), interface="127.0.0.1")  # type: ignore[attr-defined]
    description = f"tcp:{port.getHost().port}:interface=127.0.0.1"
    with pytest.raises(CannotListenError):
        World(reactor, tmp_path / "state", description=description).service.privilegedStartService()
    await port.stopListening()


class _Knocking(Protocol):
    closed = False

    def connectionLost(self, reason: Failure = None) -> None:  # type: ignore[assignment]
        self.closed = True


async def _knock(world: World) -> Any:
    return await UNIXClientEndpoint(world.reactor, world.socket).connect(Factory.forProtocol(_Knocking))


def _sessions(world: World) -> EmptyableSet[Any]:
    found: EmptyableSet[Any] = world.service._factory.sessions
    return found


async def _until(world: World, true: Any) -> None:
    for _ in range(500):
        if true():
            return
        await deferLater(world.reactor, 0.01, lambda: None)
    raise AssertionError("it did not come true within 5 s")


def _new_key() -> Key:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Key(Ed25519PrivateKey.generate())
