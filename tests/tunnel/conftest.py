"""A world for each test that wants one, with little patience."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_twisted

from offprompt.tunnel import dns
from tests.tunnel.world import World


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question is asked at once: most tests are not about that pause of two seconds."""
    monkeypatch.setattr(dns, "FIRST_ASKED", 0.05)
    monkeypatch.setattr(dns, "ASKED_EVERY", 0.1)


@pytest_twisted.async_yield_fixture
async def world(hasty: None, tmp_path: Path) -> AsyncIterator[World]:
    from twisted.internet import reactor

    made = World(reactor, tmp_path)
    yield made
    await made.close()
