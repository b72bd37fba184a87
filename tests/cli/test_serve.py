"""`offprompt serve` as a process: it serves, says what it does, and says why it cannot."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.answering import answer
from tests.cli.service_process import OFFPROMPT, PATIENCE, Client, service

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there")

REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}
SERVE = [*OFFPROMPT, "serve"]
VALUE = "made-up-value-7Qz-of-a-test"


def refused(folder: Path, *options: str, code: int) -> str:
    """What is said by a service that cannot start, and that ends with this code."""
    environ = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(
        [*SERVE, *options], cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE
    )
    said = ran.stderr.decode()
    assert ran.returncode == code, said
    assert "Traceback" not in said
    assert ran.stdout == b""
    return said


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("json_lines", [False, True])
def test_it_serves_an_agent_and_stops_in_order(by: signal.Signals, json_lines: bool, tmp_path: Path) -> None:
    options = ["--json"] if json_lines else []
    with service(tmp_path, [*SERVE, *options], **REMOTE) as one:
        client = Client(one.socket, "an-agent")
        asked = client.call("collect_secret", secrets=[{"name": "A_KEY"}])
        emoji = answer(asked["url"], {"A_KEY": VALUE})
        assert client.call("await_secret", request_id=asked["request_id"])["fingerprint"] == " ".join(emoji)
        assert one.stop(by) == 0
        client.close()
        assert (one.project / ".env").read_text() == f"A_KEY={VALUE}\n"
        assert VALUE not in one.said()
        assert asked["url"].partition("/r/")[2][:32] not in one.said()  # a link in a log is a link for its readers
        assert "Traceback" not in one.said()
        if json_lines:
            lines = [json.loads(line) for line in one.said().splitlines()]
            assert all({"time", "level", "message"} <= set(line) for line in lines)


def test_a_port_that_is_taken_is_said_and_ends_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(
            tmp_path,
            f"--web=tcp:{port}:interface=127.0.0.1",
            f"--agent=unix:{tmp_path}/a.sock:mode=600",
            f"--project={tmp_path}",
            code=1,
        )
    assert "offprompt serve: " in said
    assert str(port) in said


def test_a_socket_that_cannot_be_made_is_said_and_ends_it(tmp_path: Path) -> None:
    said = refused(tmp_path, f"--agent=unix:{tmp_path}/missing/a.sock:mode=600", code=1)
    assert "offprompt serve: " in said
    assert "missing/a.sock" in said


@pytest.mark.parametrize(
    "options",
    [
        ["--agent=tcp:4711"],
        ["--agent=unix:/tmp/x"],
        ["--agent=unix:/tmp/x:mode=666"],
        ["--agent=nonsense"],
        ["--web=nonsense"],
        ["--no-such-option"],
        ["--agent=stdio:", "--agent=stdio:"],
        ["an argument"],
    ],
)
def test_options_that_make_no_sense_are_said(options: list[str], tmp_path: Path) -> None:
    assert "offprompt serve: " in refused(tmp_path, *options, code=2)


def test_the_options_are_told(tmp_path: Path) -> None:
    told = subprocess.run([*SERVE, "--help"], cwd=tmp_path, capture_output=True, timeout=PATIENCE).stdout.decode()
    for option in ("--agent", "--web", "--project", "--manhole", "--json"):
        assert option in told
