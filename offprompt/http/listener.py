"""Where a web door listens: on loopback, on the port that was asked for or one that is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.application.service import Service
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.error import CannotListenError

from offprompt.endpoints import LocalReactor, local_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twisted.internet.interfaces import IListeningPort, IProtocolFactory, IReactorTCP, IStreamServerEndpoint
    from twisted.python.failure import Failure

    from offprompt import errors

LOOPBACK = "127.0.0.1"
PORTS = 20
"""Ports tried after a taken one before the system chooses: forwarding rules often cover a small range."""
BACKLOG = 128
"""Connections that wait to be accepted, the Linux default of net.core.somaxconn before 5.4; more are refused anyway."""


def loopback_endpoints(reactor: IReactorTCP, port: int = 0) -> tuple[IStreamServerEndpoint, ...]:
    """Return the endpoints to try: `port` and the ones behind it, then any free one; only the last for 0."""
    wanted = [*range(port, min(port + PORTS, 65_536)), 0] if port else [0]
    return tuple(TCP4ServerEndpoint(reactor, number, BACKLOG, LOOPBACK) for number in wanted)


def described_endpoint(
    reactor: IReactorTCP, description: str, exposed: type[errors.OffpromptError]
) -> IStreamServerEndpoint:
    """Return the endpoint that an operator describes, for example `tcp:4173:interface=127.0.0.1`.

    Listening with it fails with `exposed` when others than this computer could connect. A socket that is handed over
    (`systemd:`) is not checked: systemd owns it.

    Raises:
        EndpointUnknown: there is no such endpoint.
    """
    here = LocalReactor(
        reactor,
        description,
        exposed,
        takes_interface=lambda interface: interface == LOOPBACK,  # not ::1, which no Host of ours names
        forces_private=False,
        adopts=True,
    )
    return local_endpoint(description, here)


class WebListener(Service):
    """Serves a site at the first of `endpoints` that can be had.

    `endings` are called in their order, each when the one before has fired, once nobody can connect any more.
    """

    def __init__(
        self,
        name: str,
        endpoints: Sequence[IStreamServerEndpoint],
        site: IProtocolFactory,
        endings: Sequence[Callable[[], Deferred[None]]] = (),
    ) -> None:
        self.setName(name)
        self._endings = tuple(endings)
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
        """The address on this computer."""
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
        """Stop listening; fire when the port is free and every ending has fired."""
        super().stopService()
        return Deferred.fromCoroutine(self._stop())

    async def _stop(self) -> None:
        port, self._port, self._listening = self._port, None, None
        stopped = port.stopListening() if port is not None else None
        if stopped is not None:
            await stopped
        for ending in self._endings:
            await ending()
