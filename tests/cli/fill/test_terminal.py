"""The terminal by itself, on a pseudo terminal in this process; tests of `fill` show it with a process of its own."""

from __future__ import annotations

import builtins
import contextlib
import getpass
import io
import os
import pty
import select
import termios
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from offprompt import errors
from offprompt.cli.fill import terminal
from offprompt.cli.fill.terminal import BEEP, EndOfInput, HungUp, Interrupted, NotTaken, Terminal, open_terminal


class Keyboard:
    """The other side of a pseudo terminal."""

    def __init__(self) -> None:
        self.fd, self.tty = pty.openpty()
        self.shown = b""

    def press_at(self, *steps: tuple[bytes, bytes]) -> threading.Thread:
        """Press the keys of each step once its text is shown behind that of the step before, from a thread."""
        self.shown = b""

        def press() -> None:
            at = 0
            for text, keys in steps:
                while text not in self.shown[at:]:
                    self.shown += os.read(self.fd, 4096)
                at = self.shown.index(text, at) + len(text)
                os.write(self.fd, keys)

        thread = threading.Thread(target=press, daemon=True)
        thread.start()
        return thread

    def rest(self) -> str:
        """Everything that was shown so far; a word of ours behind it says when that is all."""
        os.write(self.tty, b"<all>")
        while not self.shown.endswith(b"<all>"):
            self.shown += os.read(self.fd, 4096)
        self.shown = self.shown.removesuffix(b"<all>")
        return self.shown.decode()


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Keyboard]:
    keyboard = Keyboard()
    real = os.open
    path = os.ttyname(keyboard.tty)
    monkeypatch.setattr(os, "open", lambda file, *rest: real(path if file == "/dev/tty" else file, *rest))
    monkeypatch.setenv("TERM", "xterm")
    yield keyboard
    os.close(keyboard.fd)
    os.close(keyboard.tty)


def ask(keyboard: Keyboard, keys: bytes, **how: bool) -> str:
    with open_terminal() as opened:
        pressing = keyboard.press_at((b"> ", keys))
        try:
            return opened.ask("> ", **how)
        finally:
            pressing.join(5)


def test_what_is_hidden_is_not_shown_and_what_is_shown_is(keyboard: Keyboard) -> None:
    assert ask(keyboard, b"made-up\r") == "made-up"
    assert "made-up" not in keyboard.rest()
    assert ask(keyboard, "aé😀\x7f\x7f\x1bb\r".encode(), shown=True) == "ab"
    shown = keyboard.rest()
    assert "aé😀" in shown
    assert "\b \b\b \b\b \b" in shown, "an emoji takes two cells back"


@pytest.mark.parametrize(
    ("keys", "raised"),
    [(b"\x03", Interrupted), (b"abc\x03", Interrupted), (b"\x04", EndOfInput), (b"a\rb\r", NotTaken)],
)
def test_what_is_no_value_is_raised(keyboard: Keyboard, keys: bytes, raised: type[Exception]) -> None:
    with pytest.raises(raised):
        ask(keyboard, keys)


def test_a_lone_escape_key_takes_no_letter_with_it(keyboard: Keyboard) -> None:
    with open_terminal() as opened:
        pressing = keyboard.press_at((b"> ", b"a\x1b"), (b"Esc does nothing here.", b"b\r"))
        assert opened.ask("> ") == "ab"
        pressing.join(5)


def test_a_key_that_does_nothing_beeps_and_is_told_once_and_the_question_stands_again(keyboard: Keyboard) -> None:
    assert ask(keyboard, b"made\x0b\x0b-up\r") == "made-up"
    shown = keyboard.rest().replace("\r\n", "\n")
    assert shown.count(BEEP) in (1, 2), "once for what comes at once"
    assert shown.count("Ctrl-K does nothing here.") == 1
    assert shown.count("> ") == 2
    assert "made" not in shown
    assert "up" not in shown.rpartition("> ")[2]


def test_what_is_shown_while_typed_is_shown_again_behind_the_word(keyboard: Keyboard) -> None:
    assert ask(keyboard, b"abc\x7f\x1b[Dd\r", shown=True) == "abd"
    assert "The left arrow does nothing here." in keyboard.rest()
    assert "> abd" in keyboard.rest()


