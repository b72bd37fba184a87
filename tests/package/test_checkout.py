"""A checkout in a folder whose name has blanks and letters of any script, and one that was moved."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.package.environment import run

pytestmark = [pytest.mark.deep, pytest.mark.install]


def test_everything_is_set_up_and_runs_wherever_the_checkout_lies(checkout: Path, tmp_path: Path) -> None:
    """Its parts of `make test`, without those that ask for root."""
    folder = tmp_path / "my project é 名前"
    shutil.copytree(checkout, folder)
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    subprocess.run(["git", "add", "--all"], cwd=folder, check=True)
    run(["scripts/venv"], folder)
    assert "Python" not in run(["scripts/venv"], folder), "the second time there is nothing to do"
    folder = folder.rename(tmp_path / "moved to ü")
    run(["scripts/venv", "test"], folder)
    assert "offprompt" in run([folder / ".venv" / "bin" / "offprompt", "--help"], folder)
    assert "offprompt" in run(["scripts/with-tools", "twistd", "--help"], folder)
    run(["scripts/with-tools", "npm", "ci", "--prefix", "tests/node", "--no-audit", "--no-fund"], folder)
    some = ["tests/package/test_laws.py", "tests/package/test_scripts.py", "tests/sinks/dotenv/test_node.py"]
    said = run(["scripts/with-tools", "python", "-m", "pytest", "-q", *some], folder)
    assert "passed" in said
    assert "skipped" not in said
