"""`twistd offprompt` as a process: many agents at one socket, each with its own requests."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.cli.answering import answer, ask, page_of
from tests.cli.service_process import TWISTD, Client, Service, service

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there")

AGENTS = 10
ARGV = [*TWISTD, "--nodaemon", "--pidfile=", "--logger=offprompt.operate.logs.stderr_observer", "offprompt"]
REMOTE = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "OFFPROMPT_TUNNEL": "off"}


def converse(one: Service, number: int, together: threading.Barrier) -> tuple[str, str, list[str]]:
    """Ask as all the others do at the same time, and have it answered with a value of one's own.

    Answers with the request's id, the agent's fingerprint and the person's four emoji.
    """
    client = Client(one.socket, f"agent-{number}")
    try:
        together.wait()
        path = f".env.{number}"
        asked = client.call("collect_secret", secrets=[{"name": "THE_SAME_KEY"}], sink={"path": path})
        assert asked["status"] == "awaiting"
        assert ask(page_of(asked["url"]))[1]["host"] == f"agent-{number}"
        together.wait()
        emoji = answer(asked["url"], {"THE_SAME_KEY": value_of(number)})
        written = client.call("await_secret", request_id=asked["request_id"])
        assert written["status"] == "written"
        return asked["request_id"], written["fingerprint"], emoji
    finally:
        client.close()


def value_of(number: int) -> str:
    return f"made-up-value-of-agent-{number}"


def test_ten_agents_at_one_socket_are_not_mixed_up(tmp_path: Path) -> None:
    """Equal names and reasons at the same moment: each gets its own link, answer and fingerprint, and nobody else's."""
    together = threading.Barrier(AGENTS, timeout=60)
    with service(tmp_path, ARGV, **REMOTE) as one:
        assert stat.S_IMODE(os.stat(one.socket).st_mode) == 0o600
        with ThreadPoolExecutor(AGENTS) as threads:
            said = list(threads.map(lambda number: converse(one, number, together), range(AGENTS)))
        assert one.stop() == -signal.SIGTERM  # as Twisted reports what has ended it
        log = one.said()
    assert len({request_id for request_id, _, _ in said}) == AGENTS
    assert len({fingerprint for _, fingerprint, _ in said}) == AGENTS
    for number, (_, fingerprint, emoji) in enumerate(said):
        assert fingerprint == " ".join(emoji)
        assert (one.project / f".env.{number}").read_text() == f"THE_SAME_KEY={value_of(number)}\n"
        assert value_of(number) not in log
    assert sorted(path.name for path in one.project.iterdir()) == [f".env.{number}" for number in range(AGENTS)]
    assert not os.path.exists(one.socket)


def share(one: Service, number: int, together: threading.Barrier) -> None:
    client = Client(one.socket, f"agent-{number}")
    try:
        together.wait()
        asked = client.call("collect_secret", secrets=[{"name": f"KEY_{number}"}], reason="the same")
        together.wait()
        answer(asked["url"], {f"KEY_{number}": value_of(number)})
        assert client.call("await_secret", request_id=asked["request_id"])["status"] == "written"
    finally:
        client.close()


def test_ten_answers_to_one_file_at_the_same_moment_are_all_in_it(tmp_path: Path) -> None:
    together = threading.Barrier(AGENTS, timeout=60)
    with service(tmp_path, ARGV, **REMOTE) as one:
        with ThreadPoolExecutor(AGENTS) as threads:
            list(threads.map(lambda number: share(one, number, together), range(AGENTS)))
        held = (one.project / ".env").read_text().splitlines()
    assert sorted(held) == sorted(f"KEY_{number}={value_of(number)}" for number in range(AGENTS))


def test_nobody_sees_withdraws_or_waits_for_a_request_of_another(tmp_path: Path) -> None:
    with service(tmp_path, ARGV, **REMOTE) as one:
        mine, other = Client(one.socket, "mine"), Client(one.socket, "other")
        asked = mine.call("collect_secret", secrets=[{"name": "A_KEY"}])
        for tool in ("await_secret", "cancel_secret"):
            refused = other.ask("tools/call", {"name": tool, "arguments": {"request_id": asked["request_id"]}})
            assert refused["isError"] is True
            assert asked["url"] not in str(refused)
        mine.close()  # a session that is over leaves its request to the person, who may be typing
        assert ask(page_of(asked["url"]))[0] == 200
        other.close()
