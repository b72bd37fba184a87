"""Looks up a name that has just been made, so that no resolver remembers it as missing.

The zone lets resolvers remember for 1,800 s that a name does not exist. A question that comes too early,
through a resolver that others share, breaks the link for half an hour, for us and for the person. So nobody is asked
before the tunnel has registered. Then the zone's own servers are asked, which remember nothing. Each resolver that
remembers is asked once at most, and late.
"""

from __future__ import annotations

import base64
import ipaddress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from twisted.internet.defer import CancelledError, Deferred, gatherResults
from twisted.internet.error import CannotListenError
from twisted.internet.task import deferLater
from twisted.logger import Logger
from twisted.names import dns

from offprompt.tunnel.cancellation import cancellable
from offprompt.tunnel.fetch import page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from twisted.names.dns import Message

    from offprompt.tunnel.limits import Limits
    from offprompt.tunnel.network import Network

ZONE = "trycloudflare.com"

MOST_SERVERS = 2
"""Servers asked at once, of each address family."""
MAX_MESSAGE = 4096
"""Bytes of an answer over HTTPS; one with a few addresses has 200."""

_log = Logger()
_T = TypeVar("_T")


class _Authoritative(dns.DNSDatagramProtocol):
    """Asks a server for what it knows itself: recursion is not desired (RFC 1035, 4.1.1)."""

    def writeMessage(self, message: Message, address: tuple[str, int]) -> None:  # noqa: N802
        message.recDes = 0
        super().writeMessage(message, address)


class _Unasked:
    """Receives the answers that nobody asked for."""

    def messageReceived(self, *unasked: object) -> None:  # noqa: N802
        """Ignore it."""


class Lookup:
    """Looks up the addresses of new names."""

    def __init__(self, reactor: Any, network: Network, limits: Limits) -> None:
        self._reactor = reactor
        self._limits = limits
        self._network = network

    async def find(self, host: str) -> tuple[str, ...]:
        """Return the addresses of `host`, which has just registered, IPv4 first. Ask until cancelled."""
        registered = self._reactor.seconds()
        remembering: list[tuple[float, Callable[[str], Awaitable[list[str]]]]] = [
            (at, partial(self._by_https, by))
            for at, by in zip(self._limits.over_https_at, self._network.over_https, strict=False)
        ]
        remembering.append((self._limits.system_at, self._by_system))
        servers = await self._servers()
        authority = False  # whether a server of the zone has answered
        asked_at = registered + self._limits.first_question
        while True:
            await deferLater(self._reactor, max(0.0, asked_at - self._reactor.seconds()))
            asked_at = self._reactor.seconds() + self._limits.question_every
            answers = await _gather([self._by_server(server, host) for server in servers])
            found = tuple(dict.fromkeys(address for _, addresses in answers for address in addresses))
            authority = authority or any(known for known, _ in answers)
            silence = not (found or authority) and remembering
            if silence and self._reactor.seconds() >= registered + remembering[0][0]:
                _, ask = remembering.pop(0)
                found = tuple(await ask(host))
            if found:
                return tuple(sorted(found, key=lambda address: ":" in address))

    async def _servers(self) -> list[tuple[str, int]]:
        """Return some of the zone's own servers, of both address families; [] when they cannot be found."""
        try:
            return await Deferred.fromCoroutine(self._look_up_servers()).addTimeout(self._limits.zone, self._reactor)
        except CancelledError:
            raise
        except Exception as error:  # late, or names that no system can look up: anybody may have answered
            _log.info("The zone's servers cannot be found: {kind}", kind=type(error).__name__)
            return []

    async def _look_up_servers(self) -> list[tuple[str, int]]:
        names: list[str] = []
        for server in self._network.nameservers():
            message = await self._question(server, ZONE, dns.NS, recursion=True)
            if message is not None:
                names = [str(payload.name) for payload in _payloads(message, dns.NS)]
                break
        lookups = [self._network.system_lookup(self._reactor, name) for name in names]
        for lookup in lookups:
            lookup.addErrback(lambda failure: failure.trap(OSError) and [])
        found = {
            address
            for addresses in await cancellable(gatherResults(lookups, consumeErrors=True))
            for address in addresses
        }
        families = ([a for a in found if ":" not in a], [a for a in found if ":" in a])
        return [(address, self._network.dns_port) for family in families for address in family[:MOST_SERVERS]]

    async def _by_server(self, server: tuple[str, int], host: str) -> tuple[bool, list[str]]:
        """Return whether `server` answered with authority, and the addresses it knows."""
        messages = await _gather([self._question(server, host, kind) for kind in (dns.A, dns.AAAA)])
        # Without the authority bit something on the way has answered, from a memory of its own (RFC 1035, 4.1.1).
        known = [message for message in messages if message is not None and message.auth]
        return bool(known), [address for message in known for address in _addresses(message)]

    async def _by_https(self, by: str, host: str) -> list[str]:
        """Return the addresses of `host` by the resolver at `by` (RFC 8484, 4.1); [] when it has none or is silent."""
        question = dns.Message(recDes=1)
        question.addQuery(host.encode(), dns.A)
        encoded = base64.urlsafe_b64encode(question.toStr()).rstrip(b"=").decode()
        url = f"https://{by}/dns-query?dns={encoded}"
        answer = Deferred.fromCoroutine(
            page(self._network.agent(self._reactor), url, MAX_MESSAGE, accept="application/dns-message")
        )
        message = dns.Message()
        try:
            _, body = await answer.addTimeout(self._limits.over_https, self._reactor)
            message.fromStr(body)
        except CancelledError:
            raise
        except Exception as error:
            _log.info("No answer over HTTPS by {by}: {kind}", by=by, kind=type(error).__name__)
            return []
        return _addresses(message)

    async def _by_system(self, host: str) -> list[str]:
        try:
            return await self._network.system_lookup(self._reactor, host)
        except OSError:  # it has none, or does not answer
            return []

    async def _question(self, server: tuple[str, int], name: str, kind: int, recursion: bool = False) -> Message | None:
        """Return what `server` answers, None when it does not in time."""
        protocol = (dns.DNSDatagramProtocol if recursion else _Authoritative)(_Unasked(), self._reactor)
        protocol.noisy = False
        try:
            # A port of its own for every question makes answers harder to forge (RFC 5452).
            port = self._reactor.listenUDP(0, protocol, interface="::" if ":" in server[0] else "")
        except CannotListenError:  # no IPv6 here
            return None
        try:
            message: Message = await protocol.query(server, [dns.Query(name.encode(), kind)], self._limits.server)
            return message
        except CancelledError:
            raise
        except Exception:
            return None
        finally:
            for _, timer in protocol.liveMessages.values():
                timer.cancel()
            port.stopListening()


async def _gather(questions: list[Coroutine[Deferred[Any], Any, _T]]) -> list[_T]:
    """Return the answers to `questions`, asked at the same time."""
    asked = gatherResults([Deferred.fromCoroutine(question) for question in questions], consumeErrors=True)
    return await cancellable(asked)


def _addresses(message: Message) -> list[str]:
    """Return the addresses in an answer."""
    return [str(ipaddress.ip_address(payload.address)) for payload in _payloads(message, dns.A, dns.AAAA)]


def _payloads(message: Message, *kinds: int) -> list[Any]:
    """Return the contents of the records of `kinds` in an answer."""
    return [record.payload for record in message.answers if record.type in kinds]
