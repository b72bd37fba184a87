"""From the start of cloudflared to a link that is proven to work, ten first requests at once, and an idle tunnel.

    python bench/tunnel.py --runs 5 --idle 3600

The child is the tests' stand-in for cloudflared, which registers 0.2 s after it has begun; DNS and Cloudflare's edge
are on loopback. Of every start 2.0 s are a pause before the name is looked up (offprompt/tunnel/limits.py). The
idle tunnel lives in a process of its own; its child is not counted. Linux (it reads /proc).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from table import show  # type: ignore[import-not-found]  # beside this file
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.task import deferLater, react

from offprompt.tunnel.limits import Limits

REGISTERS = {"api_seconds": 0.1, "edge_seconds": 0.1}


async def start(reactor: Any, callers: int) -> dict[str, float]:
    """Seconds of one start, whole and by its steps, for so many callers at once."""
    from tests.tunnel.world import World

    world = World(reactor, Path(tempfile.mkdtemp()))
    world.limits = Limits()  # the service's, not those of tests in a hurry
    world.script("ok", **REGISTERS)
    tunnel = world.tunnel()
    began = time.perf_counter()
    await gatherResults([tunnel.origin() for _ in range(callers)])
    whole = time.perf_counter() - began
    taken = {"whole": whole, **dict(tunnel.steps), "children": len(world.starts())}
    await world.close()
    return taken


def cost() -> tuple[float, float]:
    """Seconds of the processor and MiB of memory that this process has taken."""
    with open("/proc/self/statm", encoding="ascii") as pages:
        resident = int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return time.process_time(), resident / 2**20


async def idle(reactor: Any, seconds: float, *, tunnelled: bool) -> None:
    """Print what a process costs that has a tunnel for `seconds` and does nothing else, or has none."""
    from tests.tunnel.world import World

    world = World(reactor, Path(tempfile.mkdtemp()))
    world.limits = Limits()  # the service's, not those of tests in a hurry
    world.script("ok", **REGISTERS)
    tunnel = world.tunnel()
    _, before = cost()
    if tunnelled:
        await tunnel.origin()
    spent, begun = cost()
    await deferLater(reactor, seconds)
    now, ended = cost()
    assert tunnel.state == ("up" if tunnelled else "down")
    print(json.dumps({"processor": now - spent, "before": before, "begun": begun, "ended": ended}))
    await world.close()


LOADING = """
import os, time
import twisted.internet.reactor
import offprompt.service.collect
def mib():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
before, began = mib(), time.perf_counter()
import offprompt.tunnel.attempt, offprompt.tunnel.finder, offprompt.tunnel.proof
print(1000 * (time.perf_counter() - began), mib() - before)
"""


def loading(runs: int) -> None:
    command = [sys.executable, "-c", LOADING]
    said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(runs)]
    middle = [statistics.median(map(float, column)) for column in zip(*said, strict=True)]
    show("tunnel: what a service loads when the first link is asked for", ["ms", "MiB"], [middle])


def idle_apart(seconds: float, kind: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, __file__, "--apart", kind, "--idle", str(seconds)], stdout=-1, text=True)


async def starts(reactor: Any, runs: int) -> None:
    rows = []
    for callers in (1, 10):
        taken = [await start(reactor, callers) for _ in range(runs)]
        middle = {name: statistics.median(one[name] for one in taken) for name in taken[0]}
        steps = [middle[step] for step in ("whole", "asking", "connecting", "checking")]
        rows.append([callers, int(middle["children"]), *steps])
    columns = ["callers", "children", "call to link s", "to the name", "to registered", "to proven"]
    show(f"tunnel: starts, medians of {runs}", columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--idle", type=float, default=60.0, help="seconds")
    parser.add_argument("--apart", choices=["tunnel", "none"], help=argparse.SUPPRESS)
    options = parser.parse_args()

    if options.apart:
        react(lambda reactor: Deferred.fromCoroutine(idle(reactor, options.idle, tunnelled=options.apart == "tunnel")))
    processes = {kind: idle_apart(options.idle, kind) for kind in ("none", "tunnel")}
    try:
        react(lambda reactor: Deferred.fromCoroutine(starts(reactor, options.runs)))
    except SystemExit as end:
        if end.code:
            raise
    loading(options.runs)
    rows = []
    for kind, process in processes.items():
        assert process.stdout is not None
        taken = json.loads(process.stdout.read())
        process.wait()
        per_hour = taken["processor"] * 3600 / options.idle
        rows.append([kind, taken["processor"], per_hour, taken["before"], taken["begun"], taken["ended"]])
    columns = ["tunnel", "processor s", "per hour s", "MiB before", "MiB once up", "MiB at the end"]
    show(f"tunnel: {options.idle:.0f} s of doing nothing", columns, rows)


if __name__ == "__main__":
    main()
