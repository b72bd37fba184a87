"""The package as others get it: built from what is in the checkout, installed where nothing of ours is on the path."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
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


def made_once(name: str, make: Callable[[Path], object], factory: pytest.TempPathFactory) -> Path:
    """Return a folder that `make` fills in the first of this run's workers that needs it; the others wait for it."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = base / name, base / f"{name}.done"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a worker in which it failed
            make(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and with the wheel that was built from it."""

    def build(folder: Path) -> None:
        run([sys.executable, "-m", "build", "--outdir", folder, checkout], checkout.parent)

    return made_once("dist", build, tmp_path_factory)


@pytest.fixture(scope="session")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A fresh environment with the wheel in it, at the pinned versions."""

    def install(folder: Path) -> None:
        (wheel,) = built.glob("*.whl")
        make_environment(folder).pip("install", "--constraint", CONSTRAINTS, wheel)

    return Environment(made_once("installed", install, tmp_path_factory))
