"""Agents that connect to a socket: any number at once, each its own session."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from twisted.application.service import MultiService
from twisted.internet.defer import Deferred, gatherResults

from offprompt import errors
from offprompt.endpoints import LocalReactor, local_service

if TYPE_CHECKING:
    from twisted.internet.interfaces import IReactorCore

    from offprompt.agent.wire.protocol import AgentFactory

_OPTIONS = r"(?::(?:lockfile=[01]|backlog=[0-9]{1,5}))*"
_SOCKET = re.compile(rf"unix:(?:[^:=\\]|\\.)+{_OPTIONS}:mode=0*600{_OPTIONS}", re.DOTALL)
"""A whole description, so that nothing in it says another mode: of two the last would count."""


class AgentListener(MultiService):
    """Serves agents on the endpoint `description`: a Unix socket that only its owner may open.

    Whoever connects may have files of the project written, so a socket that others can open is refused, and one on the
    network altogether. Starting it raises SocketNotMade where the socket cannot be made.
    """

    def __init__(self, description: str, factory: AgentFactory, reactor: IReactorCore) -> None:
        """Listen where `description` says.

        Raises:
            AgentExposed: it is not of the form `unix:PATH:mode=600`.
            NoUnixSockets: this system has none.
        """
        super().__init__()
        if not _SOCKET.fullmatch(description):
            raise errors.AgentExposed(endpoint=description)
        if not hasattr(reactor, "listenUNIX"):
            raise errors.NoUnixSockets()
        self._factory = factory
        here = LocalReactor(reactor, description, errors.AgentExposed)
        local_service(description, factory, here).setServiceParent(self)

    def stopService(self) -> Deferred[None]:
        """Stop listening and close every session. Fire when all are gone."""
        return gatherResults([super().stopService(), self._factory.close()]).addCallback(lambda gone: None)
