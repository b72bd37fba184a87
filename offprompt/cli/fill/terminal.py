"""The person's terminal: it says lines and asks for values that it does not show."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
from typing import TYPE_CHECKING, Protocol

from offprompt import errors
from offprompt.cli.cells import cells, laid_out
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
    Unused,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPE_WAIT = 0.05
"""Seconds in which the rest of an escape sequence follows, also over a slow line. A person's next key takes longer."""


BEEP = "\a"
UNUSED = "     {key} does nothing here.\n     Backspace, Ctrl-W and Ctrl-U take back what you typed. Ctrl-C stops."
COLUMNS = 80
"""The width of a terminal that does not tell its own."""


class Interrupted(Exception):
    """The person pressed Ctrl-C."""


class EndOfInput(Exception):
    """The person pressed Ctrl-D with nothing entered."""


class HungUp(Exception):
    """The terminal is gone."""


class NotTaken(Exception):
    """What was entered cannot be taken: `why` is "lines" (several where one fits) or "long"."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why)
        self.why = why


class Terminal(Protocol):
    """Where a person reads and types. Every method may raise HungUp."""

    @property
    def columns(self) -> int:
        """Cells in a line."""
        ...

    def say(self, *lines: str) -> None:
        """Show lines, broken at blanks where the terminal would break them within words."""
        ...

    def ask(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        """Return what the person enters; it is `shown` while they type only where that is asked for.

        Raises:
            Interrupted, EndOfInput, NotTaken: nothing was entered.
        """
        ...


@contextlib.contextmanager
def open_terminal() -> Iterator[Terminal]:
    """Give the terminal of this process, also where standard input and output are none; restore it at the end.

    SIGTERM and SIGHUP end the process meanwhile by SystemExit, with 128 and the signal's number, as shells report them.

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
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(fd, termios.TCSAFLUSH, before)
        os.close(fd)


@contextlib.contextmanager
def _ended_by(*signals: signal.Signals) -> Iterator[None]:
    """Have these signals end the process by SystemExit, so that the terminal is restored."""

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

    @property
    def columns(self) -> int:
        """The width of the terminal's window."""
        try:
            return os.get_terminal_size(self._fd).columns or COLUMNS
        except OSError:
            return COLUMNS

    def say(self, *lines: str) -> None:
        columns = self.columns
        self._write("".join(f"{piece}\n" for line in lines for piece in laid_out(line, columns)))

    def ask(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        editor = LineEditor(multiline=multiline)
        echoed = ""
        told: set[str] = set()
        with self._keys():
            self._write(prompt)
            try:
                while True:
                    events = self._events(editor)
                    if any(isinstance(event, Unused) for event in events):
                        self._write(BEEP)
                    for event in events:
                        if isinstance(event, Echo):
                            if shown:
                                echoed = echoed[: len(echoed) - len(event.erased)] + event.text
                                self._echo(event)
                        elif isinstance(event, Unused):
                            if event.key not in told:  # a key that is held down is told of once
                                told.add(event.key)
                                self._write(f"\n{UNUSED.format(key=event.key)}\n{prompt}")
                                self._echo(Echo(echoed))
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
        """Have every key arrive by itself and as it is: without line mode and signals, with pastes marked."""
        import termios

        try:
            before = termios.tcgetattr(self._fd)
            raw = termios.tcgetattr(self._fd)
            raw[0] &= ~(termios.ICRNL | termios.INLCR | termios.IGNCR | termios.IXON | termios.ISTRIP)
            raw[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
            raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
            termios.tcsetattr(self._fd, termios.TCSAFLUSH, raw)
        except termios.error:  # EIO: the terminal was closed
            raise HungUp from None
        marks = os.environ.get("TERM", "dumb") != "dumb"
        try:
            self._write(PASTE_ON if marks else "")
            yield
        finally:
            try:
                self._write(PASTE_OFF if marks else "")
            finally:
                with contextlib.suppress(termios.error):  # the terminal is gone
                    termios.tcsetattr(self._fd, termios.TCSAFLUSH, before)

    def _events(self, editor: LineEditor) -> list[Event]:
        events = editor.feed(self._read())
        if editor.undecided and not self._waiting():
            events += editor.settle()
        return events

    def _read(self) -> bytes:
        """Return some bytes of what was typed."""
        try:
            raw = os.read(self._fd, 65536)
        except OSError:  # EIO: the terminal was closed
            raw = b""
        if not raw:
            raise HungUp
        return raw

    def _waiting(self) -> bool:
        return bool(select.select([self._fd], [], [], ESCAPE_WAIT)[0])

    def _more(self) -> bool:
        """Drop what came behind the end of a value; return whether it was more than line ends."""
        more = False
        while self._waiting():
            more = bool(self._read().strip(b"\r\n")) or more
        return more

    def _echo(self, echo: Echo) -> None:
        erase = "\b \b" * cells("".join(map(_drawn, echo.erased)))
        self._write(erase + "".join(map(_drawn, echo.text)))

    def _write(self, text: str) -> None:
        raw = text.encode(self._encoding, "replace")
        try:
            while raw:
                raw = raw[os.write(self._fd, raw) :]
        except OSError:
            raise HungUp from None


def _drawn(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\n" else "·"


class _Console:
    """A console without termios, where Python's own getpass reads what is not shown, line by line."""

    @property
    def columns(self) -> int:
        """The width of the console's window."""
        return shutil.get_terminal_size((COLUMNS, 24)).columns

    def say(self, *lines: str) -> None:
        columns = self.columns
        for piece in (piece for line in lines for piece in laid_out(line, columns)):
            print(piece)

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
