"""Start, memory, round trip and exit of `offprompt mcp`, beside servers of one tool on the official SDKs.

    make bench-stdio                     # installs the peers, 15 runs each
    python bench/stdio.py --runs 31

Run k of each server comes before run k+1 of any, so that a busy moment meets them all. Budgets: 40 ms to the first
answer, 12 MiB while nothing was asked, 400 ms for the first call in a cold process.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from client import Client
from table import percentile, show

PEERS = Path(__file__).parent / "peers"
CALLS = 200
Sample = dict[str, float]


def light(argv: list[str], project: str) -> Sample:
    """While nothing was asked: the call that is timed is refused, and `tools/list` is what stays light."""
    return _measure(argv, project, warm=False, ask=lambda client: client.request("ping"))


def loaded(argv: list[str], project: str) -> Sample:
    return _measure(argv, project, warm=True, ask=lambda client: client.call("await_secret", {"request_id": "none"}))


def peer(argv: list[str], project: str) -> Sample:
    return _measure(argv, project, warm=False, ask=lambda client: client.call("echo", {"text": "hello"}))


def _measure(argv: list[str], project: str, *, warm: bool, ask: Callable[[Client], object]) -> Sample:
    env = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    client = Client(argv, cwd=project, env={**env, "SSH_CONNECTION": "bench", "OFFPROMPT_TUNNEL": "off"})
    sample: Sample = {"start": client.initialize() * 1e3}
    client.request("tools/list")
    if warm:
        began = time.perf_counter()
        result = client.call("collect_secret", {"secrets": [{"name": "BENCH_KEY"}]})
        sample["first"] = (time.perf_counter() - began) * 1e3
        assert result["structuredContent"]["url"], result
    time.sleep(0.5)
    sample["rss"], sample["pss"] = client.memory()
    trips = []
    for _ in range(CALLS):
        began = time.perf_counter()
        ask(client)
        trips.append((time.perf_counter() - began) * 1e3)
    sample["trip"], sample["trip95"] = statistics.median(trips), percentile(trips, 0.95)
    sample["exit"] = client.end() * 1e3
    return sample


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    offprompt = [shutil.which("offprompt") or sys.exit("offprompt is not on PATH: make bench-stdio"), "mcp"]
    node = shutil.which("node") or "node"
    python = PEERS / ".venv" / "bin" / "python"
    servers = {
        "offprompt, nothing asked": (light, offprompt),
        "offprompt, after its first call": (loaded, offprompt),
        "TypeScript SDK 1.32": (peer, [node, str(PEERS / "hello_ts1.mjs")]),
        "TypeScript SDK 2.4": (peer, [node, str(PEERS / "hello_ts2.mjs")]),
        "Python SDK 2.3": (peer, [str(python), str(PEERS / "hello_python.py")]),
    }
    with tempfile.TemporaryDirectory() as project:
        samples: dict[str, list[Sample]] = {label: [] for label in servers}
        for measure, argv in servers.values():  # one that does not count: byte code, page cache
            measure(argv, project)
        for _ in range(runs):
            for label, (measure, argv) in servers.items():
                samples[label].append(measure(argv, project))
    rows = []
    for label, taken in samples.items():
        start = [sample["start"] for sample in taken]
        middle = {key: statistics.median(sample[key] for sample in taken) for key in taken[0]}
        rows.append([label, middle["start"], max(start), middle["rss"], middle["pss"], middle.get("first", "-"),
                     middle["trip"], middle["trip95"], middle["exit"]])  # fmt: skip
    columns = ["server", "spawn to first answer ms", "slowest", "RSS MiB", "PSS MiB", "first call, cold ms",
               "round trip ms", "p95", "exit ms"]  # fmt: skip
    show(f"stdio: medians of {runs} runs", columns, rows)


if __name__ == "__main__":
    main()
