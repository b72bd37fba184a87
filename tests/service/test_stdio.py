"""`offprompt mcp` after its first tool call, as a process: what it says, what it hands on, what it costs.

How it ends is in test_takeover_end.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.agent.process import HELLO, PING, line
from tests.cli.answering import answer
from tests.cli.mcp_process import (
    ARGV,
    NAME,
    REMOTE,
    VALUE,
    Session,
    Start,
    assert_ends,
    call,
    collect,
    environ_in,
    opened,
    session,
    spy,
    told,
)  # fmt: skip

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, and descriptors that children inherit")

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def printed(folder: Path, *messages: object, **environ: str) -> tuple[list[dict[str, object]], str]:
    """What `printf … | offprompt mcp` prints, and what is on stderr; it has to end with code 0."""
    project = folder / "project"
    project.mkdir(parents=True)
    given = b"".join(line(message) for message in messages).rstrip(b"\n")  # the last line without its newline
    given_environ = environ_in(folder, **environ)
    ran = subprocess.run(ARGV, input=given, capture_output=True, cwd=project, env=given_environ, timeout=30)
    assert ran.returncode == 0
    return [json.loads(answered) for answered in ran.stdout.splitlines()], ran.stderr.decode()


def test_P3_what_is_due_is_printed_before_the_end(tmp_path: Path) -> None:
    unknown = call(3, "await_secret", request_id="0" * 32)
    answers, said = printed(tmp_path / "a", HELLO, collect(1), collect(2, "OTHER"), unknown, PING | {"id": 4}, **REMOTE)
    by_id = {answered["id"]: answered for answered in answers}
    assert next(iter(by_id)) == 0
    assert sorted(by_id) == [0, 1, 2, 3, 4]
    assert told(by_id[1])["status"] == told(by_id[2])["status"] == "awaiting"
    assert "Traceback" not in said


def test_P3_values_that_are_made_are_written_and_told_before_the_end(tmp_path: Path) -> None:
    generated = call(1, "collect_secret", secrets=[{"name": "AUTH_SECRET", "generate": {}}])
    answers, said = printed(tmp_path / "b", HELLO, generated, **REMOTE)
    assert [answered["id"] for answered in answers] == [0, 1]
    assert told(answers[1])["status"] == "written"
    assert "AUTH_SECRET=" in (tmp_path / "b" / "project" / ".env").read_text()
    assert "Traceback" not in said


def test_P3_a_call_that_waits_for_a_browser_is_given_up(tmp_path: Path) -> None:
    """Else the call would be answered after the five seconds that one which was opened has to fetch the page."""
    answers, said = printed(tmp_path / "c", HELLO, collect(1), DISPLAY=":9", BROWSER="true")
    assert [answered["id"] for answered in answers] == [0]
    assert "Traceback" not in said


def test_P4_home_and_path_are_all_it_needs(start: Start) -> None:
    """Where nothing tells of a display the person's browser is elsewhere, so the call answers with the link."""
    one = start(only=True, OFFPROMPT_TUNNEL="off")
    asked = one.open_request()
    emoji = answer(asked["url"], {NAME: VALUE})
    assert told(one.ask(call(2, "await_secret", request_id=asked["request_id"])))["fingerprint"] == " ".join(emoji)
    assert f"{NAME}={VALUE}\n" == (one.project / ".env").read_text()
    one.close_stdin()
    assert_ends(one, asked["url"])
    assert VALUE not in one.said()


def test_P5_F4_what_it_starts_gets_neither_the_environment_nor_the_wire(tmp_path: Path, start: Start) -> None:
    """A host hands its own keys over to us; git and the browser see none of them, nor the descriptors of the wire."""
    tools = tmp_path / "tools"
    git = spy(tools, "git", 'exec /usr/bin/git "$@"')
    browser = spy(tools, "a-browser")
    log = tmp_path / "offprompt.log"
    one = start(
        SSH_CONNECTION="", DISPLAY=":9", BROWSER=str(tools / "a-browser"), OFFPROMPT_LOG=str(log),
        ANTHROPIC_API_KEY=VALUE, OPENAI_API_KEY=VALUE, GIT_DIR=VALUE, PATH=f"{tools}:{os.environ['PATH']}",
    )  # fmt: skip
    subprocess.run(["/usr/bin/git", "init", "-q", one.project], check=True)
    asked = one.open_request(sandbox=False)
    assert asked["status"] == "awaiting"  # the browser never fetched the page
    own = open_files(one.pid)
    answer(asked["url"], {NAME: "another-made-up-value"})
    one.close_stdin()
    assert_ends(one, asked["url"])
    for started in (git, browser):
        seen = started.read_text()
        assert f"PATH={tools}:" in seen
        assert VALUE not in seen
        assert "OFFPROMPT_" not in seen
        assert not [name for name in own if name in seen], seen
    for text in (log.read_text(), one.said()):
        assert VALUE not in text
        assert "another-made-up-value" not in text


