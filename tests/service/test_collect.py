"""The service as a whole: what its options mean, what it is made of, and that nothing of it stays when it stops."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import Deferred
from twisted.internet.error import CannotListenError
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread
from twisted.python.usage import UsageError

from offprompt import errors
from offprompt.service.collect import compose_from_environment, project_of_service, project_of_session
from offprompt.service.maker import makeService
from offprompt.service.options import STDIO, Options
from tests.agent.world import Client
from tests.cli.answering import answer, ask, page_of
from tests.request import made

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there")

AWAY = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name (107 bytes, unix(7))."""
    with tempfile.TemporaryDirectory(prefix="offprompt-") as folder:
        yield Path(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The links are in the results, and nothing looks for cloudflared."""
    for name in ("OFFPROMPT_PORT", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**AWAY, "HOME": str(tmp_path / "home")}.items():
        monkeypatch.setenv(name, value)


def options(*argv: str) -> Options:
    given = Options()
    given.parseOptions(list(argv))
    return given


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as there:
        return int(there.getsockname()[1])


def is_open(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


def seconds(number: float) -> Deferred[None]:
    from twisted.internet import reactor

    return deferLater(reactor, number)


async def result(client: Client, number: int) -> dict[str, Any]:
    """The structured result of that call, as soon as it is there."""
    for _ in range(400):
        if b"\n" in client.transport.value():
            return client.result(number)
        await seconds(0.02)
    raise AssertionError("no answer came")


def test_a_working_directory_that_was_deleted_is_told_as_a_project_that_is_not_there(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    project.rmdir()
    with pytest.raises(errors.ProjectMissing, match="is not there any more"):
        project_of_session({})([])


def test_importing_the_service_installs_no_reactor() -> None:
    """Who runs it chooses the reactor; so Klein and the manhole are imported when the service is made."""
    program = (
        "import sys, offprompt.service.maker; print('twisted.internet.reactor' in sys.modules, 'klein' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]


def test_agents_are_on_stdio_unless_others_are_named() -> None:
    assert options().agents == [STDIO]
    two = options("--agent=unix:/run/a.sock:mode=600", "-a", "unix:/run/b.sock:mode=600")
    assert two.agents == ["unix:/run/a.sock:mode=600", "unix:/run/b.sock:mode=600"]
    assert options("--agent=stdio:", "--agent=unix:/run/a.sock:mode=600").agents[0] == STDIO


def test_there_is_one_stdin() -> None:
    with pytest.raises(UsageError, match="one stdin and one stdout"):
        options("--agent=stdio:", "--agent=stdio:")


@pytest.mark.parametrize("endpoint", ["tcp:1", "tcp:1:interface=127.0.0.1", "unix:/tmp/x", "unix:/tmp/x:mode=666"])
def test_agents_are_never_served_where_others_could_connect(endpoint: str) -> None:
    with pytest.raises(errors.AgentExposed, match="mode=600"):
        makeService(options(f"--agent={endpoint}"))


@pytest.mark.parametrize("web", ["nonsense", "tcp", "nonsense:80", "tcp:0:much=1", "tcp:many"])
def test_a_page_s_endpoint_that_makes_no_sense_is_refused_before_anything_listens(web: str, short: Path) -> None:
    with pytest.raises(errors.EndpointUnknown, match=web):
        makeService(options(f"--web={web}", f"--agent=unix:{short}/a.sock:mode=600"))
    assert list(short.iterdir()) == []


def test_a_session_s_project_is_what_its_host_names(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = project_of_session({"CLAUDE_PROJECT_DIR": str(project)})
    assert chosen(()) == str(project)
    (project.parent / "other").mkdir()
    assert chosen((str(project.parent / "other"),)) == str(project.parent / "other")
    monkeypatch.chdir(project)
    assert project_of_session({})(()) == str(project)


def test_a_service_s_project_can_only_be_narrowed(project: Path) -> None:
    (project / "api").mkdir()
    chosen = project_of_service(str(project))
    assert chosen(()) == str(project)
    assert chosen((str(project / "api"),)) == str(project / "api")
    assert chosen((str(project.parent),)) == str(project)
    (project.parent / "other").mkdir()
    with pytest.raises(errors.ProjectElsewhere):
        chosen((str(project.parent / "other"),))


@pytest_twisted.ensureDeferred
async def test_it_serves_on_every_socket_and_stops_without_a_trace(project: Path, short: Path) -> None:
    """What is left over (a delayed call, a failure in the log) fails every test: see conftest."""
    port = free_port()
    sockets = [short / "a.sock", short / "b.sock"]
    agents = [f"--agent=unix:{path}:mode=600" for path in sockets]
    service = makeService(options(f"--web=tcp:{port}:interface=127.0.0.1", f"--project={project}", *agents))
    service.privilegedStartService()
    service.startService()
    assert is_open(port)
    assert [stat.S_IMODE(path.stat().st_mode) for path in sockets] == [0o600, 0o600]
    await service.stopService()
    assert not is_open(port)
    assert list(short.iterdir()) == []


def test_a_taken_port_ends_the_start(project: Path, short: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        web = f"--web=tcp:{port}:interface=127.0.0.1"
        service = makeService(options(web, f"--project={project}", f"--agent=unix:{short}/a.sock:mode=600"))
        with pytest.raises(CannotListenError):
            service.privilegedStartService()
    assert list(short.iterdir()) == []


@pytest_twisted.ensureDeferred
async def test_a_socket_that_cannot_be_made_ends_the_start(project: Path, short: Path) -> None:
    service = makeService(options(f"--project={project}", f"--agent=unix:{short}/missing/a.sock:mode=600"))
    with pytest.raises(errors.SocketNotMade):
        service.privilegedStartService()
    await service.stopService()


@pytest_twisted.ensureDeferred
async def test_the_rooms_meet_from_the_call_to_the_file(project: Path) -> None:
    from twisted.internet import reactor

    parts = compose_from_environment(reactor, {**AWAY, "CLAUDE_PROJECT_DIR": str(project)})
    parts.root.privilegedStartService()
    parts.root.startService()
    client = Client(parts.agents.buildProtocol(None))
    client.initialize()
    asked = await result(client, client.collect("A_KEY"))
    emoji = await deferToThread(answer, asked["url"], {"A_KEY": "made-up-value"})
    written = await result(client, client.wait(asked["request_id"]))
    assert written["fingerprint"] == " ".join(emoji)
    assert (project / ".env").read_text() == "A_KEY=made-up-value\n"
    await parts.root.stopService()
    assert not is_open(int(page_of(asked["url"]).split(":")[2].partition("/")[0]))


@pytest_twisted.ensureDeferred
async def test_a_wished_port_that_is_taken_is_replaced_and_the_agent_is_told(project: Path) -> None:
    from twisted.internet import reactor

    with socket.create_server(("127.0.0.1", 0)) as taken:
        wished = taken.getsockname()[1]
        environ = {**AWAY, "CLAUDE_PROJECT_DIR": str(project), "OFFPROMPT_PORT": str(wished)}
        parts = compose_from_environment(reactor, environ)
        parts.root.privilegedStartService()
        parts.root.startService()
        client = Client(parts.agents.buildProtocol(None))
        client.initialize()
        asked = await result(client, client.collect("A_KEY"))
        assert parts.page.port not in (0, wished)
        assert f"Port {wished} was in use, so the page is on port {parts.page.port}." in asked["note"]
        assert (await deferToThread(ask, page_of(asked["url"])))[0] == 200
        await parts.root.stopService()


@pytest_twisted.ensureDeferred
async def test_a_manhole_is_there_only_when_asked_for(project: Path, short: Path) -> None:
    agent = f"--agent=unix:{short}/a.sock:mode=600"
    state = short / "state"
    service = makeService(options(agent, f"--project={project}", "--manhole=default", f"--state={state}"))
    service.privilegedStartService()
    service.startService()
    hole = state / "manhole.sock"
    assert stat.S_IMODE(os.stat(hole).st_mode) == 0o600
    await service.stopService()
    assert not hole.exists()
    without = makeService(options(agent, f"--project={project}", f"--state={short / 'none'}"))
    without.privilegedStartService()
    without.startService()
    await without.stopService()
    assert not (short / "none").exists()


@pytest_twisted.ensureDeferred
async def test_the_project_supplies_none_of_the_programs_that_are_started(project: Path, tmp_path: Path) -> None:
    """Neither the project of this process nor that of a request, which a host may have named."""
    from twisted.internet import reactor

    other = tmp_path / "other"
    for folder in (project, other):
        for name in ("xdg-open", "open", "cloudflared"):
            program = folder / "bin" / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text("#!/bin/sh\necho cloudflared version 2026.9.1\n")
            program.chmod(0o755)
    environ = {"PATH": f"{project}/bin:{other}/bin", "CLAUDE_PROJECT_DIR": str(project), "HOME": str(tmp_path)}
    parts = compose_from_environment(reactor, environ)
    assert parts.opener.program.startswith(f"{other}/bin/")
    assert (await parts.tunnel.finder.installed() or ("",))[0] == f"{other}/bin/cloudflared"
    parts.ledger.open(made.order(project=str(other)), reactor.seconds())
    assert parts.opener.program == ""
    assert await parts.tunnel.finder.installed() is None
