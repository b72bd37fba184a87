"""`offprompt mcp` before the first tool call: the standard library alone, a few MiB, asleep while nothing is asked.

Most sessions never need a secret, and a desktop application may start dozens of copies of us. So nothing is opened,
bound, spawned or written here but the answers on the wire; whoever serves the first call gets everything as a
`Handover` and goes on in the same process, on the same descriptors.
"""

from __future__ import annotations

import os
import select
from time import monotonic

from offprompt.agent import timeouts
from offprompt.agent.mcp.events import Remark, Send
from offprompt.agent.wire import descriptors
from offprompt.agent.wire.signals import Signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from offprompt.agent.mcp.events import News
    from offprompt.agent.mcp.session import Session

CHUNK = 16 * 1024
"""Bytes of one read. It bounds what one turn can be asked for: 300 times tools/list, 2 MiB of answers."""

PIECE = descriptors.PIPE_BUF
"""Bytes of one write: as much as a descriptor that is ready takes without blocking. The wire is not made non-blocking,
since others may share it: a terminal, a log."""


class Handover:
    """Everything that the light loop has at the first tool call.

    Attributes:
        session: goes on as it is, with the bytes of an unfinished line in it.
        events: what is still to be handled, in order: `CallStarted`, and what came right behind it. There is no `Send`:
            those are written, or in `unsent`.
        reading, writing: the private descriptors of the wire, inherited by no child, in blocking mode.
        unsent: bytes to be written before anything else.
        ended: the client has closed its side: nothing more will be read.

    Until other handlers are installed, a signal ends the process at once, with code 0: nothing is open yet.
    """

    __slots__ = ("ended", "events", "reading", "session", "unsent", "writing")

    def __init__(
        self, session: Session, events: list[News], reading: int, writing: int, unsent: bytes, ended: bool
    ) -> None:
        self.session = session
        self.events = events
        self.reading = reading
        self.writing = writing
        self.unsent = unsent
        self.ended = ended


class Wire:
    """The two descriptors, and the bytes that wait to be written."""

    __slots__ = ("ended", "full", "gone", "reading", "unsent", "writing")

    def __init__(self, reading: int, writing: int) -> None:
        self.reading = reading
        self.writing = writing
        self.ended = False
        """Nothing more will come."""
        self.gone = False
        """Nobody will read any more."""
        self.full = False
        """The client has left more unread than we keep."""
        self.unsent = bytearray()

    def put(self, data: bytes) -> None:
        """Queue bytes, all of them or none: half a message is worse than none."""
        self.full = self.full or len(self.unsent) + len(data) > descriptors.MAX_UNSENT
        if not self.full:
            self.unsent += data

    def read(self) -> bytes:
        """Return the bytes that are there, at least one; b"" at the end."""
        try:
            data = os.read(self.reading, CHUNK)
        except OSError:  # the other side of a socket or terminal is gone
            data = b""
        self.ended = not data
        return data

    def write(self) -> None:
        """Write some of the bytes that wait; note when nobody reads any more."""
        try:
            del self.unsent[: os.write(self.writing, self.unsent[:PIECE])]
        except OSError:
            self.gone = True

    def flush(self, seconds: float) -> None:
        """Write the bytes that wait, for at most so many seconds."""
        end = monotonic() + seconds
        ready = select.poll()
        ready.register(self.writing, select.POLLOUT)
        while self.unsent and not self.gone and ready.poll(max(0.0, end - monotonic()) * 1000):
            self.write()


def run() -> Handover | None:
    """Serve the client on stdin and stdout until it calls a tool.

    Return None when the conversation is over: then exit, at once. Everything that the client was owed is written by
    then, as far as it reads.
    """
    taken = descriptors.take_wire()
    if taken is None:
        return None
    wire, signals = Wire(*taken), Signals()
    from offprompt.agent.mcp.session import Session  # the larger part of what is imported: signals are in hand by now

    session = Session()
    events = _until_a_call(wire, session, signals)
    if not events:
        _end(wire, session)
        return None
    if descriptors.CAN_POLL:
        wire.flush(0)  # loading what serves the call takes a while; what is due already need not wait for it
    signals.leave_at_once()
    return Handover(session, events, wire.reading, wire.writing, bytes(wire.unsent), wire.ended)


def refuse(handover: Handover, sentence: str) -> None:
    """Serve the client to its end as `run` does, but refuse every call with `sentence`: nothing can serve one."""
    from offprompt.agent.mcp.events import CallStarted
    from offprompt.agent.mcp.results import refusal

    session, signals = handover.session, Signals()
    wire = Wire(handover.reading, handover.writing)
    wire.ended = handover.ended
    wire.put(handover.unsent)
    events = handover.events
    while events:
        for event in events:
            if isinstance(event, CallStarted):
                wire.put(session.answer(event.call, refusal(sentence)))
        events = _until_a_call(wire, session, signals)
    _end(wire, session)


def _end(wire: Wire, session: Session) -> None:
    wire.put(session.close())
    if descriptors.CAN_POLL:
        wire.flush(timeouts.LAST_WORDS)


def _until_a_call(wire: Wire, session: Session, signals: Signals) -> list[News]:
    """Serve until events come that the session does not answer itself, and return them.

    Return [] at the end of input, at a signal, and when nobody reads.
    """
    if not descriptors.CAN_POLL:
        return _until_a_call_blocking(wire, session)
    waiting = select.poll()
    waiting.register(signals.descriptor, select.POLLIN)
    waiting.register(wire.reading, select.POLLIN)
    waiting.register(wire.writing, 0)  # tells when the other side is closed
    while not wire.ended and not wire.gone:
        waiting.modify(wire.writing, select.POLLOUT if wire.unsent else 0)
        ready = dict(waiting.poll())
        if signals.descriptor in ready or ready.get(wire.writing, 0) & (select.POLLERR | select.POLLHUP):
            break
        if ready.get(wire.writing, 0) & select.POLLOUT:
            wire.write()
        events = _read_once(wire, session) if wire.reading in ready else []
        if wire.full:
            descriptors.remark("The client does not read what it asked for. Stopping.")
            break
        if events:
            return events
    return []


def _until_a_call_blocking(wire: Wire, session: Session) -> list[News]:
    """Do the same where there is no poll: a client that does not read is not read from."""
    while not wire.ended and not wire.gone:
        events = _read_once(wire, session)
        while wire.unsent and not wire.gone:
            wire.write()
        if events:
            return events
    return []


def _read_once(wire: Wire, session: Session) -> list[News]:
    """Queue the answers to what one read brings, say the remarks, and return the other events."""
    data = wire.read()
    news: list[News] = []
    for event in session.receive(data) if data else session.receive_end():
        if isinstance(event, Send):
            wire.put(event.data)
        elif isinstance(event, Remark):
            descriptors.remark(event.text)
        else:
            news.append(event)
    return news
