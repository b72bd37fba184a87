"""A world for each test that wants one, with little patience."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_twisted

from offprompt.tunnel import dns, proof
from tests.tunnel.world import World


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tenths of seconds between tries: most tests are not about those pauses."""
    monkeypatch.setattr(dns, "FIRST_ASKED", 0.05)
    monkeypatch.setattr(dns, "ASKED_EVERY", 0.1)
    monkeypatch.setattr(proof, "PAUSE", 0.1)


@pytest_twisted.async_yield_fixture
async def world(hasty: None, tmp_path: Path) -> AsyncIterator[World]:
    from twisted.internet import reactor

    made = World(reactor, tmp_path)
    yield made
    await made.close()
