"""The agent on the process's own stdin and stdout."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from twisted.application.service import Service
from twisted.internet.stdio import StandardIO

from offprompt.agent.mcp.session import Session
from offprompt.agent.wire import descriptors
from offprompt.agent.wire.light_loop import Handover

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IReactorCore
    from twisted.internet.protocol import Protocol

    from offprompt.agent.wire.protocol import AgentFactory, AgentProtocol


_STD_INPUT, _STD_OUTPUT = -10, -11
"""Windows' names of the standard handles (GetStdHandle)."""


def fresh_handover() -> Handover | None:
    """Return a conversation that is still to begin on stdin and stdout; None where the process has neither.

    From here on the conversation alone uses the two: a log that goes to stdout appears on stderr.
    """
    wire = descriptors.take_wire()
    return None if wire is None else Handover(Session(), [], *wire, b"", False)


def _attach(protocol: Protocol, handover: Handover, reactor: IReactorCore) -> None:
    if sys.platform != "win32":
        io = {"stdin": handover.reading, "stdout": handover.writing}  # Twisted types the call by its Windows half
        StandardIO(protocol, reactor=reactor, **io)
        return
    # There Twisted takes the process's standard handles; for a moment they are the wire's again.
    import ctypes
    import msvcrt

    handles = ctypes.windll.kernel32
    kept = {number: handles.GetStdHandle(number) for number in (_STD_INPUT, _STD_OUTPUT)}
    handles.SetStdHandle(_STD_INPUT, msvcrt.get_osfhandle(handover.reading))
    handles.SetStdHandle(_STD_OUTPUT, msvcrt.get_osfhandle(handover.writing))
    StandardIO(protocol, reactor=reactor)
    for number, handle in kept.items():
        handles.SetStdHandle(number, handle)


class StdioAgent(Service):
    """Goes on with the conversation of `handover` in Twisted. Calls `ended` when the client is gone."""

    def __init__(
        self, factory: AgentFactory, handover: Handover, reactor: IReactorCore, ended: Callable[[], None]
    ) -> None:
        self.setName("stdio agent")
        self._factory = factory
        self._handover = handover
        self._reactor = reactor
        self._ended = ended

    def startService(self) -> None:
        """Take the descriptors over, and serve what the light loop has left."""
        super().startService()
        handover = self._handover
        protocol = self._factory.go_on(handover.session, self._gone)
        _attach(protocol, handover, self._reactor)
        protocol.begin(handover.unsent, handover.events, handover.ended)

    def _gone(self, protocol: AgentProtocol) -> None:
        self._ended()
