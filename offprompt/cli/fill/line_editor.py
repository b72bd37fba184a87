"""Keys in, a value out: what a person types or pastes where it is not shown. Pure.

A terminal's own line mode would do but for three things: it cuts lines at 4,095 bytes without a word (Linux, N_TTY), it
takes the second line of a paste for the answer to the next question, and what is left of one goes to the shell.
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
_LETTERS = re.compile(r"[^\x00-\x1f\x7f]+")
_SEQUENCE = re.compile(r"\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|O[\x20-\x7e])")
_UNFINISHED = re.compile(r"\x1b(?:\[[\x20-\x3f]{0,32}|O)?\Z")

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
class Stopped:
    """Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Ctrl-D where nothing was entered."""


Event = Entered | Echo | Refused | Stopped | Ended


class LineEditor:
    """One value being entered, `multiline` or not.

    One line ends with Enter. Several end with a line of a single dot (the line end before it was typed to get there and
    is no part of the value, one that was pasted is), or with Ctrl-D where they stand. Backspace takes back a letter,
    Ctrl-U everything. Other control keys and escape sequences count as nothing; what is pasted counts as it is.
    """

    def __init__(self, *, multiline: bool = False) -> None:
        self._multiline = multiline
        self._start()

    def _start(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._unread = ""
        self._pasting = False
        self._after_return = False
        self._typed_end = False
        """Whether the last line end was typed."""
        self._clear()

    def __repr__(self) -> str:
        return "LineEditor(…)"

    def feed(self, raw: bytes) -> list[Event]:
        """What `raw`, as a terminal sent it, does; behind Entered, Refused, Stopped or Ended the rest is dropped."""
        self._unread += self._decode(raw)
        events: list[Event] = []
        while self._unread:
            step = self._step()
            if step is None:
                break
            events.extend(step)
            if step and not isinstance(step[-1], Echo):
                if isinstance(step[-1], Entered) and not self._multiline and self._unread.strip("\r\n"):
                    events[-1] = Refused("lines")
                self._start()
        return events

    @property
    def undecided(self) -> bool:
        """Whether an Escape waits for what may follow it."""
        return bool(self._unread) and not self._pasting

    def settle(self) -> list[Event]:
        """Nothing more came for a while: an Escape that waits for the rest of a sequence was the key alone."""
        if not self.undecided:
            return []
        self._unread = self._unread[1:]
        return self.feed(b"")

    def _step(self) -> list[Event] | None:
        """Take one key or sequence off `_unread`; None when more is needed to tell what it is."""
        if self._pasting:
            return self._paste()
        if self._unread[0] == "\x1b":
            if _UNFINISHED.match(self._unread):
                return None
            sequence = _SEQUENCE.match(self._unread)
            self._unread = self._unread[sequence.end() if sequence else 1 :]
            if sequence and sequence[0] == _PASTE_BEGINS:
                self._pasting, self._after_return = True, False
            return []
        letters = _LETTERS.match(self._unread)
        if letters:
            self._unread = self._unread[letters.end() :]
            self._after_return = False
            return [Echo("".join(map(self._add, letters[0])))]
        key, self._unread = self._unread[0], self._unread[1:]
        return self._key(key)

    def _paste(self) -> list[Event] | None:
        text, end, rest = self._unread.partition(_PASTE_ENDS)
        if not end:
            # The end mark may be cut: keep back as much as could be its beginning.
            keep = next((n for n in range(len(_PASTE_ENDS) - 1, 0, -1) if text.endswith(_PASTE_ENDS[:n])), 0)
            text, rest = text[: len(text) - keep], text[len(text) - keep :]
            if not text:
                return None
        self._unread = rest
        echo: list[Event] = [Echo(self._add_pasted(text))]
        if not end:
            return echo
        self._pasting = False
        if self._multiline:
            return echo
        while self._letters and self._letters[-1] == "\n":
            self._take_back()
        return [Refused("lines")] if "\n" in self._letters else echo

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
        if key == "\x15":
            erased = "".join(self._letters)
            self._clear()
            return [Echo(erased=erased)]
        return [Echo(self._add(key))] if key == "\t" and self._multiline else []

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
        return [self._result()] if self._multiline else []

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
        return letter

    def _take_back(self) -> str:
        if not self._letters or self._size > MAX_VALUE:
            return ""
        letter = self._letters.pop()
        self._size -= len(letter.encode("utf-8", "surrogateescape"))
        return letter

    def _clear(self) -> None:
        self._letters: list[str] = []
        self._size = 0
