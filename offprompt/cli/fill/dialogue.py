"""The dialogue in which a person answers a request: it asks for values, seals and sends them, mends what is refused."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol

from offprompt import errors
from offprompt.cli.fill import screen
from offprompt.cli.fill.remarks import expectations, remarks
from offprompt.cli.fill.terminal import EndOfInput, Interrupted, NotTaken, Terminal
from offprompt.encoding import base64url
from offprompt.request.fingerprint import KEY_SIZE, fingerprint
from offprompt.request.seal import pad, seal
from offprompt.request.spec import MAX_PATH
from offprompt.request.submission import MAX_VALUE
from offprompt.text import is_storable, listed, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.cli.fill.client import Reply
    from offprompt.cli.fill.request import AskedRequest, AskedValue

BUSY_TRIES = 5
"""How often a write under way elsewhere is waited for, `BUSY_PAUSE` each time. It takes at most 5 s to get its file."""
BUSY_PAUSE = 2.0
"""Seconds."""
YES = ("yes", "y")
MAX_PAUSE = 60
"""Seconds at most to wait where the service asks for a pause: its limit counts by the minute."""


class Exit(IntEnum):
    """The command's exit status (docs/commands.md)."""

    WRITTEN = 0
    NOT_WRITTEN = 1
    WRONG_LINK = 2
    DECLINED = 3
    CLOSED = 4
    HUNG_UP = 129
    LEFT = 130


class Door(Protocol):
    """The request's page; `offprompt.cli.fill.client.PageClient` says what may be raised."""

    host: str

    def submit(self, nonce: str, sealed: str) -> Reply:
        """Send sealed values."""
        ...

    def decline(self, nonce: str) -> Reply:
        """Say no."""
        ...


@dataclass(frozen=True)
class _Try:
    """The values of one press of the button, and their fingerprint."""

    values: dict[str, str] = field(repr=False)
    fingerprint: tuple[str, ...]


class _Declines(Exception):
    """The person says no to the agent."""


class _Leaves(Exception):
    """The person goes away without an answer."""


