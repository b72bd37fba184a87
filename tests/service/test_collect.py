"""The service composed: the rooms meet, and nothing of it is left over."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import Deferred
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread

from offprompt import errors
from offprompt.service.collect import compose_from_environment, project_of_service, project_of_session
from tests.agent.world import Client
from tests.cli.answering import answer, ask, page_of
from tests.cli.mcp_process import REMOTE
from tests.request import made

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there"),
    pytest.mark.usefixtures("away"),
]


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
async def test_the_rooms_meet_from_the_call_to_the_file(project: Path) -> None:
    from twisted.internet import reactor

    parts = compose_from_environment(reactor, {**REMOTE, "CLAUDE_PROJECT_DIR": str(project)})
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
        environ = {**REMOTE, "CLAUDE_PROJECT_DIR": str(project), "OFFPROMPT_PORT": str(wished)}
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


@pytest_twisted.ensureDeferred
async def test_a_setting_that_cannot_be_used_is_told_to_the_agent_with_what_is_used_instead(project: Path) -> None:
    from twisted.internet import reactor

    environ = {**REMOTE, "CLAUDE_PROJECT_DIR": str(project), "OFFPROMPT_PORT": "70000", "OFFPROMPT_LOG": "here.log"}
    parts = compose_from_environment(reactor, environ)
    parts.root.privilegedStartService()
    parts.root.startService()
    client = Client(parts.agents.buildProtocol(None))
    client.initialize()
    note = (await result(client, client.collect("A_KEY")))["note"]
    assert "OFFPROMPT_PORT is not a number from 1 to 65535, so the page uses any free port." in note
    assert "OFFPROMPT_LOG is not an absolute path, so no log file is written." in note
    assert parts.page.port
    await parts.root.stopService()
