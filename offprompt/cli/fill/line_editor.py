"""Keys in, a value out: what a person types or pastes where it is not shown. Pure.

A terminal's own line mode has three faults here. It cuts lines at 4,095 bytes without a word (Linux, N_TTY). It takes
the second line of a paste for the answer to the next question. What is left of a paste goes to the shell, which runs
it. docs/dependencies.md says why no library does this.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from offprompt.request.submission import MAX_VALUE

PASTE_ON, PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
"""Ask a terminal to mark what is pasted, and end that (xterm's "bracketed paste mode")."""
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_LETTERS = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]+")
"""A Tab is a letter here: a terminal that does not mark pastes sends a pasted one as if it was typed."""
_SEQUENCE = re.compile(r"\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|O[\x20-\x7e])")
_UNFINISHED = re.compile(r"\x1b(?:\[[\x20-\x3f]{0,32}|O)?\Z")

_BLANKS = " \t"
_NAMES = {"\x00": "Ctrl-Space", "\x1b": "Esc"}
_ENDINGS = {"A": "The up arrow", "B": "The down arrow", "C": "The right arrow", "D": "The left arrow"}
_ENDINGS |= {"F": "End", "H": "Home", "4~": "End", "8~": "End", "1~": "Home", "7~": "Home"}
_ENDINGS |= {"2~": "Insert", "3~": "Delete", "5~": "Page Up", "6~": "Page Down"}
"""How the sequences of keys end, in xterm and its kin (ECMA-48 and DEC's VT220)."""

Refusal = Literal["lines", "long"]


@dataclass(frozen=True, slots=True)
class Entered:
    """The value is complete."""

    text: str

    def __repr__(self) -> str:
        return "Entered(…)"


@dataclass(frozen=True, slots=True)
class Echo:
    """Something to show where typing is shown: text to append, or `erased` letters to take back."""

    text: str = ""
    erased: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was entered cannot be taken, and is gone: several lines where one fits, or too long."""

    why: Refusal


@dataclass(frozen=True, slots=True)
class Unused:
    """A key that does nothing here; `key` is its name, such as "Ctrl-K"."""

    key: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Ctrl-D where nothing was entered."""


Event = Entered | Echo | Refused | Unused | Stopped | Ended


