"""`offprompt mcp` after its first tool call, as a process: how it ends, what it hands on, what it costs."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.agent.process import HELLO, PING, line
from tests.cli.answering import answer, ask, page_of, sealed
from tests.cli.mcp_process import ARGV, NAME, REMOTE, Session, call, collect, environ_in, session, told

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals, and descriptors that children inherit")

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

VALUE = "made-up-value-7Qz-of-a-test"
OLD = "OLD=1\n"

IN_TIME = 0.3
"""Seconds from the first sign of the end to the exit (docs/protocol.md, P2)."""
AT_MOST = 3.0
"""Seconds it may take while other programs keep the machine busy; one of the tries has to be in time."""
TRIES = 4

Start = Callable[..., Session]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a session of the agent's, as often as called; all are gone afterwards."""
    with ExitStack() as stack:
        folders = (tmp_path / f"session-{number}" for number in range(1, 100))

        def start(**more: str) -> Session:
            return stack.enter_context(session(next(folders), **more))

        yield start


def port_of(link: str) -> int:
    return int(page_of(link).split(":")[2].partition("/")[0])


def assert_dead(link: str) -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port_of(link)), 5).close()


def assert_quiet(one: Session) -> None:
    """Nothing on stderr that frightens a reader."""
    for word in ("Traceback", "Unhandled", " error ", " critical ", "Exception"):
        assert word not in one.said()


def assert_ends(one: Session, link: str) -> float:
    """It ends with code 0, without a word, and its link is dead; the seconds that it took."""
    code, seconds = one.exit()
    assert code == 0
    assert seconds < AT_MOST
    assert_dead(link)
    assert_quiet(one)
    return seconds


def in_time(once: Callable[[], float]) -> None:
    taken: list[float] = []
    while len(taken) < TRIES:
        taken.append(once())
        if taken[-1] <= IN_TIME:
            return
    raise AssertionError(f"it took {taken} seconds")


def two_signals(one: Session) -> None:
    one.process.send_signal(signal.SIGINT)
    time.sleep(0.008)
    one.process.send_signal(signal.SIGTERM)


def signal_and_end(one: Session) -> None:
    os.killpg(one.pid, signal.SIGTERM)
    one.close_stdin()


def stop_reading(one: Session) -> None:
    assert one.process.stdout is not None
    one.process.stdout.close()


ENDS: dict[str, Callable[[Session], object]] = {
    "end of input": Session.close_stdin,
    "SIGTERM": lambda one: one.process.send_signal(signal.SIGTERM),
    "SIGINT": lambda one: one.process.send_signal(signal.SIGINT),
    "SIGHUP": lambda one: one.process.send_signal(signal.SIGHUP),
    "SIGINT and 8 ms later SIGTERM": two_signals,
    "SIGTERM and end of input": signal_and_end,
    "nobody reads stdout": stop_reading,
}


@pytest.mark.parametrize("end", ENDS)
def test_P2_it_ends_in_time_while_a_call_waits(end: str, start: Start) -> None:
    def once() -> float:
        one = start()
        asked = one.open_request()
        one.say(call(2, "await_secret", request_id=asked["request_id"]), PING)
        assert one.hear()["id"] == PING["id"]  # so the call before it has begun to wait
        ENDS[end](one)
        return assert_ends(one, asked["url"])

    in_time(once)


@pytest.mark.parametrize("end", ["end of input", "SIGTERM"])
def test_P2_it_ends_in_time_while_a_page_is_open_and_nobody_waits(end: str, start: Start) -> None:
    def once() -> float:
        one = start()
        asked = one.open_request()
        ask(page_of(asked["url"]))
        ENDS[end](one)
        return assert_ends(one, asked["url"])

    in_time(once)


