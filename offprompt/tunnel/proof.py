"""Proof that the link leads here: a request through the tunnel has brought back what only this service knows.

A page that answers 200 proves nothing: cloudflared can serve one of its own. So every try has a path and a nonce of its
own; the page answers the one with the other (`GET /.well-known/offprompt/<random>`), and only while the try lasts.
"""

from __future__ import annotations

import hmac
import ipaddress
from enum import Enum
from typing import TYPE_CHECKING, Any

from OpenSSL.SSL import Error as TLSError
from service_identity import VerificationError
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.endpoints import TCP4ClientEndpoint, TCP6ClientEndpoint, wrapClientTLS
from twisted.internet.ssl import optionsForClientTLS
from twisted.internet.task import deferLater
from twisted.web.client import Agent, HTTPConnectionPool, ResponseNeverReceived
from twisted.web.iweb import IAgentEndpointFactory
from zope.interface import implementer

from offprompt import errors
from offprompt.tunnel.dns import Lookup
from offprompt.tunnel.fetch import TooLong, page

if TYPE_CHECKING:
    from twisted.internet.interfaces import IStreamClientEndpoint
    from twisted.web.client import URI

    from offprompt.tunnel.limits import Limits
    from offprompt.tunnel.network import Network
    from offprompt.tunnel.nonces import Nonces

PATH = "/.well-known/offprompt/"
MOST_FOREIGN = 3
"""Answers of another page in a row, until the link is given up."""
MAX_PAGE = 4096
"""Bytes read of an answer; ours has 32."""


class Verdict(Enum):
    """The result of one try."""

    PROVEN = "proven"
    FOREIGN = "foreign"
    """Another page than ours answered."""
    INTERCEPTED = "intercepted"
    """What answers is not who it says it is."""
    NOT_YET = "not yet"


def judge(status: int, body: bytes, nonce: str) -> Verdict:
    """Return what an answer through the tunnel shows.

    404 and 418 are what cloudflared's rules answer where another configuration has taken over; 530 (1033) and 502 to
    504 are Cloudflare's, while its edge does not know the tunnel yet; 429 is its limit.
    """
    if status == 200:
        return Verdict.PROVEN if hmac.compare_digest(body.strip(), nonce.encode()) else Verdict.FOREIGN
    return Verdict.FOREIGN if status in (404, 418) else Verdict.NOT_YET


class Prover:
    """Proves that one tunnel's host leads to this service. For one run of cloudflared."""

    def __init__(self, reactor: Any, network: Network, nonces: Nonces, limits: Limits) -> None:
        self.addresses: tuple[str, ...] = ()
        """The addresses of the host; () while they are not known."""
        self._reactor = reactor
        self._network = network
        self._nonces = nonces
        self._limits = limits

    async def prove(self, host: str) -> None:
        """Return when `host`, which has just registered, leads here. Try until cancelled.

        Raises:
            ForeignPage: another page answers, again and again.
            Intercepted: something on the way answers for it.
        """
        self.addresses = await Lookup(self._reactor, self._network, self._limits).find(host)
        wrong = 0
        while (verdict := await self.once(host)) is not Verdict.PROVEN:
            wrong = 0 if verdict is Verdict.NOT_YET else wrong + 1
            if wrong == MOST_FOREIGN:
                if verdict is Verdict.FOREIGN:
                    raise errors.ForeignPage()
                raise errors.Intercepted(owner="somebody else")
            await deferLater(self._reactor, self._limits.pause)

    async def once(self, host: str) -> Verdict:
        """Return what one request through the tunnel shows, within `one_try` seconds. The addresses must be known."""
        path, nonce = self._nonces.begin()
        agent = _agent(self._reactor, self._network, self.addresses[0], self._limits.one_try)
        asked = Deferred.fromCoroutine(page(agent, f"https://{host}{PATH}{path}", MAX_PAGE, cache_control="no-store"))
        try:
            status, body = await asked.addTimeout(self._limits.one_try, self._reactor)
            return judge(status, body, nonce)
        except CancelledError:
            raise
        except TooLong:
            return Verdict.FOREIGN
        except Exception as error:
            # The name stays with its addresses, as asking again could poison it; only another one is tried.
            self.addresses = (*self.addresses[1:], self.addresses[0])
            return Verdict.INTERCEPTED if _untrusted(error) else Verdict.NOT_YET
        finally:
            self._nonces.end(path)


def _untrusted(error: Exception) -> bool:
    """Return whether TLS failed because of who answered."""
    causes = [failure.value for failure in error.reasons] if isinstance(error, ResponseNeverReceived) else [error]
    return any(
        isinstance(cause, VerificationError)
        or (isinstance(cause, TLSError) and "certificate verify failed" in str(cause))
        for cause in causes
    )


@implementer(IAgentEndpointFactory)
class _FixedAddress:
    """Connects to one address, whatever the name; TLS still asks for the name."""

    def __init__(self, reactor: Any, network: Network, address: str, seconds: float) -> None:
        self._reactor = reactor
        self._network = network
        self._address = address
        self._seconds = seconds

    def endpointForURI(self, uri: URI) -> IStreamClientEndpoint:  # noqa: N802
        """Return the endpoint for `uri`, over TLS."""
        kind = TCP4ClientEndpoint if ipaddress.ip_address(self._address).version == 4 else TCP6ClientEndpoint
        plain = kind(self._reactor, self._address, self._network.https_port, timeout=self._seconds)
        return wrapClientTLS(optionsForClientTLS(uri.host.decode("ascii"), self._network.trust), plain)


def _agent(reactor: Any, network: Network, address: str, seconds: float) -> Agent:
    pool = HTTPConnectionPool(reactor, persistent=False)
    agent: Agent = Agent.usingEndpointFactory(reactor, _FixedAddress(reactor, network, address, seconds), pool)
    return agent