def test_P5_the_tunnel_s_program_gets_neither_the_environment_nor_the_wire(tmp_path: Path, start: Start) -> None:
    """One that ends at once: the person gets the local link."""
    cloudflared = spy(tmp_path / "tools", "cloudflared", "exit 1")
    path = f"{tmp_path / 'tools'}:{os.environ['PATH']}"
    one = start(OFFPROMPT_TUNNEL="", ANTHROPIC_API_KEY=VALUE, TUNNEL_TOKEN=VALUE, PATH=path)
    asked = one.open_request()
    assert asked["url"].startswith("http://127.0.0.1:")
    own = open_files(one.pid)
    seen = cloudflared.read_text()
    assert VALUE not in seen
    assert not [name for name in own if name in seen], seen
    one.close_stdin()
    assert_ends(one, asked["url"])


def open_files(pid: int) -> set[str]:
    """The pipes and sockets of a process."""
    own = {name for name in opened(pid) if name.startswith(("pipe:", "socket:"))}
    assert len(own) > 2 or sys.platform != "linux"
    return own


TOUCHING = """
import os, subprocess, sys
from offprompt.page.opener import Opener
from offprompt.cli import main

def touch(opener, url):
    print("printed by a library")
    os.write(1, b"written to descriptor 1")
    sys.stdout.flush()
    subprocess.run(["sh", "-c", "echo said by a child; cat"], check=True)
    return False

Opener.open = touch
sys.exit(main())
"""


def test_F4_nothing_that_a_tool_does_touches_the_wire(tmp_path: Path) -> None:
    """A print, a write to descriptor 1 and a child that talks and reads all miss it; the child does not even wait."""
    argv = [sys.executable, "-c", TOUCHING, "mcp"]
    with session(tmp_path / "touching", argv=argv, SSH_CONNECTION="", DISPLAY=":9") as one:
        asked = one.open_request()
        assert asked["status"] == "awaiting"
        one.close_stdin()
        assert one.rest() == b""
        assert_ends(one, asked["url"])
        assert "said by a child" in one.said()


def test_F8_a_stderr_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    """It is full from the start; every line that we would say is dropped."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writing, True)
    folder = tmp_path / "deaf"
    folder.mkdir()
    one = Session(folder, environ_in(folder, **REMOTE), writing, ARGV)
    try:
        asked = one.open_request()
        for number in range(20):
            one.raw(b"not JSON\n")
            assert one.hear()["error"]["code"] == -32700
            assert one.ask(PING | {"id": f"ping-{number}"})["result"] == {}
        answer(asked["url"], {NAME: VALUE})
        assert told(one.ask(call(2, "await_secret", request_id=asked["request_id"])))["status"] == "written"
        one.close_stdin()
        assert one.exit()[0] == 0
    finally:
        one.close()
        os.close(reading)
        os.close(writing)


@linux
def test_P7_it_sleeps_while_a_request_is_open(start: Start) -> None:
    """Less than 5 ms of the processor in 60 s, so half a millisecond in 6: no poll, no timer that ticks."""
    one = start()
    one.open_request()
    time.sleep(0.5)
    before = processor_time(one.pid)
    assert before > 0.01  # what was used so far is counted
    time.sleep(6)
    assert processor_time(one.pid) - before < 0.0005


def processor_time(pid: int) -> float:
    """Seconds of the processor that all threads of a process have used, to the nanosecond (proc(5), schedstat)."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def test_the_session_goes_on_in_the_same_process(start: Start) -> None:
    """Light until asked, then not again: what was negotiated and the bytes of an unfinished line are still there."""
    one = start()
    one.shake_hands()
    one.raw(line(collect(1)) + b'{"jsonrpc": "2.0", "id": 2, "meth')
    asked = told(one.answer_to(1))
    one.raw(b'od": "ping"}\n')
    assert one.hear() == {"jsonrpc": "2.0", "id": 2, "result": {}}
    again = told(one.ask(collect(3)))
    assert again["request_id"] == asked["request_id"]
