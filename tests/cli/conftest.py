"""What the tests of commands start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.mcp_process import Session, Start, session


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a session of the agent's, as often as called; all are gone afterwards."""
    with ExitStack() as stack:
        folders = (tmp_path / f"session-{number}" for number in range(1, 100))

        def start(**more: str) -> Session:
            return stack.enter_context(session(next(folders), **more))

        yield start
