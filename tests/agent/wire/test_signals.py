"""However a host ends us, we end: quickly, with code 0, without a traceback (P2)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from tests.agent.peer import COLLECT, meta
from tests.agent.process import HELLO, LIST, Running, in_time, until

Start = Callable[..., Running]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows has other signals")

SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
CALL = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": COLLECT}


def ended(one: Running) -> float:
    """It ends with code 0 and says nothing; the seconds that it took."""
    code, seconds = one.exit()
    assert (code, one.errors()) == (0, "")
    return seconds


@pytest.mark.parametrize("number", SIGNALS)
def test_P2_a_signal_ends_it(start: Start, number: signal.Signals) -> None:
    def once() -> float:
        one = start()
        one.shake_hands()
        one.process.send_signal(number)
        return ended(one)

    in_time(once)


@pytest.mark.parametrize("first", SIGNALS)
@pytest.mark.parametrize("second", SIGNALS)
def test_P2_two_signals_8_ms_apart_end_it_no_worse(start: Start, first: signal.Signals, second: signal.Signals) -> None:
    one = start()
    one.shake_hands()
    one.process.send_signal(first)
    time.sleep(0.008)
    one.process.send_signal(second)
    ended(one)


def test_P2_signals_at_any_moment_of_the_conversation(start: Start) -> None:
    """The second comes between 0 and 5 ms after the first, in the middle of an answer or of the end."""
    for n in range(20):
        one = start()
        one.shake_hands()
        one.say(*[LIST] * 30)
        one.process.send_signal(SIGNALS[n % 3])
        time.sleep(n / 4000)
        one.process.send_signal(signal.SIGTERM)
        ended(one)


def test_P2_a_signal_completes_subscriptions(start: Start) -> None:
    one = start()
    one.shake_hands()
    params = {"_meta": meta(), "notifications": {}}
    one.say({"jsonrpc": "2.0", "id": "sub", "method": "subscriptions/listen", "params": params})
    assert "params" in one.hear()
    one.process.send_signal(signal.SIGTERM)
    assert one.hear()["id"] == "sub"
    ended(one)


def test_P2_a_signal_ends_it_while_nobody_reads_its_answers(start: Start) -> None:
    one = start()
    one.say(HELLO, *[LIST] * 100)
    time.sleep(0.3)
    one.process.send_signal(signal.SIGTERM)
    ended(one)


def test_P2_the_end_of_input_ends_it(start: Start) -> None:
    def once() -> float:
        one = start()
        one.shake_hands()
        one.close_stdin()
        return ended(one)

    in_time(once)


def test_P2_the_end_of_input_ends_it_while_nobody_reads_its_answers(start: Start) -> None:
    one = start()
    one.say(HELLO, *[LIST] * 100)
    time.sleep(0.3)
    one.close_stdin()
    ended(one)


def test_P2_it_ends_when_nobody_reads_any_more_and_says_nothing_first(start: Start) -> None:
    """EPIPE is noticed without a write: the input stays open, as some hosts leave it."""
    one = start()
    one.shake_hands()
    assert one.process.stdout is not None
    one.process.stdout.close()
    ended(one)


def test_P2_it_ends_with_its_parent(offprompt_argv: list[str]) -> None:
    """The host is killed: both pipes are closed by the system."""
    parent = (
        "import subprocess, sys, time\n"
        f"p = subprocess.Popen({[*offprompt_argv, 'mcp']!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        'p.stdin.write(b\'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n\'); p.stdin.flush()\n'
        "p.stdout.readline(); print(p.pid, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        pid = int(host.stdout.readline())
        host.kill()
    until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("closed", [[0], [1], [0, 1], [0, 1, 2]])
def test_P2_started_without_a_wire_it_ends_at_once(offprompt_argv: list[str], closed: list[int]) -> None:
    shut = "".join(f"os.close({fd}); " for fd in closed)
    argv = [sys.executable, "-c", f"import os, sys; {shut}os.execv(sys.argv[1], sys.argv[1:])", *offprompt_argv, "mcp"]
    ran = subprocess.run(argv, capture_output=True, timeout=20)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


def test_started_without_stderr_it_serves_and_writes_nothing_into_the_wire(
    start: Start, offprompt_argv: list[str]
) -> None:
    argv = [sys.executable, "-c", "import os, sys; os.close(2); os.execv(sys.argv[1], sys.argv[1:])"]
    said = b'nonsense\n{"jsonrpc":"2.0","id":1,"method":"ping"}\nnonsense\n'
    ran = subprocess.run([*argv, *offprompt_argv, "mcp"], input=said, stdout=subprocess.PIPE, timeout=20)
    assert (ran.returncode, ran.stdout) == (0, b'{"jsonrpc":"2.0","id":1,"result":{}}\n')


LOADING = """
import time
os.write(handover.writing, handover.unsent + b"loading\\n")
time.sleep(600)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_P2_while_the_service_is_loaded_a_signal_ends_it_at_once(start_heavy: Start, number: signal.Signals) -> None:
    one = start_heavy(LOADING)
    one.shake_hands()
    one.say(CALL)
    assert one.hear_line() == b"loading"
    one.process.send_signal(number)
    ended(one)


def test_P2_a_signal_that_comes_with_the_call_is_not_lost(start_heavy: Start) -> None:
    """Between the last look for signals and the handover."""
    for n in range(20):
        one = start_heavy(LOADING)
        one.shake_hands()
        one.say(CALL)
        time.sleep(n / 5000)
        one.process.send_signal(signal.SIGTERM)
        ended(one)
