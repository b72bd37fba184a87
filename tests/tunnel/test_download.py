"""Whatever GitHub does, there is a good file in time or a clear sentence, no part of a file, and no open connection."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import CancelledError, DeferredList
from twisted.internet.task import deferLater
from twisted.internet.tcp import Client

from offprompt import errors
from offprompt.tunnel.download import download
from offprompt.tunnel.network import Network
from offprompt.tunnel.pinned_release import Asset
from tests.tunnel.github import GitHub

BODY = os.urandom(12_000_000)
ASSET = Asset("cloudflared-linux-amd64", hashlib.sha256(BODY).hexdigest(), least=1000, most=20_000_000)


class Place:
    """A folder to download into, a GitHub to download from."""

    def __init__(self, reactor: Any, folder: Path) -> None:
        self.reactor = reactor
        self.github = GitHub(reactor, BODY)
        self.folder = folder / "cache"
        self.said: list[str] = []
        self.network = Network(
            trust=self.github.authority.trust,
            releases=self.github.address,
            release_hosts=frozenset({"localhost", "127.0.0.1"}),
        )

    def download(self, **changes: Any) -> Any:
        facts: dict[str, Any] = {"network": self.network, "asset": ASSET, "seconds": 20.0} | changes
        return download(
            self.reactor, facts["network"], facts["asset"], str(self.folder), self.said.append, facts["seconds"]
        )

    async def refused(self, sentence: str, **changes: Any) -> None:
        """The download fails with words that match `sentence`, and leaves nothing: no file, no connection."""
        with pytest.raises(errors.TunnelUnavailable) as caught:
            await self.download(**changes)
        assert re.search(sentence, str(caught.value)), caught.value
        await self.nothing_left()

    async def nothing_left(self) -> None:
        assert not self.folder.exists() or os.listdir(self.folder) == []
        for _ in range(100):
            if not self.connections():
                break
            await deferLater(self.reactor, 0.01)
        assert self.connections() == []

    def connections(self) -> list[Any]:
        """Our ends of connections that are open."""
        return [reader for reader in self.reactor.getReaders() if isinstance(reader, Client)]


@pytest_twisted.async_yield_fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    from twisted.internet import reactor

    made = Place(reactor, tmp_path)
    yield made
    await made.github.close()


@pytest_twisted.ensureDeferred
async def test_a_good_download_becomes_a_program(place: Place):
    path = await place.download()
    assert Path(path).read_bytes() == BODY
    assert os.access(path, os.X_OK)
    assert place.github.asked == ["GET /releases/2026.9.1/cloudflared-linux-amd64 HTTP/1.1"]
    assert place.said == ["Downloading cloudflared: 5 of 12 MB.", "Downloading cloudflared: 10 of 12 MB."]
    assert os.listdir(place.folder) == [os.path.basename(path)]


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize("behaviour", ["stalled", "deaf", "silent", "half_a_head", "slow"])
async def test_one_deadline_covers_connecting_head_and_body(place: Place, behaviour: str):
    place.github.behaviour = behaviour
    await place.refused("not finished within 0.2 seconds", seconds=0.2)


@pytest_twisted.ensureDeferred
async def test_a_slow_download_that_ends_in_time_is_good(place: Place):
    place.github.behaviour = "slow"
    place.github.body = BODY[:10_000]
    asset = Asset(ASSET.name, hashlib.sha256(BODY[:10_000]).hexdigest(), least=1000)
    assert Path(await place.download(asset=asset)).read_bytes() == BODY[:10_000]


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ("truncated", "the connection was cut"),
        ("reset", "the connection was cut"),
        ("truncated_unannounced", "not the file that offprompt knows"),
        ("wrong", "not the file that offprompt knows as cloudflared-linux-amd64 2026.9.1 and was thrown away"),
        ("small", "only 9 bytes came"),
        ("missing", "localhost answered 404"),
        ("failing", "localhost answered 500"),
        ("going_round", "from one address to the next"),
    ],
)
async def test_what_is_not_the_file_leaves_a_sentence_and_nothing_else(place: Place, behaviour: str, sentence: str):
    place.github.behaviour = behaviour
    await place.refused(sentence)


@pytest_twisted.ensureDeferred
async def test_no_more_is_taken_than_can_be_a_cloudflared(place: Place):
    place.github.behaviour = "endless"
    await place.refused("longer than 1 MB", asset=Asset(ASSET.name, ASSET.sha256, least=1000, most=1_000_000))
    assert place.github.sent < 5_000_000


@pytest_twisted.ensureDeferred
async def test_a_redirect_within_github_is_followed(place: Place):
    place.github.behaviour = "redirecting"
    place.github.location = f"https://127.0.0.1:{place.github.port}/asset"
    assert Path(await place.download()).read_bytes() == BODY
    place.github.location = "/asset"
    assert Path(await place.download()).read_bytes() == BODY


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(
    "location",
    [
        "https://evil.example/asset",
        "http://localhost/asset",
        "",
        "file:///etc/passwd",
        "https://localhost.evil.example/asset",
    ],
)
async def test_a_redirect_to_anywhere_else_is_not(place: Place, location: str):
    place.github.behaviour = "redirecting"
    place.github.location = location
    await place.refused("an address that is not GitHub's|from one address to the next")
    assert all("asset" not in asked.split("/")[-2] for asked in place.github.asked)


@pytest_twisted.ensureDeferred
async def test_a_certificate_that_nobody_vouches_for_is_refused(place: Place):
    await place.refused(
        "no certificate for it that this computer trusts",
        network=Network(releases=place.github.address, release_hosts=frozenset({"localhost"})),
    )
    assert place.github.asked == []


@pytest_twisted.ensureDeferred
async def test_a_certificate_of_another_name_is_refused(place: Place):
    other = GitHub(place.reactor, BODY, names=("github.com",))
    try:
        network = Network(trust=other.authority.trust, releases=other.address, release_hosts=frozenset({"localhost"}))
        await place.refused("no certificate for it", network=network)
        assert other.asked == []
    finally:
        await other.close()


@pytest_twisted.ensureDeferred
async def test_a_host_that_is_not_there_is_named(place: Place):
    await place.github.close()
    await place.refused("localhost cannot be reached")
    network = Network(releases="https://offprompt.invalid/")
    await place.refused("offprompt.invalid cannot be looked up", network=network)


@pytest_twisted.ensureDeferred
async def test_stopping_closes_the_connection_at_once(place: Place):
    place.github.behaviour = "stalled"
    running = place.download()
    for _ in range(200):
        if place.github.sent:
            break
        await deferLater(place.reactor, 0.01)
    running.cancel()
    with pytest.raises(CancelledError):
        await running
    await place.nothing_left()


@pytest_twisted.ensureDeferred
async def test_a_folder_that_cannot_be_written_is_named(place: Place):
    place.folder.parent.joinpath("cache").write_text("a file is in the way")
    with pytest.raises(errors.CacheRefused, match="cache: File exists"):
        await place.download()
    assert place.github.asked == []


@pytest_twisted.ensureDeferred
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
async def test_a_full_disk_is_named(place: Place, monkeypatch: pytest.MonkeyPatch):
    from offprompt.tunnel import download as module

    monkeypatch.setattr(module, "begin", lambda folder, asset: (open("/dev/full", "wb"), ""))  # noqa: SIM115
    with pytest.raises(errors.CacheRefused, match="No space left on device"):
        await place.download()
    await place.nothing_left()


@pytest_twisted.ensureDeferred
async def test_two_downloads_at_once_end_with_one_good_file(place: Place):
    results = await DeferredList([place.download() for _ in range(3)])
    paths = {path for good, path in results if good}
    assert len(paths) == 1
    assert Path(paths.pop()).read_bytes() == BODY
    assert len(os.listdir(place.folder)) == 1


CHILD = """
import sys
from twisted.internet import task
from twisted.internet.ssl import Certificate, trustRootFromCertificates
from offprompt.tunnel.download import download
from offprompt.tunnel.network import Network
from offprompt.tunnel.pinned_release import Asset

