"""Looking up a name that has just been made, without anybody remembering that it was not there a second ago.

The zone lets resolvers remember for 1,800 s that a name does not exist. A question too early, through a resolver that
others share, breaks the link for half an hour, for us and for the person. So nothing is asked before the tunnel has
registered, and then the zone's own servers, which remember nothing; each resolver that remembers is asked once at most,
and late.
"""

from __future__ import annotations

import base64
import ipaddress
from typing import TYPE_CHECKING, Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import deferLater
from twisted.logger import Logger
from twisted.names import dns

from offprompt.tunnel.fetching import page

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from twisted.names.dns import Message

    from offprompt.tunnel.outside import Outside

ZONE = "trycloudflare.com"

FIRST_ASKED = 2.0
"""Seconds from the registration to the first question: records appeared after 1.9 to 5.6 s (fastagent pull request 437)."""
ASKED_EVERY = 1.0
ANSWER_SECONDS = 1.0
"""For one server's answer to one question."""
ZONE_SECONDS = 5.0
"""For the names and addresses of the zone's servers, together; the resolvers of some sandboxes need 2 s a question."""
OVER_HTTPS_ASKED = (6.0, 8.0)
"""Seconds from the registration to the one question to each resolver over HTTPS, where the zone's servers are silent."""
SYSTEM_ASKED = 10.0
"""Seconds from the registration to the one question to the system, where nobody else has answered."""
MOST_SERVERS = 2
"""Servers asked at once, of each address family."""
MAX_MESSAGE = 4096
"""Bytes of an answer over HTTPS; one with a few addresses has 200."""

_log = Logger()


class _Direct(dns.DNSDatagramProtocol):
    """Asks a server for what it knows itself: recursion is not desired (RFC 1035, 4.1.1)."""

    def writeMessage(self, message: Message, address: tuple[str, int]) -> None:  # noqa: N802
        message.recDes = 0
        super().writeMessage(message, address)


class _Nobody:
    """Is told of answers that nobody asked for."""

    def messageReceived(self, *unasked: object) -> None:  # noqa: N802
        """Drop it."""


class Names:
    """Finds the addresses of new names. `clock` is the reactor."""

    def __init__(self, reactor: Any, outside: Outside) -> None:
        self._reactor = reactor
        self._outside = outside

    async def find(self, host: str) -> tuple[str, ...]:
        """The addresses of `host`, which has registered just now, IPv4 first. Looks on until it is cancelled."""
        registered = self._reactor.seconds()
        servers = await self._servers()
        later = [(at, self._over_https(by, host)) for at, by in zip(OVER_HTTPS_ASKED, self._outside.over_https)]
        later.append((SYSTEM_ASKED, self._system(host)))
        answered = False
        while True:
            ...