@dataclass
class Dialogue:
    """A person's answer to `request`, whose seals go to `public_key`.

    `random(n)` gives n unpredictable bytes, `sleep(seconds)` waits.
    """

    request: AskedRequest
    public_key: bytes
    door: Door
    terminal: Terminal
    random: Callable[[int], bytes]
    sleep: Callable[[float], None]
    _values: dict[str, str] = field(default_factory=dict, repr=False)
    _agreed: bool = False
    _must: set[str] = field(default_factory=set)
    """Names that the service says the file no longer holds."""
    _tries: list[_Try] = field(default_factory=list, repr=False)
    """All that was sent: the answer to a write may be lost."""

    def run(self) -> Exit:
        """Hold the whole dialogue; return how it ended."""
        self.terminal.say(*screen.introduction(self.request, self.terminal.columns))
        try:
            self._ask_for_consent()
            asked = [value for value in self.request.values if not value.generated]
            for number, value in enumerate(asked, 1):
                self._ask_for(value, number, len(asked))
            self.terminal.say(*screen.left_to_the_service(self.request.values), "")
            return self._send_until_done()
        except _Declines:
            return decline(self.request.nonce, self.door, self.terminal.say)
        except (_Leaves, EndOfInput):
            self.terminal.say("", "Left without an answer. Nothing was written; the link stays good for its time.")
            return Exit.LEFT

    # --- asking -------------------------------------------------------------------------------------------------------

    def _ask_for_consent(self) -> None:
        if not self.request.destination.agree:
            return
        self.terminal.say("")
        if self._enter("Write there all the same? Type yes: ", shown=True).strip().lower() not in YES:
            self.terminal.say("Then nothing can be written: ask the agent for another file.")
            raise _Leaves
        self._agreed = True

    def _ask_for(self, asked: AskedValue, number: int, of: int) -> None:
        keep = asked.present and asked.name not in self._must
        expected = expectations(asked)
        self.terminal.say(*screen.question(number, of, asked, self.terminal.columns, keep=keep, expected=expected))
        self._values.pop(asked.name, None)
        while True:
            value = self._enter("     > ", shown=not asked.secret, multiline=asked.multiline)
            if not value and keep:
                self.terminal.say("     Kept as it is.")
                return
            if self._takes(asked, value):
                self._values[asked.name] = value
                if asked.secret:
                    self.terminal.say("     Taken.")
                return

    def _takes(self, asked: AskedValue, value: str) -> bool:
        """Return whether `value` is to be sent; say what stands against it, and ask where that is for the person."""
        problem = _problem(value, asked)
        found = remarks(asked, value)
        stops = (problem,) if problem else found.refused
        self.terminal.say(*(f"     {line}" for line in stops or found.doubts))
        if stops or not found.doubts:
            return not stops
        # Not shown: the better value may be typed here.
        answer = self._enter("     Type yes to use it all the same, or press Enter to type another: ")
        return answer.strip().lower() in YES

    def _enter(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        """Return what the person enters, however often they stop and go on."""
        while True:
            try:
                return self.terminal.ask(prompt, shown=shown, multiline=multiline)
            except NotTaken as refused:
                self.terminal.say(f"     {_NOT_TAKEN[refused.why]}")
            except Interrupted:
                self._stopped()

    def _stopped(self) -> None:
        self.terminal.say(
            "",
            "Stopped. Enter goes on. Ctrl-C again says no: the agent is told that you declined.",
            "Ctrl-D leaves without an answer: the link stays good for its time.",
        )
        try:
            self.terminal.ask("Enter, Ctrl-C or Ctrl-D: ")
        except Interrupted:
            raise _Declines from None
        except EndOfInput:
            raise _Leaves from None
        except NotTaken:
            pass

    # --- sending ------------------------------------------------------------------------------------------------------

    def _send_until_done(self) -> Exit:
        while True:
            self._enter(screen.ready(len(self._values), str(self.request.destination)))
            done = self._send()
            if done is not None:
                return done

    def _send(self) -> Exit | None:
        """Send once; return None where the person has to mend something or to try again."""
        try:
            reply = self._patiently(self._sealed)
        except errors.TooMuch as error:
            self.terminal.say("", str(error))
            self._ask_again({max(self._values, key=lambda name: len(self._values[name].encode()))})
            return None
        except (errors.Unreachable, errors.TooSlowToAnswer) as error:
            self.terminal.say("", str(error), "Whether it was written is not known. Your values are still here.")
            return None
        except KeyboardInterrupt:
            self.terminal.say("", "Stopped while sending: whether it was written is not known. The agent can see it.")
            return Exit.LEFT
        match reply.status:
            case 200:
                return self._written(reply.members)
            case 410:
                return self._closed(reply.members)
            case 422:
                self._mend(reply.members)
                return None
            case 409:
                self.terminal.say("", "The request is being written from somewhere else. Your values are still here.")
                return None
            case 429:
                self.terminal.say("", "There were too many tries. Wait a minute; your values are still here.")
                return None
            case 500:
                sentence = one_line(str(reply.members.get("error", "")), 400) or "The file could not be written."
                self.terminal.say("", sentence, "Nothing was written. Your values are still here.")
                return None
        raise refused(self.door.host, reply)

    def _sealed(self) -> str:
        key = self.random(KEY_SIZE)
        members = {
            "token": self.request.token,
            "nonce": self.request.nonce,
            "values": self._values,
            "allow_tracked": self._agreed,
            "fingerprint_key": base64url(key),
        }
        sealed = seal(self.public_key, pad(json.dumps(members, ensure_ascii=False).encode()))
        self._tries.append(_Try(dict(self._values), fingerprint(key, self._values)))
        self._key = key
        return sealed

    def _patiently(self, make: Callable[[], str]) -> Reply:
        """Send until the answer is neither 409 (somebody else writes) nor 429 (too many tries); return it."""
        tries = 0
        while True:
            tries += 1
            reply = self.door.submit(self.request.nonce, make())
            if reply.status not in (409, 429) or tries == BUSY_TRIES:
                return reply
            if reply.status == 429:
                pause = float(min(max(reply.retry_after, 1), MAX_PAUSE))
                self.terminal.say(f"Too many tries for this link; the next one goes out in {pause:g} s.")
            else:
                pause = BUSY_PAUSE
            self.sleep(pause)

    def _mend(self, members: dict[str, Any]) -> None:
        told = members.get("errors")
        names = {value.name for value in self.request.values if not value.generated}
        lines = {name: _lines(told[name]) for name in told if name in names} if isinstance(told, dict) else {}
        form = _lines(members.get("form"))
        self.terminal.say(*screen.faults(lines, form))
        if not lines:
            self.terminal.say("", "Your values are still here: try again when that is mended. Ctrl-D leaves.")
        self._must |= lines.keys() - self._values.keys()
        self._ask_again(set(lines))

    def _ask_again(self, names: set[str]) -> None:
        again = [value for value in self.request.values if value.name in names]
        for number, value in enumerate(again, 1):
            self._ask_for(value, number, len(again))
        self.terminal.say("")

    def _written(self, members: dict[str, Any]) -> Exit:
        keys = {
            one_line(str(key.get("name")), 128): one_line(str(key.get("outcome")), 20)
            for key in members.get("keys") or ()
            if isinstance(key, dict)
        }
        told = members.get("file")
        place = one_line(told, 2 * MAX_PATH) if isinstance(told, str) else str(self.request.destination)
        self.terminal.say(*screen.outcomes(place, keys, _lines(members.get("notes")), self.terminal.columns), "")
        typed = {name: value for name, value in self._values.items() if keys.get(name) != "kept"}
        return self._compare(tuple(_lines(members.get("fingerprint"))), fingerprint(self._key, typed) if typed else ())

    def _compare(self, theirs: tuple[str, ...], ours: tuple[str, ...]) -> Exit:
        if not ours:
            return Exit.WRITTEN
        self.terminal.say(screen.fingerprint_line(ours))
        if theirs == ours:
            self.terminal.say("The file holds exactly what you typed. The agent sees the same four, and no value.")
            return Exit.WRITTEN
        self.terminal.say(
            f"But the service says {screen.named_emoji(theirs) if theirs else 'none'}.",
            "What it wrote is not what you typed here.",
            f"Look into {self.request.destination} yourself before it is used.",
        )
        return Exit.NOT_WRITTEN

    def _closed(self, members: dict[str, Any]) -> Exit:
        theirs = tuple(_lines(members.get("fingerprint")))
        earlier = next((one for one in self._tries if one.fingerprint and one.fingerprint == theirs), None)
        if members.get("status") != "written" or earlier is None:
            self.terminal.say("", *closed(members), "Your values were not written.")
            return Exit.CLOSED
        self.terminal.say("", f"An earlier try was written to {self.request.destination}; its answer got lost.")
        changed = [
            name
            for name in (value.name for value in self.request.values)
            if earlier.values.get(name) != self._values.get(name)
        ]
        if not changed:
            return self._compare(theirs, theirs)
        self.terminal.say(
            screen.fingerprint_line(theirs),
            f"The file does not hold what you typed last for {listed(changed)}, but what you typed before.",
            "Ask the agent for a new link to write it.",
        )
        return Exit.NOT_WRITTEN


def decline(nonce: str, door: Door, say: Callable[..., None]) -> Exit:
    """Say no to the agent, and `say` the result to the person.

    Raises:
        PageRefused: the service did not take it.
    """
    reply = door.decline(nonce)
    if reply.status == 409:
        say("", "Too late to decline: the request is being written right now.")
        return Exit.NOT_WRITTEN
    if reply.status == 410:
        say("", *closed(reply.members))
        return Exit.CLOSED
    if reply.status != 200:
        raise refused(door.host, reply)
    say("", "Declined. Nothing was written, and the agent is told not to ask again by itself.")
    return Exit.DECLINED


def closed(members: dict[str, Any]) -> tuple[str, ...]:
    """Return what became of a closed request, in words."""
    return (_CLOSED.get(str(members.get("status")), "The request is closed."),)


def refused(host: str, reply: Reply) -> errors.OffpromptError:
    """Return the error for a status that nobody can mend here."""
    sentence = one_line(str(reply.members.get("error", "")), 300) or "it gives no reason."
    return errors.PageRefused(host=host, status=reply.status, sentence=sentence)


_CLOSED = {
    "written": "The request was answered already.",
    "expired": "The request's time is over. Ask the agent for a new link.",
    "cancelled": "The request was cancelled.",
}
_NOT_TAKEN = {
    "lines": "That was more than one line, so none of it was taken. Enter one line.",
    "long": f"That was longer than {MAX_VALUE // 1024} KiB, so none of it was taken.",
}


def _problem(value: str, asked: AskedValue) -> str:
    if not value and asked.secret:
        return "A value is needed here."
    if not is_storable(value):
        return "It holds a character that cannot be stored. Copy it again; the terminal has to send UTF-8."
    if len(value.encode()) > MAX_VALUE:
        return _NOT_TAKEN["long"]
    return ""


def _lines(told: object) -> list[str]:
    return [one_line(line, 300) for line in told[:12] if isinstance(line, str)] if isinstance(told, list) else []
