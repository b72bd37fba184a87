"""The units in docs/operating.md are what systemd and twistd take."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs" / "operating.md"


def units() -> dict[str, str]:
    """The two units of the page, by their names."""
    bodies = re.findall(r"```ini\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return dict(zip(("offprompt.service", "offprompt.socket"), bodies, strict=True))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    for name, body in units().items():
        (tmp_path / name).write_text(body)
    paths = [str(tmp_path / name) for name in units()]
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *paths], capture_output=True, text=True, check=False, timeout=60
    )
    faults = [line for line in ran.stderr.splitlines() if "offprompt." in line]
    assert faults == []


def arguments(tmp_path: Path) -> list[str]:
    """The command line of the unit, moved into a folder of this test."""
    (line,) = re.findall(r"^ExecStart=/usr/bin/env twistd (.*)$", units()["offprompt.service"], re.MULTILINE)
    (tmp_path / "run").mkdir(mode=0o700)
    (tmp_path / "shop").mkdir()
    for place, here in (("/run/offprompt", "run"), ("/srv/shop", "shop"), ("/var/lib/offprompt", "state")):
        line = line.replace(place, str(tmp_path / here))
    return [str(part) for part in line.split()]


@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="needs systemd")
def test_the_service_takes_the_sockets_and_options_of_the_units(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    twistd = [sys.executable, "-c", "from twisted.scripts.twistd import run; run()"]
    listening = ["systemd-socket-activate", "-l", f"127.0.0.1:{port}", "--fdname=offprompt.socket"]  # as systemd does
    command = [*listening, *_passing(), *twistd, *arguments(tmp_path)]
    log = (tmp_path / "log").open("w+b")
    with log, subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path) as service:
        try:
            answer = _ask(port)
            assert answer.startswith(b"HTTP/1.1 404"), (tmp_path / "log").read_text()
            for name in ("run/agents.sock", "run/manhole.sock"):
                assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        finally:
            service.terminate()
        assert service.wait(20) == 0 or service.returncode in (143, -15)


def _passing() -> list[str]:
    """systemd-socket-activate hands on no variable that is not named."""
    return ["-E", "PATH", "-E", f"PYTHONPATH={':'.join(sys.path)}", "-E", "HOME"]


def _ask(port: int) -> bytes:
    for _ in range(100):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
                connection.sendall(f"GET /r/{'0' * 32} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                return connection.recv(4096)
        except OSError:
            time.sleep(0.1)
    return b""
