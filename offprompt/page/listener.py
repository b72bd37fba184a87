"""Where the page listens: on loopback, on the port that was asked for or one that is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.application.service import Service
from twisted.internet.defer import Deferred, succeed
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.error import CannotListenError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twisted.internet.interfaces import IListeningPort, IProtocolFactory, IReactorTCP, IStreamServerEndpoint
    from twisted.python.failure import Failure

LOOPBACK = "127.0.0.1"
TRIES = 20
"""Ports tried after a taken one before the system chooses: forwarding rules often cover a small range."""
BACKLOG = 128
"""Connections that wait to be accepted, the Linux default of net.core.somaxconn before 5.4; more are refused anyway."""


def loopback_endpoints(reactor: IReactorTCP, port: int = 0) -> tuple[IStreamServerEndpoint, ...]:
    """The endpoints to try for the page: `port` and the ones behind it, then any free one; only the last for 0."""
    wanted = [*range(port, min(port + TRIES, 65_536)), 0] if port else [0]
    return tuple(TCP4ServerEndpoint(reactor, number, BACKLOG, LOOPBACK) for number in wanted)


class PageListener(Service):
    """Serves the page at the first of `endpoints` that can be had."""

    def __init__(self, endpoints: Sequence[IStreamServerEndpoint], site: IProtocolFactory) -> None:
        self.setName("page")
        self._endpoints = tuple(endpoints)
        self._site = site
        self._port: IListeningPort | None = None
        self._listening: Deferred[None] | None = None

    @property
    def port(self) -> int:
        """The TCP port, 0 while there is none."""
        return int(getattr(self._port.getHost(), "port", 0)) if self._port is not None else 0

    @property
    def origin(self) -> str:
        """The page's address on this machine."""
        return f"http://{LOOPBACK}:{self.port}"

    def privilegedStartService(self) -> None:
        """Begin to listen.

        Raises:
            CannotListenError: no endpoint could be had; so a service that is started on a taken port ends with it.
        """
        super().privilegedStartService()
        self._listen()

    def startService(self) -> None:
        """Begin to listen, unless the privileged start did."""
        super().startService()
        if self._listening is None:
            self._listen()

    def _listen(self) -> None:
        self._listening = Deferred.fromCoroutine(self._first())
        refused: list[Failure] = []
        self._listening.addErrback(refused.append)
        if refused:
            self._listening = None
            refused[0].raiseException()

    async def _first(self) -> None:
        for endpoint in self._endpoints[:-1]:
            try:
                self._port = await endpoint.listen(self._site)
            except CannotListenError:
                continue
            else:
                return
        self._port = await self._endpoints[-1].listen(self._site)

    def stopService(self) -> Deferred[None]:
        """Stop listening; fires when the port is free."""
        super().stopService()
        port, self._port, self._listening = self._port, None, None
        stopped = port.stopListening() if port is not None else None
        return stopped if isinstance(stopped, Deferred) else succeed(None)
