"""A child process that never outlives us, nor does anything that it starts; its end can be awaited."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred
from twisted.internet.protocol import ProcessProtocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from twisted.internet.interfaces import IDelayedCall, IProcessTransport
    from twisted.python.failure import Failure

GRACE = 3.0
"""Seconds between TERM and KILL: a service stops within 4 (systemd and agents' hosts kill later than that)."""
DRAIN = 0.5
"""Seconds that the pipes of a dead child may stay open: a process that left the group can hold them for ever."""

LEASH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "leash.py")

STDOUT, STDERR = 1, 2


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended: with an exit code, or by a signal (the other is None)."""

    code: int | None
    signal: int | None


class Leashed(ProcessProtocol):
    """A program in a process group of its own; its output goes to `heard(descriptor, data)` as long as it lives.

    It has no input. Its output is always read: a full pipe would stop it, a closed one kill it.
    """

    def __init__(
        self, reactor: Any, heard: Callable[[int, bytes], None], *, grace: float = GRACE, drain: float = DRAIN
    ) -> None:
        """`grace` and `drain` are seconds; see GRACE and DRAIN."""
        self._reactor = reactor
        self._grace = grace
        self._drain = drain
        self._heard = heard
        self._pid = 0
        self._ended: ExitStatus | None = None
        self._waiting: list[Deferred[ExitStatus]] = []
        self._timer: IDelayedCall | None = None

    def start(self, command: Sequence[str], environ: Mapping[str, str], folder: str) -> None:
        """Start `command` (a path and arguments) in `folder` with `environ` and nothing else.

        Call it in the main thread: Linux ties the child to the thread that made it.

        Raises:
            OSError: no process can be made.
        """
        leashed = [sys.executable, "-I", "-S", LEASH, str(os.getpid()), folder, *command]
        # No path here: Twisted would fork this process to change the folder; the leash does that.
        self._reactor.spawnProcess(self, leashed[0], leashed, env=dict(environ), childFDs={0: "w", 1: "r", 2: "r"})

    def when_ended(self) -> Deferred[ExitStatus]:
        """Fire when the process is gone and the rest of its group is killed; never fail."""
        if self._ended is not None and self._pid == 0:
            waiting: Deferred[ExitStatus] = Deferred()
            waiting.callback(self._ended)
            return waiting
        waiting = Deferred(self._waiting.remove)
        self._waiting.append(waiting)
        return waiting

    def stop(self) -> Deferred[ExitStatus]:
        """Ask the group to end, and kill it after the grace; fire as `when_ended` does."""
        if self._running and self._timer is None:
            self._signal(signal.SIGTERM)
            self._timer = self._reactor.callLater(self._grace, self.kill_now)
        return self.when_ended()

    def kill_now(self) -> None:
        """Kill the group, without waiting."""
        if self._running:
            self._timer_off()
            self._signal(signal.SIGKILL)

    @property
    def pid(self) -> int:
        """The number of the process and of its group; 0 before its start and when it is gone."""
        return self._pid

    # What Twisted calls.

    def connectionMade(self) -> None:
        """Note the number of the new process."""
        self._pid = self._child.pid

    def childDataReceived(self, childFD: int, data: bytes) -> None:  # noqa: N803
        """Pass its output on."""
        self._heard(childFD, data)

    def processExited(self, reason: Failure) -> None:
        """Kill the rest of its group, which may hold its pipes, and close them soon."""
        value = reason.value
        self._ended = ExitStatus(getattr(value, "exitCode", None), getattr(value, "signal", None))
        self._timer_off()
        # The number is the group's while anybody is in it, so this cannot reach a stranger.
        self._kill_group()
        self._timer = self._reactor.callLater(self._drain, self._child.loseConnection)

    def processEnded(self, reason: Failure) -> None:
        """Tell those who wait: it has ended, and its pipes are closed."""
        self._timer_off()
        self._pid = 0
        assert self._ended is not None
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            each.callback(self._ended)

    @property
    def _child(self) -> IProcessTransport:
        assert self.transport is not None
        return self.transport

    @property
    def _running(self) -> bool:
        return self._pid != 0 and self._ended is None

    def _signal(self, number: signal.Signals) -> None:
        """Send `number` to the group, or to the child alone in the moment before it has made its group."""
        try:
            os.killpg(self._pid, number)
        except (ProcessLookupError, PermissionError):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, number)

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
            os.killpg(self._pid, signal.SIGKILL)

    def _timer_off(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None