class LineEditor:
    """One value that a person enters, `multiline` or not.

    One line ends with Enter. Several lines end with Ctrl-D, or with a line of a single dot. The line end before the dot
    is part of the value where it was pasted, and is not where it was typed.

    Backspace takes back a letter, Ctrl-W a word, Ctrl-U everything. Any other control key or escape sequence gives an
    `Unused`, so that nothing typed disappears unsaid. What is pasted counts as it is.
    """

    def __init__(self, *, multiline: bool = False) -> None:
        self._multiline = multiline
        self._start()

    def _start(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._unread = ""
        self._at = 0
        """How far `_unread` is read: what one read of a terminal gives is cut once, not at each key."""
        self._pasting = False
        self._after_return = False
        self._typed_end = False
        """Whether the last line end was typed."""
        self._clear()

    def __repr__(self) -> str:
        return "LineEditor(…)"

    def feed(self, raw: bytes) -> list[Event]:
        """Return what `raw`, as a terminal sent it, does.

        What stands behind Entered, Refused, Stopped or Ended is dropped.
        """
        self._unread = self._unread[self._at :] + self._decode(raw)
        self._at = 0
        events: list[Event] = []
        while self._at < len(self._unread):
            step = self._step()
            if step is None:
                break
            events.extend(step)
            if step and not isinstance(step[-1], Echo | Unused):
                if isinstance(step[-1], Entered) and not self._multiline and self._unread[self._at :].strip("\r\n"):
                    events[-1] = Refused("lines")
                self._start()
        return events

    @property
    def undecided(self) -> bool:
        """Whether an Esc waits for what may follow it."""
        return self._at < len(self._unread) and not self._pasting

    def settle(self) -> list[Event]:
        """Return what the waiting input does, as nothing more came for a while: the Esc was a key of its own."""
        if not self.undecided:
            return []
        self._at += 1
        return [Unused(_NAMES["\x1b"]), *self.feed(b"")]

    def _step(self) -> list[Event] | None:
        """Read one key or sequence of `_unread`; return None when more is needed to tell what it is."""
        if self._pasting:
            return self._paste()
        if self._unread[self._at] == "\x1b":
            if _UNFINISHED.match(self._unread, self._at):
                return None
            sequence = _SEQUENCE.match(self._unread, self._at)
            self._at = sequence.end() if sequence else self._at + 1
            if sequence and sequence[0] == _PASTE_BEGINS:
                self._pasting, self._after_return = True, False
            if sequence and sequence[0] in (_PASTE_BEGINS, _PASTE_ENDS):
                return []
            return [Unused(_name(sequence[0] if sequence else "\x1b"))]
        letters = _LETTERS.match(self._unread, self._at)
        if letters:
            self._at = letters.end()
            self._after_return = False
            return [Echo("".join(map(self._add, letters[0])))]
        self._at += 1
        return self._key(self._unread[self._at - 1])

    def _paste(self) -> list[Event] | None:
        found = self._unread.find(_PASTE_ENDS, self._at)
        stop = found if found >= 0 else len(self._unread) - self._cut_mark()
        text, self._at = self._unread[self._at : stop], stop + (len(_PASTE_ENDS) if found >= 0 else 0)
        if not text and found < 0:
            return None
        echo: list[Event] = [Echo(self._add_pasted(text))]
        if found < 0:
            return echo
        self._pasting = False
        if self._multiline:
            return echo
        while self._letters and self._letters[-1] == "\n":
            self._take_back()
        return [Refused("lines")] if self._line_ends else echo

    def _cut_mark(self) -> int:
        """Return how many letters at the end of `_unread` may begin the mark of a paste's end."""
        most = min(len(_PASTE_ENDS) - 1, len(self._unread) - self._at)
        return next((n for n in range(most, 0, -1) if self._unread.endswith(_PASTE_ENDS[:n])), 0)

    def _add_pasted(self, text: str) -> str:
        added = ""
        for letter in text:
            if letter == "\n" and self._after_return:
                self._after_return = False
                continue
            self._after_return = letter == "\r"
            added += self._add("\n" if letter == "\r" else letter)
        self._typed_end = False
        return added

    def _key(self, key: str) -> list[Event]:
        if key == "\n" and self._after_return:
            self._after_return = False
            return []
        self._after_return = key == "\r"
        if key in "\r\n":
            return self._enter()
        if key == "\x03":
            return [Stopped()]
        if key == "\x04":
            return self._end()
        if key in "\x7f\x08":
            return [Echo(erased=self._take_back())]
        if key == "\x17":
            return [Echo(erased=self._take_back_word())]
        if key == "\x15":
            erased = "".join(self._letters)
            self._clear()
            return [Echo(erased=erased)]
        return [Unused(_name(key))]

    def _enter(self) -> list[Event]:
        if not self._multiline:
            return [self._result()]
        if self._last_line() == "." and self._letters:
            self._take_back()
            if self._typed_end and self._letters:
                self._take_back()
            return [self._result()]
        self._typed_end = True
        return [Echo(self._add("\n"))]

    def _end(self) -> list[Event]:
        if not self._letters:
            return [Ended()]
        return [self._result() if self._multiline else Unused(_name("\x04"))]

    def _last_line(self) -> str:
        line = ""
        for letter in reversed(self._letters):
            if letter == "\n":
                break
            line = letter + line
            if len(line) > 1:
                break
        return line

    def _result(self) -> Entered | Refused:
        if self._size > MAX_VALUE:
            return Refused("long")
        return Entered("".join(self._letters))

    def _add(self, letter: str) -> str:
        """Keep `letter`, unless the value is too long already: it is counted then, so that nothing is cut unsaid."""
        self._size += len(letter.encode("utf-8", "surrogateescape"))
        if self._size > MAX_VALUE:
            return ""
        self._letters.append(letter)
        self._line_ends += letter == "\n"
        return letter

    def _take_back(self) -> str:
        if not self._letters or self._size > MAX_VALUE:
            return ""
        letter = self._letters.pop()
        self._line_ends -= letter == "\n"
        self._size -= len(letter.encode("utf-8", "surrogateescape"))
        return letter

    def _take_back_word(self) -> str:
        """Take back the blanks at the end and the word before them, on this line; at its beginning, the line end."""
        if self._size > MAX_VALUE:
            return ""
        taken: list[str] = []
        while self._letters and self._letters[-1] in _BLANKS:
            taken.append(self._take_back())
        while self._letters and self._letters[-1] not in f"{_BLANKS}\n":
            taken.append(self._take_back())
        return "".join(reversed(taken)) or self._take_back()

    def _clear(self) -> None:
        self._letters: list[str] = []
        self._line_ends = 0
        self._size = 0


def _name(key: str) -> str:
    """Return what a person calls the control key or escape sequence `key`."""
    if len(key) == 1:
        return _NAMES.get(key) or f"Ctrl-{chr(ord(key) + 64)}"
    ending = key.rpartition("[")[2] if key[-1] == "~" else key[-1]
    return _ENDINGS.get(ending, "That key")
