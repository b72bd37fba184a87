"""The signals by which a host ends this process. Standard library only: this is loaded before everything else."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

    Handler = Callable[[int, FrameType | None], None]

NUMBERS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Claude Code sends SIGINT, then SIGTERM 0.1 s and SIGKILL 0.5 s later, Codex SIGTERM to the whole group, a terminal
SIGHUP; two come within 10 ms. Windows has no SIGHUP, the others no SIGBREAK."""


class Signals:
    """Takes the signals, so that none of them shows a traceback or another exit code than 0.

    Attributes:
        descriptor: becomes readable when a signal comes. It is -1 on Windows, where a signal ends the process at once.
    """

    __slots__ = ("descriptor",)

    def __init__(self) -> None:
        self.descriptor = -1
        if os.name != "posix":
            self._handle(_leave)
            return
        self.descriptor, wakeup = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(wakeup, False)
        self._handle(_note)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)

    def leave_at_once(self) -> None:
        """Let every signal from now on end the process at once; one that came unnoticed ends it here."""
        self._handle(_leave)
        if self.descriptor >= 0:
            os.close(signal.set_wakeup_fd(-1))
            if os.read(self.descriptor, 1):
                os._exit(0)
            os.close(self.descriptor)
            self.descriptor = -1

    def _handle(self, handler: Handler) -> None:
        for number in NUMBERS:
            signal.signal(number, handler)


def _note(number: int, frame: FrameType | None) -> None:
    """Do nothing: the wakeup descriptor has woken whoever waits."""


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(0)
