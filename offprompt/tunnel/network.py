"""What the tunnel reaches beyond this process, in one place: the tests put their own world here."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from twisted.internet.threads import deferToThreadPool
from twisted.web.client import Agent, BrowserLikePolicyForHTTPS, HTTPConnectionPool

from offprompt.tunnel.pinned_release import RELEASES

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from twisted.internet._sslverify import IOpenSSLTrustRoot
    from twisted.internet.defer import Deferred

DNS_PORT = 53
CONNECT_SECONDS = 10.0
"""For a connection to stand. The caller sets the deadline for the whole transfer."""


def nameservers(path: str = "/etc/resolv.conf") -> list[tuple[str, int]]:
    """Return the system's DNS servers (resolv.conf(5), whose default is this machine's own)."""
    try:
        with open(path, encoding="utf-8", errors="replace") as settings:
            words = [line.split() for line in settings]
    except OSError:
        words = []
    found = [(word[1], DNS_PORT) for word in words if len(word) > 1 and word[0] == "nameserver" and "%" not in word[1]]
    return found or [("127.0.0.1", DNS_PORT)]


def system_lookup(reactor: Any, host: str) -> Deferred[list[str]]:
    """Fire with the addresses of `host` as the system finds them (getaddrinfo); fail with OSError."""

    def look() -> list[str]:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(cast(str, address[0]) for *_, address in found))

    return deferToThreadPool(reactor, reactor.getThreadPool(), look)


@dataclass(frozen=True, slots=True)
class Network:
    """The world outside this process; the defaults are the real one.

    `trust` is who may vouch for a name in TLS (None: whom the system trusts; `SSL_CERT_FILE` counts).
    `nameservers` are the system's DNS servers, `system_lookup` asks the system itself for addresses. `over_https` are
    public resolvers that answer DNS over HTTPS by address (RFC 8484). A download may be led on to `release_hosts` only:
    where GitHub keeps the files of releases, today and before.
    """

    trust: IOpenSSLTrustRoot | None = None
    https_port: int = 443
    dns_port: int = DNS_PORT
    nameservers: Callable[[], list[tuple[str, int]]] = nameservers
    system_lookup: Callable[[Any, str], Deferred[list[str]]] = system_lookup
    over_https: tuple[str, ...] = ("1.1.1.1", "8.8.8.8")
    releases: str = RELEASES
    release_hosts: frozenset[str] = frozenset(
        {"github.com", "release-assets.githubusercontent.com", "objects.githubusercontent.com"}
    )

    def agent(self, reactor: Any) -> Agent:
        """Return an HTTP client that verifies TLS, keeps no connection and looks names up as the system does."""
        policy = BrowserLikePolicyForHTTPS(trustRoot=self.trust)
        return Agent(reactor, policy, CONNECT_SECONDS, pool=HTTPConnectionPool(reactor, persistent=False))
