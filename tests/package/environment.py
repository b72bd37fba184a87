"""Virtual environments made for a test, and what is run in them."""

from __future__ import annotations

import os
import subprocess
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = ROOT / "requirements" / "constraints.txt"


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment in `folder`, and what is run in it."""

    folder: Path

    def program(self, name: str) -> Path:
        return self.folder / "bin" / name

    def pip(self, *arguments: str | Path) -> None:
        run([self.program("python"), "-m", "pip", "--quiet", *arguments], self.folder)


def run(argv: list[str | Path], folder: Path) -> str:
    """What a program prints, run in `folder` with none of our own settings; it must end well."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ran = subprocess.run(argv, cwd=folder, env=environ, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, f"{argv[0]} ended with {ran.returncode}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
    return ran.stdout + ran.stderr


def make_environment(folder: Path) -> Environment:
    venv.create(folder, with_pip=True)
    return Environment(folder)
