"""The package as others get it: built from what is in the checkout, installed where nothing of ours is on the path."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.package.environment import CONSTRAINTS, ROOT, Environment, make_environment, run


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a clone would hold, and of what is about to be committed; nothing that is ignored."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("this is not a checkout")
    copy = tmp_path_factory.mktemp("checkout")
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="session")
def built(checkout: Path) -> Path:
    """A folder with the sdist and with the wheel that was built from it."""
    run([sys.executable, "-m", "build", "--outdir", checkout / "dist", checkout], checkout.parent)
    return checkout / "dist"


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh environment with the wheel in it, at the pinned versions."""
    environment = make_environment(tmp_path_factory.mktemp("wheel") / "venv")
    (wheel,) = built.glob("*.whl")
    environment.pip("install", "--constraint", CONSTRAINTS, wheel)
    return environment
