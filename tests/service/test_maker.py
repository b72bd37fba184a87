"""`makeService`: what is served where, and what is refused before anything listens."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import pytest_twisted
from twisted.internet.error import CannotListenError
from twisted.python.usage import UsageError

from offprompt import errors
from offprompt.service.maker import makeService
from offprompt.service.options import Options

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there"),
    pytest.mark.usefixtures("away"),
]


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


def test_importing_the_service_installs_no_reactor() -> None:
    """Who runs it chooses the reactor; so Klein and the manhole are imported when the service is made."""
    program = (
        "import sys, offprompt.service.maker; print('twisted.internet.reactor' in sys.modules, 'klein' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]


@pytest.mark.parametrize("endpoint", ["tcp:1", "tcp:1:interface=127.0.0.1", "unix:/tmp/x", "unix:/tmp/x:mode=666"])
def test_agents_are_never_served_where_others_could_connect(endpoint: str) -> None:
    with pytest.raises(errors.AgentExposed, match="mode=600"):
        makeService(options(f"--agent={endpoint}"))


@pytest.mark.parametrize("project_option", [(), ("--project=shop",)])
def test_a_working_directory_that_was_deleted_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch, project_option: tuple[str, ...]
) -> None:
    monkeypatch.chdir(project)
    project.rmdir()
    with pytest.raises(UsageError, match="not there any more: name the project"):
        makeService(options(*project_option))


@pytest.mark.parametrize("web", ["nonsense", "tcp", "nonsense:80", "tcp:0:much=1", "tcp:many"])
def test_a_page_s_endpoint_that_makes_no_sense_is_refused_before_anything_listens(web: str, short: Path) -> None:
    with pytest.raises(errors.EndpointUnknown, match=web):
        makeService(options(f"--web={web}", f"--agent=unix:{short}/a.sock:mode=600"))
    assert list(short.iterdir()) == []


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
