"""How long writing into a small .env takes, and looking at it before.

    python bench/sinks.py [TIMES]

In a temporary folder (TMPDIR chooses the disk): a file of 20 names, one of them replaced each time; with and without
the disk's fsync, outside git and in a repository that was asked before, as it is when a page was opened.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from offprompt.service.sinks import SINKS
from offprompt.sinks.sink import Change, Target, WriteOrder


def timed(times: int, act: Callable[[int], object]) -> str:
    took = []
    spent = time.process_time()
    for number in range(times):
        begun = time.perf_counter()
        act(number)
        took.append((time.perf_counter() - begun) * 1000)
    spent = (time.process_time() - spent) / times * 1000
    took.sort()
    return f"{median(took):.2f} ms | {took[int(len(took) * 0.99)]:.2f} ms | {spent:.2f} ms"


def main(times: int) -> None:
    print("| what | median | p99 | CPU |\n| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder).resolve()
        (project / ".env").write_text("".join(f"NAME_{number}='some value {number}'\n" for number in range(20)))
        sink = SINKS["dotenv"]
        target = Target(str(project), "dotenv", ".env")

        def replace(number: int) -> None:
            change = sink.change("NAME_7", f"value it's {number}")
            assert isinstance(change, Change)
            sink.write(WriteOrder(target, ("NAME_7",), (change,)))

        print(f"| inspect | {timed(times, lambda number: sink.inspect(target))} |")
        print(f"| write | {timed(times, replace)} |")
        fsync, os.fsync = os.fsync, lambda descriptor: None  # type: ignore[assignment]
        print(f"| write, without fsync | {timed(times, replace)} |")
        (project / "README").touch()
        for command in (["init", "-q"], ["add", "README"]):
            subprocess.run(["git", *command], cwd=project, check=True)
        print(f"| write, without fsync, in a repository | {timed(times, replace)} |")
        os.fsync = fsync
        print(f"| inspect, in a repository (git asked) | {timed(times // 10, lambda number: sink.inspect(target))} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
