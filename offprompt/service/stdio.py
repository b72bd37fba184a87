"""`offprompt mcp` from its first tool call on: the whole service, on the conversation that has begun."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING, cast

from offprompt.agent.wire import descriptors
from offprompt.agent.wire.signals import NUMBERS
from offprompt.agent.wire.stdio import StdioAgent
from offprompt.operate.crashes import leave_no_core
from offprompt.operate.logs import begin_logging
from offprompt.service.collect import compose_from_environment
from offprompt.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.agent.wire.light_loop import Handover
    from offprompt.service.collect import Reactor
    from offprompt.tunnel.network import Network

LEAVE = 0.1
"""Seconds that stopping may take once the conversation is over. With 0.2 s for the last answers it stays within the
0.4 s that hosts wait (docs/protocol.md, P2). A write that it cuts off leaves the old file."""


def prepare(handover: Handover, network: Network | None = None) -> Callable[[], None]:
    """Compose the service for the conversation of `handover`, and return what runs it.

    That serves the conversation until its client is gone, then ends this process with code 0.

    Args:
        handover: what the light loop has.
        network: what a public link reaches beyond this process; None is the real world.
    """
    leave_no_core()
    settings = Settings.read(os.environ)
    # Hosts show stderr when something is wrong.
    begin_logging(Stderr(), level="info" if settings.log else "warn", path=settings.log)
    from twisted.internet import reactor as installed

    reactor = cast("Reactor", installed)
    parts = compose_from_environment(reactor, os.environ, network=network, settings=settings)
    ending = Ending(reactor, parts.tunnel.kill_now)
    StdioAgent(parts.agents, handover, reactor, ending.begin).setServiceParent(parts.root)
    reactor.addSystemEventTrigger("before", "shutdown", parts.root.stopService)
    reactor.callWhenRunning(ending.take_signals)
    reactor.callWhenRunning(parts.root.privilegedStartService)
    reactor.callWhenRunning(parts.root.startService)

    def run() -> None:
        reactor.run()
        os._exit(0)  # while Python tidies up, a second signal would end us with another code

    return run


class Stderr:
    """The log's stream. Hosts may leave our stderr unread: what it has no room for is dropped."""

    def write(self, text: str) -> None:
        """Write the lines of `text`, one at a time."""
        for line in text.splitlines():
            descriptors.say(line)

    def flush(self) -> None:
        """Do nothing: every line is written at once."""


class Ending:
    """Ends the process once, however many reasons come at the same time."""

    def __init__(self, reactor: Reactor, at_once: Callable[[], None]) -> None:
        """Call `at_once` before the service stops: a public link must not outlive its conversation."""
        self._reactor = reactor
        self._at_once = at_once
        self._begun = False

    def take_signals(self) -> None:
        """Let signals end the service in order from now on. The reactor's own handlers would give another exit code."""
        for number in NUMBERS:
            signal.signal(number, lambda number, frame: self._reactor.callFromThread(self.begin))

    def begin(self) -> None:
        """Stop the service, and leave at once when that takes longer than `LEAVE`."""
        if self._begun:
            return
        self._begun = True
        self._at_once()
        hurry = threading.Timer(LEAVE, os._exit, (0,))
        hurry.daemon = True
        hurry.start()
        self._reactor.stop()