@linux
@pytest.mark.parametrize("end", ["end of input", "SIGINT", "nobody reads stdout"])
def test_P2_it_ends_in_time_while_a_write_waits_and_the_file_stays_as_it_was(end: str, start: Start) -> None:
    """Another program holds the lock of the folder, so the write cannot be done when the end comes."""

    def once() -> float:
        one = start()
        (one.project / ".env").write_text(OLD)
        held = os.open(one.project, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            link = one.open_request()["url"]
            _, data = ask(page_of(link))
            posted = {"nonce": data["nonce"], "sealed": sealed(link, data, {NAME: VALUE}, bytes(32))}
            person = threading.Thread(target=give_up_when_it_breaks, args=(link, posted))
            person.start()
            until_writing(one)
            ENDS[end](one)
            seconds = assert_ends(one, link)
            person.join()
        finally:
            os.close(held)
        assert (one.project / ".env").read_text() == OLD
        assert os.listdir(one.project) == [".env"]
        return seconds

    in_time(once)


def give_up_when_it_breaks(link: str, posted: dict[str, str]) -> None:
    with suppress(OSError):
        ask(page_of(link), posted)


def until_writing(one: Session) -> None:
    """A write has the project's folder open while it waits for the lock."""
    until(lambda: str(one.project) in opened(one.pid))


def test_P2_in_the_middle_of_a_write_the_file_is_the_old_one_or_the_new_one(start: Start) -> None:
    old = "".join(f"NUMBER_{n}='{n}'\n" for n in range(2000))
    found = set()
    for moment in (0.0, 0.002, 0.004, 0.008, 0.016, 0.5):
        one = start()
        (one.project / ".env").write_text(old)
        link = one.open_request()["url"]
        _, data = ask(page_of(link))
        posted = {"nonce": data["nonce"], "sealed": sealed(link, data, {NAME: VALUE}, bytes(32))}
        person = threading.Thread(target=give_up_when_it_breaks, args=(link, posted))
        person.start()
        time.sleep(moment)
        one.process.send_signal(signal.SIGTERM)
        assert_ends(one, link)
        person.join()
        now = (one.project / ".env").read_text()
        assert now == old or (now.startswith(old) and VALUE in now.removeprefix(old))
        assert VALUE not in one.said()
        found.add(now == old)
    assert False in found  # half a second is enough for a write


PARENT = """
import json, subprocess, sys, time
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin:
    server.stdin.write(line.encode())
    server.stdin.flush()
    if '"id"' in line:
        print(server.pid, server.stdout.readline().decode(), end="", flush=True)
"""


@linux
def test_P2_it_ends_when_its_parent_is_gone(tmp_path: Path) -> None:
    with session(tmp_path / "orphan", argv=[sys.executable, "-c", PARENT, *ARGV]) as parent:
        parent.say(HELLO)
        parent.hear_line()
        parent.say(collect(1))
        pid, _, answered = parent.hear_line().partition(b" ")
        parent.process.kill()
        begun = time.monotonic()
        while runs(int(pid)):
            assert time.monotonic() - begun < AT_MOST
            time.sleep(0.005)
        assert_dead(told(json.loads(answered))["url"])
        assert_quiet(parent)


def runs(pid: int) -> bool:
    """Whether a process is there and has not ended; one that nobody has asked about stays as a zombie (proc(5))."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


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


def test_P3_a_call_that_waits_for_a_person_is_given_up(tmp_path: Path) -> None:
    begun = time.monotonic()
    generated = call(1, "collect_secret", secrets=[{"name": "AUTH_SECRET", "generate": {}}])
    answers, said = printed(tmp_path / "b", HELLO, generated, **REMOTE)
    assert [answered["id"] for answered in answers] == [0, 1]
    assert "AUTH_SECRET=" in (tmp_path / "b" / "project" / ".env").read_text()
    assert time.monotonic() - begun < 10
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


SPY = """#!/bin/sh
{{ echo "$0"; env; ls -l /proc/$$/fd; }} >>{log}
{then}
"""


def spy(folder: Path, name: str, then: str = "") -> Path:
    """A program called `name` in `folder` that writes its environment and descriptors down, in a file beside it."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(SPY.format(log=folder / f"{name}.log", then=then))
    path.chmod(0o700)
    return folder / f"{name}.log"


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


@linux
@pytest.mark.parametrize("end", ["end of input", "SIGTERM", "nobody reads stdout"])
def test_P2_a_tunnel_that_is_being_started_goes_with_it(end: str, tmp_path: Path, start: Start) -> None:
    """A child that neither gets anywhere nor heeds SIGTERM, started while the call waits for a public link."""

    def once() -> float:
        tools = tmp_path / f"tools-{len(os.listdir(tmp_path))}"
        log = spy(tools, "cloudflared", "trap '' TERM; echo $$ >>$0.pid; while :; do sleep 60 & wait; done")
        one = start(OFFPROMPT_TUNNEL="", PATH=f"{tools}:{os.environ['PATH']}")
        one.shake_hands()
        one.say(collect(1), PING)
        children = Path(f"{log.with_suffix('')}.pid")
        until(children.exists)
        ENDS[end](one)
        code, seconds = one.exit()
        assert code == 0
        assert_quiet(one)
        gone = [int(pid) for pid in children.read_text().split()]
        until(lambda: not any(runs(pid) for pid in gone))
        return seconds

    in_time(once)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)


def opened(pid: int) -> set[str]:
    """What a process has open, as /proc names it; nothing where there is no /proc."""
    names = set()
    folder = Path(f"/proc/{pid}/fd")
    for descriptor in folder.iterdir() if folder.exists() else ():
        with suppress(FileNotFoundError):  # closed meanwhile
            names.add(os.readlink(descriptor))
    return names


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
