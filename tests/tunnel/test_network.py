"""The real network, as far as it can be asked without leaving this machine."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_twisted

from offprompt.tunnel.network import Network, nameservers, system_lookup

OWN = [("127.0.0.1", 53)]


@pytest.mark.parametrize(
    ("settings", "servers"),
    [
        ("nameserver 198.51.100.1\nnameserver 2001:db8::1\n", [("198.51.100.1", 53), ("2001:db8::1", 53)]),
        ("# nameserver 198.51.100.9\nsearch example\n\nnameserver\t127.0.0.53 # its own\n", [("127.0.0.53", 53)]),
        ("nameserver fe80::1%eth0\nnameserver\n", OWN),
        ("", OWN),
        ("\xff\x00", OWN),
    ],
)
def test_the_systems_dns_servers_are_read(settings: str, servers: list[tuple[str, int]], tmp_path: Path):
    (tmp_path / "resolv.conf").write_text(settings, encoding="latin-1")
    assert nameservers(str(tmp_path / "resolv.conf")) == servers


def test_without_settings_it_is_this_machines_own(tmp_path: Path):
    assert nameservers(str(tmp_path / "missing")) == OWN


@pytest_twisted.ensureDeferred
async def test_the_system_finds_addresses_or_fails_with_oserror():
    from twisted.internet import reactor

    assert "127.0.0.1" in await system_lookup(reactor, "127.0.0.1")
    with pytest.raises(OSError, match=r".+"):
        await system_lookup(reactor, "offprompt.invalid")


def test_nothing_but_githubs_hosts_is_downloaded_from():
    network = Network()
    assert network.releases == "https://github.com/cloudflare/cloudflared/releases/download/"
    assert all(host == "github.com" or host.endswith(".githubusercontent.com") for host in network.release_hosts)
    assert (network.https_port, network.dns_port, network.trust) == (443, 53, None)
