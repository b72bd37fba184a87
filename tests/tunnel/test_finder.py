"""R5 and R6: which cloudflared is run."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import platform
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import CancelledError
from twisted.internet.task import deferLater

from offprompt import errors
from offprompt.tunnel.finder import Finder
from offprompt.tunnel.pinned_release import Asset
from tests.tunnel.github import GitHub
from tests.tunnel.world import World, alive

BODY = b"\x7fELF" + os.urandom(20_000)
ASSET = Asset("cloudflared-linux-amd64", hashlib.sha256(BODY).hexdigest(), least=1000)


def finder(world: World, **changes: Any) -> Finder:
    facts: dict[str, Any] = {
        "network": world.network(),
        "environ": world.environ,
        "cache_dir": str(world.folder / "cache"),
        "say": world.said.append,
        "limits": world.limits,
        "asset": ASSET,
    }
    return Finder(world.reactor, **facts | changes)


@pytest_twisted.ensureDeferred
async def test_R5_the_one_on_path_is_taken_when_it_is_new_enough(world: World):
    world.script("ok")
    assert await finder(world).find() == str(world.bin / "cloudflared")
    assert await finder(world).installed() == (str(world.bin / "cloudflared"), (2026, 9, 1))
    assert world.said == ["Looking for cloudflared."]


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(
    "version", ["cloudflared version 2024.9.1 (built x)", "cloudflared version DEV", "", "x" * 100_000, "\xff\x00"]
)
async def test_R5_an_old_or_a_strange_one_is_passed_over(world: World, version: str):
    world.script("ok", version=version)
    second = world.folder / "second"
    second.mkdir()
    world.script("ok", folder=second)
    environ = {"PATH": os.pathsep.join([str(world.bin), str(second)])}
    assert await finder(world, environ=environ).find() == str(second / "cloudflared")
    assert await finder(world).installed() is None


@pytest_twisted.ensureDeferred
async def test_R5_one_that_does_not_tell_its_version_is_ended_after_a_while(world: World):
    world.hurry(version=0.5)
    pid = world.folder / "pid"
    program = world.bin / "cloudflared"
    program.write_text(f"#!/bin/sh\nsleep 60 &\necho $! > {pid}\nwait\n")
    program.chmod(0o755)
    one = finder(world)
    assert await one.installed() is None
    await one.when_gone()
    assert not alive(int(pid.read_text()))


@pytest_twisted.ensureDeferred
async def test_what_cannot_be_run_is_passed_over(world: World):
    for number, content in enumerate([b"\x7fELF nonsense", b"", b"#!/nowhere/sh\n", b"no script"]):
        program = world.bin / "cloudflared"
        program.write_bytes(content)
        program.chmod(0o755)
        assert await finder(world).installed() is None, number
    program.chmod(0o644)
    assert await finder(world).installed() is None
    program.unlink()
    program.mkdir()
    assert await finder(world).installed() is None
    assert await finder(world, environ={}).installed() is None


@pytest_twisted.ensureDeferred
async def test_one_that_the_project_supplies_is_never_run(world: World, monkeypatch: pytest.MonkeyPatch):
    project = world.folder / "project"
    planted = project / "node_modules" / ".bin"
    planted.mkdir(parents=True)
    ran = world.folder / "ran"
    (planted / "cloudflared").write_text(f"#!/bin/sh\ntouch {ran}\n")
    (planted / "cloudflared").chmod(0o755)
    world.script("ok")
    monkeypatch.chdir(project)
    entries = [str(planted), "node_modules/.bin", ".", "", str(world.bin)]
    one = finder(world, environ={"PATH": os.pathsep.join(entries)}, projects=lambda: [str(project)])
    assert await one.find() == str(world.bin / "cloudflared")
    assert not ran.exists()


@pytest_twisted.ensureDeferred
async def test_else_it_is_downloaded_once_and_kept(world: World):
    github = GitHub(world.reactor, BODY)
    try:
        network = world.network(
            trust=github.authority.trust, releases=github.address, release_hosts=frozenset({"localhost"})
        )
        path = await finder(world, network=network).find()
        assert Path(path).read_bytes() == BODY
        assert await finder(world, network=network).find() == path
        assert len(github.asked) == 1
        Path(path).write_bytes(b"changed since")
        assert await finder(world, network=network).find() == path
        assert Path(path).read_bytes() == BODY
        assert len(github.asked) == 2
    finally:
        await github.close()


@pytest_twisted.ensureDeferred
async def test_where_there_is_none_to_download_it_says_so(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(errors.NoRelease, match="riscv64"):
        await finder(world, asset=None).find()
    assert await finder(world, asset=None).cached() is None


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() != "x86_64", reason="for one computer")
@pytest_twisted.ensureDeferred
async def test_the_pinned_asset_is_the_one_for_this_computer(world: World):
    found = finder(world, asset=None)
    assert found._asset is not None
    assert found._asset.name == "cloudflared-linux-amd64"
    assert dataclasses.asdict(found._asset)["least"] == 10_000_000


@pytest_twisted.ensureDeferred
async def test_stopping_ends_the_search_and_the_program_that_was_asked(world: World):
    world.script("ok", version_seconds=60)
    one = finder(world)
    running = one.find()
    while one._asked is None:
        await deferLater(world.reactor, 0.01)
    running.cancel()
    with pytest.raises(CancelledError):
        await running
    await one.when_gone()
