"""What the tunnel reaches beyond this process, in one place: the tests put their own world here."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from twisted.internet.threads import deferToThreadPool
from twisted.names.client import Resolver
from twisted.web.client import Agent, BrowserLikePolicyForHTTPS, HTTPConnectionPool

from offprompt.tunnel.pinned import RELEASES

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IOpenSSLTrustRoot, IReactorTime
    from twisted.names.client import Resolver as NamesResolver


def _resolver(reactor: IReactorTime) -> NamesResolver:
    return Resolver(resolv="/etc/resolv.conf", timeout=(1, 2), reactor=reactor)


def _system_lookup(reactor: IReactorTime, host: str) -> Deferred[list[str]]:
    """The addresses of `host` as the system finds them (getaddrinfo); fails with OSError."""

    def look() -> list[str]:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(cast(str, address[0]) for *_, address in found))

    return deferToThreadPool(reactor, reactor.getThreadPool(), look)  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Outside:
    """The outside world; the defaults are the real one.

    `trust` is who may vouch for a name in TLS (None: whom the system trusts; `SSL_CERT_FILE` counts). `resolver` asks
    the system's DNS servers for records, `system_lookup` the system itself for addresses. `over_https` are public
    resolvers that answer DNS over HTTPS by address (RFC 8484). A download may be led on to `release_hosts` only: where
    GitHub keeps the files of releases, today and before.
    """

    trust: IOpenSSLTrustRoot | None = None
    https_port: int = 443
    dns_port: int = 53
    resolver: Callable[[IReactorTime], NamesResolver] = _resolver
    system_lookup: Callable[[IReactorTime, str], Deferred[list[str]]] = _system_lookup
    over_https: tuple[str, ...] = ("1.1.1.1", "8.8.8.8")
    releases: str = RELEASES
    release_hosts: frozenset[str] = frozenset(
        {"github.com", "release-assets.githubusercontent.com", "objects.githubusercontent.com"}
    )

    def agent(self, reactor: IReactorTime) -> Agent:
        """An HTTP client that verifies TLS, keeps no connection and looks names up as the system does."""
        policy = BrowserLikePolicyForHTTPS(trustRoot=self.trust)
        return Agent(reactor, policy, pool=HTTPConnectionPool(reactor, persistent=False))
