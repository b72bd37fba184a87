"""A world for each test that wants one, in a hurry."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_twisted

from tests.tunnel.world import World


@pytest_twisted.async_yield_fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    from twisted.internet import reactor

    made = World(reactor, tmp_path)
    yield made
    await made.close()
