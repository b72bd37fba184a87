"""What holds for every test of the page: a world of its own, and no value in any log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from twisted.logger import LogEvent, formatEvent, globalLogPublisher

from tests.page.world import CANARY, World


@pytest.fixture
def world(tmp_path: Path) -> World:
    project = tmp_path / "shop"
    project.mkdir()
    return World(project.resolve())


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[str]]:
    """Every log line of the test, its keywords too. None may hold a value, a token, a nonce or a key."""
    lines: list[str] = []

    def observe(event: LogEvent) -> None:
        lines.append(f"{formatEvent(event)} {event!r}")

    globalLogPublisher.addObserver(observe)
    yield lines
    globalLogPublisher.removeObserver(observe)
    assert not [line for line in lines if CANARY in line]