address, pem, sha256, folder = sys.argv[1:]
trust = trustRootFromCertificates([Certificate.loadPEM(open(pem).read())])
network = Network(trust=trust, releases=address, release_hosts=frozenset({"localhost"}))
asset = Asset("cloudflared-linux-amd64", sha256, least=1000)
task.react(lambda reactor: download(reactor, network, asset, folder, lambda words: None).addCallback(print))
"""


@pytest_twisted.ensureDeferred
async def test_two_processes_at_once_end_with_one_good_file(place: Place, tmp_path: Path):
    pem = tmp_path / "ca.pem"
    pem.write_bytes(place.github.authority.pem)
    command = [sys.executable, "-c", CHILD, place.github.address, str(pem), ASSET.sha256, str(place.folder)]
    processes = [subprocess.Popen(command, stdout=-1, text=True) for _ in range(2)]
    while any(process.poll() is None for process in processes):
        await deferLater(place.reactor, 0.05)
    paths = {process.stdout.read().strip() for process in processes}  # type: ignore[union-attr]
    for process in processes:
        process.stdout.close()  # type: ignore[union-attr]
    assert [process.returncode for process in processes] == [0, 0]
    assert len(paths) == 1
    assert Path(paths.pop()).read_bytes() == BODY
    assert len(os.listdir(place.folder)) == 1
