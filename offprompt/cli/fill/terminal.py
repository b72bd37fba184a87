"""The person's terminal: says lines, asks for values that it does not show."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import unicodedata
from typing import TYPE_CHECKING, Protocol

from offprompt import errors
from offprompt.cli.fill.line_editor import (
    PASTE_OFF,
    PASTE_ON,
    Echo,
    Ended,
    Entered,
    Event,
    LineEditor,
    Refusal,
    Refused,
    Stopped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPE_WAIT = 0.05
"""Seconds in which the rest of an escape sequence follows, also over a slow line; a person's next key takes longer."""


class Interrupted(Exception):
    """The person pressed Ctrl-C."""


class EndOfInput(Exception):
    """The person pressed Ctrl-D with nothing entered, or the terminal is gone."""


class NotTaken(Exception):
    """What was entered cannot be taken: `why` is "lines" (several where one fits) or "long"."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why = why


class Terminal(Protocol):
    """Where a person reads and types."""

    def say(self, *lines: str) -> None:
        """Show lines."""
        ...

    def ask(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        """What the person enters; not `shown` while it is typed unless asked to.

        Raises:
            Interrupted, EndOfInput, NotTaken: nothing was entered.
        """
        ...


@contextlib.contextmanager
def open_terminal() -> Iterator[Terminal]:
    """The terminal of this process, also when its standard input and output are not; restored at the end.

    Raises:
        NoTerminal: there is none.
    """
    try:
        import termios  # not on Windows
    except ImportError:
        if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
            raise errors.NoTerminal() from None
        yield _Console()
        return
    try:
        fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise errors.NoTerminal() from None
    before = termios.tcgetattr(fd)
    hushed = termios.tcgetattr(fd)
    hushed[3] &= ~termios.ECHO
    try:
        with _ended_by(signal.SIGTERM, signal.SIGHUP):
            # Silent from here to the end, also between the questions: what is pasted too far must not be shown.
            termios.tcsetattr(fd, termios.TCSAFLUSH, hushed)
            yield _Tty(fd)
    finally:
        # FLUSH: what is left of a paste must not reach the shell, which would run it.
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)
        os.close(fd)


@contextlib.contextmanager
def _ended_by(*signals: signal.Signals) -> Iterator[None]:
    """Within, these signals end the process the orderly way, so that the terminal is restored."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    before = {each: signal.signal(each, end) for each in signals}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class _Tty:
    """A POSIX terminal."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._encoding = sys.stdout.encoding if sys.stdout else "utf-8"

    def say(self, *lines: str) -> None:
        self._write("".join(f"{line}\n" for line in lines))

    def ask(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        editor = LineEditor(multiline=multiline)
        with self._keys():
            self._write(prompt)
            try:
                while True:
                    for event in self._events(editor):
                        if isinstance(event, Echo):
                            if shown:
                                self._echo(event)
                        elif isinstance(event, Entered):
                            if self._more() and not multiline:
                                raise NotTaken("lines")
                            return event.text
                        elif isinstance(event, Refused):
                            self._more()
                            raise NotTaken(event.why)
                        elif isinstance(event, Stopped):
                            raise Interrupted
                        elif isinstance(event, Ended):
                            raise EndOfInput
            finally:
                self._write("\n")

    @contextlib.contextmanager
    def _keys(self) -> Iterator[None]:
        """Within, every key arrives by itself and as it is: no line mode, no signals, pastes marked."""
        import termios

        before = termios.tcgetattr(self._fd)
        raw = termios.tcgetattr(self._fd)
        raw[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
        raw[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._fd, termios.TCSAFLUSH, raw)
        marks = os.environ.get("TERM", "dumb") != "dumb"
        try:
            self._write(PASTE_ON if marks else "")
            yield
        finally:
            self._write(PASTE_OFF if marks else "")
            termios.tcsetattr(self._fd, termios.TCSAFLUSH, before)

    def _events(self, editor: LineEditor) -> list[Event]:
        events = editor.feed(self._read())
        if editor.undecided and not self._waiting():
            events += editor.settle()
        return events

    def _read(self) -> bytes:
        """Some bytes of what was typed."""
        try:
            raw = os.read(self._fd, 65536)
        except OSError:  # EIO: the terminal was closed
            raw = b""
        if not raw:
            raise EndOfInput
        return raw

    def _waiting(self) -> bool:
        return bool(select.select([self._fd], [], [], ESCAPE_WAIT)[0])

    def _more(self) -> bool:
        """Read away what came behind the end of a value; True when it was more than line ends."""
        more = False
        with contextlib.suppress(EndOfInput):
            while self._waiting():
                more = bool(self._read().strip(b"\r\n")) or more
        return more

    def _echo(self, echo: Echo) -> None:
        cells = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in echo.erased)
        self._write(
            "\b \b" * cells + "".join(letter if letter.isprintable() or letter == "\n" else "·" for letter in echo.text)
        )

    def _write(self, text: str) -> None:
        raw = text.encode(self._encoding, "replace")
        while raw:
            raw = raw[os.write(self._fd, raw) :]


class _Console:
    """A console without termios: Python's own getpass reads what is not shown, line by line."""

    def say(self, *lines: str) -> None:
        for line in lines:
            print(line)

    def ask(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        from getpass import getpass

        read = input if shown else getpass
        try:
            if not multiline:
                return read(prompt)
            print(prompt)
            lines: list[str] = []
            while (line := read("")) != ".":
                lines.append(line)
        except EOFError:
            raise EndOfInput from None
        except KeyboardInterrupt:
            raise Interrupted from None
        return "\n".join(lines)