def test_a_terminal_that_goes_away_is_told_apart_from_ctrl_d(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed while a question stands: reading, writing and restoring all fail then."""
    ours, tty = pty.openpty()
    real = os.open
    path = os.ttyname(tty)
    monkeypatch.setattr(os, "open", lambda file, *rest: real(path if file == "/dev/tty" else file, *rest))
    os.close(tty)
    with open_terminal() as opened:
        os.close(ours)
        with pytest.raises(HungUp):
            opened.ask("> ")
        with pytest.raises(HungUp):
            opened.say("x")


def test_a_terminal_tells_how_wide_it_is(keyboard: Keyboard) -> None:
    termios.tcsetwinsize(keyboard.tty, (24, 61))
    with open_terminal() as opened:
        assert opened.columns == 61
        termios.tcsetwinsize(keyboard.tty, (0, 0))
        assert opened.columns == terminal.COLUMNS


@pytest.mark.parametrize("keys", [b"made-up\r", b"\x03", b"\x04"])
def test_the_terminal_is_as_before_whatever_happened(keyboard: Keyboard, keys: bytes) -> None:
    before = termios.tcgetattr(keyboard.tty)
    with contextlib.suppress(Interrupted, EndOfInput):
        ask(keyboard, keys)
    assert termios.tcgetattr(keyboard.tty) == before


def test_between_questions_nothing_typed_is_shown_or_kept(keyboard: Keyboard) -> None:
    with open_terminal() as opened:
        os.write(keyboard.fd, b"typed too early\r")
        select.select([keyboard.tty], [], [])  # it has arrived
        pressing = keyboard.press_at((b"> ", b"right\r"))
        assert opened.ask("> ") == "right"
        pressing.join(5)
    assert "early" not in keyboard.rest()


def test_a_terminal_that_cannot_mark_pastes_is_not_asked_to(
    keyboard: Keyboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert ask(keyboard, b"a\r") == "a"
    assert "\x1b" not in keyboard.rest()


def test_what_a_terminal_cannot_write_is_replaced(keyboard: Keyboard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    with open_terminal() as opened:
        opened.say("Fingerprint 🍋 (lemon)")
    assert "Fingerprint ? (lemon)" in keyboard.rest()


def test_without_a_terminal_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> int:
        raise OSError(6, "No such device or address")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(errors.NoTerminal, match="terminal window"), open_terminal():
        pass


# --- where there is no termios ----------------------------------------------------------------------------------------


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Terminal]:
    """A console whose typed lines are given; an exception is raised in place of a line."""

    def of(*lines: str | type[BaseException]) -> Terminal:
        left = list(lines)

        def read(prompt: str = "") -> str:
            line = left.pop(0)
            if isinstance(line, str):
                return line
            raise line

        monkeypatch.setattr(getpass, "getpass", read)
        monkeypatch.setattr(builtins, "input", read)
        return terminal._Console()

    return of


def test_a_console_reads_one_line_or_several(console: Callable[..., Terminal]) -> None:
    assert console("made up").ask("> ") == "made up"
    assert console("3").ask("> ", shown=True) == "3"
    assert console("a", "", "b", ".").ask("> ", multiline=True) == "a\n\nb"


def test_a_console_tells_of_ctrl_c_and_of_its_end(console: Callable[..., Terminal]) -> None:
    with pytest.raises(Interrupted):
        console(KeyboardInterrupt).ask("> ")
    with pytest.raises(EndOfInput):
        console("a", EOFError).ask("> ", multiline=True)


def test_a_console_says_lines(console: Callable[..., Terminal], capsys: pytest.CaptureFixture[str]) -> None:
    console().say("a", "b")
    console().say()
    assert capsys.readouterr().out == "a\nb\n"


def test_where_there_is_no_termios_a_console_is_opened_or_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without_termios(name: str, *rest: Any) -> Any:
        if name == "termios":
            raise ImportError(name)
        return real(name, *rest)

    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(builtins, "__import__", without_termios)
    monkeypatch.setattr("sys.stdin", Tty())
    monkeypatch.setattr("sys.stdout", Tty())
    with open_terminal() as opened:
        assert isinstance(opened, terminal._Console)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(errors.NoTerminal), open_terminal():
        pass
