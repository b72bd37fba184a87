"""Where a service listens: endpoints that only this computer, or only this user, can reach.

A socket of mode 0600 needs no umask: Twisted binds it, sets its mode and only then listens, and nobody can connect to a
socket that does not listen (connect(2), ECONNREFUSED). A umask would hold for the files of every other thread too.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from twisted.application import strports
from twisted.internet.endpoints import serverFromString
from twisted.internet.error import CannotListenError

from offprompt import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.application.service import IService
    from twisted.internet.interfaces import IListeningPort, IProtocolFactory, IStreamServerEndpoint

PRIVATE = 0o600
"""The mode of a socket that its owner alone may connect to."""


def is_loopback(interface: str) -> bool:
    """Return whether `interface` is an address of the loopback: 127.0.0.0/8 or ::1."""
    try:
        return ip_address(interface.partition("%")[0]).is_loopback
    except ValueError:
        return False


def local_endpoint(description: str, reactor: LocalReactor) -> IStreamServerEndpoint:
    """Return the endpoint that `description` (of an operator, in Twisted's form) asks for.

    Raises:
        EndpointUnknown: there is no such endpoint.
    """
    here: Any = reactor
    try:
        endpoint: IStreamServerEndpoint = serverFromString(here, description)
    except (ValueError, TypeError, LookupError):
        raise errors.EndpointUnknown(endpoint=description) from None
    return endpoint


def local_service(description: str, factory: IProtocolFactory, reactor: LocalReactor) -> IService:
    """Return a service that listens at `description` while it runs, and whose start raises what stands against that.

    Raises:
        EndpointUnknown: there is no such endpoint.
    """
    here: Any = reactor
    try:
        return strports.service(description, factory, reactor=here)
    except (ValueError, TypeError, LookupError):
        raise errors.EndpointUnknown(endpoint=description) from None


class LocalReactor:
    """A reactor that listens where only this computer can connect; what else is asked of it is refused."""

    def __init__(
        self,
        reactor: Any,
        description: str,
        exposed: type[errors.OffpromptError],
        *,
        takes_interface: Callable[[str], bool] = is_loopback,
        forces_private: bool = True,
        adopts: bool = False,
    ) -> None:
        """Listen with `reactor`; raise `exposed` with the endpoint's `description` for what others could reach.

        Args:
            reactor: does what is allowed.
            description: the endpoint, for the errors' sentences.
            exposed: the error of an endpoint that others could reach.
            takes_interface: which addresses are this computer's alone.
            forces_private: whether every Unix socket gets mode 0600; else it has the mode that its endpoint says.
            adopts: whether a socket that is handed over (`systemd:`) is taken; who made it answers for it.
        """
        self._reactor = reactor
        self._description = description
        self._exposed = exposed
        self._takes_interface = takes_interface
        self._forces_private = forces_private
        self._adopts = adopts

    def listenTCP(self, port: int, factory: IProtocolFactory, backlog: int = 50, interface: str = "") -> IListeningPort:
        """Listen on an address of this computer; refuse any other."""
        if not self._takes_interface(interface):
            raise self._exposed(endpoint=self._description)
        found: IListeningPort = self._reactor.listenTCP(port, factory, backlog=backlog, interface=interface)
        return found

    def listenUNIX(
        self, address: str, factory: IProtocolFactory, backlog: int = 50, mode: int = 0o666, wantPID: bool = False
    ) -> IListeningPort:
        """Listen on a Unix socket.

        Raises:
            NoUnixSockets: this system has none.
            SocketNotMade: the socket cannot be made there.
        """
        if not hasattr(self._reactor, "listenUNIX"):
            raise errors.NoUnixSockets()
        mode = PRIVATE if self._forces_private else mode
        try:
            found: IListeningPort = self._reactor.listenUNIX(
                address, factory, backlog=backlog, mode=mode, wantPID=wantPID
            )
        except (OSError, CannotListenError) as error:
            raise errors.SocketNotMade(endpoint=self._description, reason=errors.reason(error)) from None
        return found

    def adoptStreamPort(self, fileDescriptor: int, addressFamily: int, factory: IProtocolFactory) -> IListeningPort:
        """Listen on a socket that was handed over."""
        if not self._adopts:
            raise self._exposed(endpoint=self._description)
        found: IListeningPort = self._reactor.adoptStreamPort(fileDescriptor, addressFamily, factory)
        return found

    def __getattr__(self, name: str) -> Any:
        """Refuse what else an endpoint asks of a reactor: it would listen somewhere else."""
        raise self._exposed(endpoint=self._description)
