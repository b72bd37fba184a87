"""Node.js and the packages that tests read with: found, or missed in a way that says what to run."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def node(*folders: str) -> str:
    """The path of Node.js, once each of `folders`, named from the checkout's root, has its packages.

    Where something is missing the test is skipped with the command that brings it. It fails in a run with
    OFFPROMPT_REQUIRE, such as CI's, which has set everything up.
    """
    found = shutil.which("node")
    missing = [folder for folder in folders if not (ROOT / folder / "node_modules").is_dir()]
    if found is not None and not missing:
        return found
    commands = " && ".join(f"npm ci --prefix {folder}" for folder in missing)
    reason = f"run: {commands}" if found is not None else "Node.js is not on PATH; run: make setup"
    if os.environ.get("OFFPROMPT_REQUIRE"):
        pytest.fail(reason)
    pytest.skip(reason)
