from __future__ import annotations

import re

import pytest

from offprompt.tunnel.pinned_release import ASSETS, LEAST_BYTES, MOST_BYTES, asset_for


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("linux", "x86_64", "cloudflared-linux-amd64"),
        ("linux", "aarch64", "cloudflared-linux-arm64"),
        ("darwin", "x86_64", "cloudflared-darwin-amd64.tgz"),
        ("darwin", "arm64", "cloudflared-darwin-arm64.tgz"),
        ("linux", "riscv64", None),
        ("win32", "AMD64", None),
        ("freebsd14", "amd64", None),
    ],
)
def test_each_computer_has_its_asset_or_none(system, machine, name):
    asset = asset_for(system, machine)
    assert (asset and asset.name) == name


def test_every_asset_is_pinned_by_a_hash_and_a_size():
    assert len({asset.sha256 for asset in ASSETS.values()}) == len(ASSETS)
    for asset in ASSETS.values():
        assert re.fullmatch("[0-9a-f]{64}", asset.sha256)
        assert (asset.least, asset.most) == (LEAST_BYTES, MOST_BYTES)
        assert asset.packed == asset.name.endswith(".tgz")
