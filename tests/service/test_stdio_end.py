"""`offprompt mcp` after its first tool call, as a process: however the end comes, it comes in time, leaving nothing."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.agent.process import HELLO, PING, in_time, until
from tests.cli.answering import ask, page_of, sealed
from tests.cli.mcp_process import (
    ARGV,
    NAME,
    VALUE,
    Session,
    Start,
    assert_dead,
    assert_ends,
    assert_quiet,
    call,
    collect,
    opened,
    runs,
    session,
    spy,
    told,
)  # fmt: skip

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

OLD = "OLD=1\n"


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
    for moment in (0.0, 0.002, 0.004, 0.008, 0.016, None):
        one = start()
        (one.project / ".env").write_text(old)
        link = one.open_request()["url"]
        _, data = ask(page_of(link))
        posted = {"nonce": data["nonce"], "sealed": sealed(link, data, {NAME: VALUE}, bytes(32))}
        person = threading.Thread(target=give_up_when_it_breaks, args=(link, posted))
        person.start()
        if moment is None:
            until(lambda file=one.project / ".env": file.read_text() != old)
        else:
            time.sleep(moment)
        one.process.send_signal(signal.SIGTERM)
        assert_ends(one, link)
        person.join()
        now = (one.project / ".env").read_text()
        assert now == old or (now.startswith(old) and VALUE in now.removeprefix(old))
        assert VALUE not in one.said()
        found.add(now == old)
    assert False in found


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
        until(lambda: not runs(int(pid)))
        assert_dead(told(json.loads(answered))["url"])
        assert_quiet(parent)


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
