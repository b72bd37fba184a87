from __future__ import annotations

import builtins
import subprocess
import sys
from typing import Any

import pytest

from offprompt.operate.crashes import leave_no_core

SCRIPT = """
import resource, subprocess, sys
hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
from offprompt.operate.crashes import leave_no_core
leave_no_core()
assert resource.getrlimit(resource.RLIMIT_CORE) == (0, hard)
child = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[0])"
print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout.strip())
"""


def test_neither_this_process_nor_its_children_leave_their_memory_behind() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert ran.stdout == "0\n"


def test_where_there_are_no_limits_it_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_resource(name: str, *rest: Any) -> Any:
        if name == "resource":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_resource)
    leave_no_core()
