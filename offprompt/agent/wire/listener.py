"""Agents that connect to a socket: any number at once, each its own session."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from twisted.application.service import MultiService
from twisted.application.strports import service as listening_service
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.error import CannotListenError

from offprompt import errors

if TYPE_CHECKING:
    from twisted.internet.interfaces import IReactorCore

    from offprompt.agent.wire.protocol import AgentFactory

_OPTIONS = r"(?::(?:lockfile=[01]|backlog=[0-9]{1,5}))*"
_SOCKET = re.compile(rf"unix:(?:[^:=\\]|\\.)+{_OPTIONS}:mode=0*600{_OPTIONS}", re.DOTALL)
"""A whole description, so that nothing in it says another mode: of two the last would count."""


class AgentListener(MultiService):
    """Serves agents on the endpoint `description`: a Unix socket that only its owner may open.

    Whoever connects may have files of the project written, so a socket that others can open is refused, and one on the
    network altogether.
    """

    def __init__(self, description: str, factory: AgentFactory, reactor: IReactorCore) -> None:
        """Raises AgentExposed for another endpoint than `unix:PATH:mode=600`."""
        super().__init__()
        if not _SOCKET.fullmatch(description):
            raise errors.AgentExposed(endpoint=description)
        if not hasattr(reactor, "listenUNIX"):
            raise errors.NoUnixSockets()
        self._description = description
        self._factory = factory
        listening_service(description, factory, reactor=reactor).setServiceParent(self)

    def privilegedStartService(self) -> None:
        """Begin to listen.

        Raises:
            SocketNotMade: the socket cannot be made there.
        """
        before = os.umask(0o177)  # the mode is set after the socket is there: until then nobody else may connect
        try:
            super().privilegedStartService()
        except (OSError, CannotListenError) as error:
            raise errors.SocketNotMade(endpoint=self._description, reason=errors.reason(error)) from None
        finally:
            os.umask(before)

    def stopService(self) -> Deferred[None]:
        """Stop listening and close every session; fires when all are gone."""
        return gatherResults([super().stopService(), self._factory.close()]).addCallback(lambda gone: None)
