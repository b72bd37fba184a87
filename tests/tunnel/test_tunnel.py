from __future__ import annotations

import pytest_twisted

from tests.tunnel.scripted_cloudflared import HOST
from tests.tunnel.world import World, alive


@pytest_twisted.ensureDeferred
async def test_the_first_caller_gets_an_origin_that_leads_here(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    assert await tunnel.origin() == f"https://{HOST}"
    assert tunnel.state == "up"
    assert tunnel.host() == HOST
    assert world.told == [f"https://{HOST}"]


@pytest_twisted.ensureDeferred
async def test_stop(world: World):
    world.script("ok")
    tunnel = world.tunnel()
    await tunnel.origin()
    t = world.reactor.seconds()
    await tunnel.stopService()
    print(world.reactor.seconds() - t, alive(world.starts()[0]["pid"]))
    assert 0
