"""`offprompt mcp`, installed: until a tool is called it touches nothing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.package.environment import Environment

pytestmark = [
    pytest.mark.install,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]

TRACED = "bind,connect,listen,socket,socketpair,execve,execveat,fork,vfork,clone,clone3,open,openat,openat2,creat,mkdir"
TRACED += ",mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,linkat,symlink,symlinkat,truncate,ftruncate"

WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|O_TMPFILE")


def hello(version: str) -> list[dict[str, object]]:
    client = {"name": "test", "version": "1"}
    begin = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "ping"},
    ]


def test_through_initialize_and_tools_list_nothing_is_bound_connected_started_or_written(
    installed: Environment, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    home = tmp_path / "home"
    home.mkdir()
    said = "".join(json.dumps(message) + "\n" for message in hello("2025-11-25"))
    argv = ["strace", "-f", "-qq", "-e", f"trace={TRACED}", "-o", trace, installed.program("offprompt"), "mcp"]
    ran = subprocess.run(
        argv,
        input=said.encode(),
        capture_output=True,
        timeout=60,
        cwd=home,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert len(answers[1]["result"]["tools"]) == 3
    assert ran.returncode == 0

    calls = [line.split(None, 1)[1] for line in trace.read_text(encoding="utf-8").splitlines()]
    assert any(call.startswith("openat(") for call in calls), "strace saw nothing"
    assert calls[0].startswith("execve(")
    opened = [call for call in calls[1:] if call.startswith(("open", "creat"))]
    others = [call for call in calls[1:] if call not in opened and not call.startswith(("+++", "---"))]
    assert others == []
    assert [call for call in opened if WRITES.search(call) and '"/dev/null"' not in call] == []
    assert list(home.iterdir()) == []
