"""What the tests of the service start, and where."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import start
from tests.cli.mcp_process import REMOTE

__all__ = ["start"]


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path leaves room for a socket's name (107 bytes, unix(7))."""
    with tempfile.TemporaryDirectory(prefix="offprompt-") as folder:
        yield Path(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The links are in the results, and nothing looks for cloudflared."""
    for name in ("OFFPROMPT_PORT", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {**REMOTE, "HOME": str(tmp_path / "home")}.items():
        monkeypatch.setenv(name, value)
