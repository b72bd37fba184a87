"""All requests of a service: the open ones, and the closed ones for an hour.

Pure: every call is told the time. `next_due` says when `sweep` has something to do, so that nobody polls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.request.lifetime import MEMORY
from offprompt.request.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.request.order import RequestOrder

MAX_OPEN_IN_SESSION = 8
"""Open requests of one agent: a person keeps track of no more, and an agent in a loop stops here."""
MAX_OPEN = 1000
"""Open requests in all, some 4 KiB each."""
MAX_CLOSED = 4000
"""Closed requests that are remembered at most, each in under 1 KiB; beyond it the oldest is forgotten early."""


class Ledger:
    """The requests of one service."""

    def __init__(self, random: Callable[[int], bytes]) -> None:
        """`random(n)` gives n unpredictable bytes; keys and tokens come from it."""
        self._random = random
        self._by_id: dict[str, Record] = {}
        self._open: dict[str, Record] = {}
        self._closed: dict[str, Record] = {}
        self._observers: tuple[Callable[[], None], ...] = ()

    def on_change(self, observer: Callable[[], None]) -> None:
        """Call `observer` whenever `next_due` may have changed."""
        self._observers += (observer,)

    def open(self, order: RequestOrder, now: float) -> tuple[Record, bool]:
        """Return the request for `order`, and whether it is new.

        An open request of the same session, project and content is returned again: agents and hosts repeat calls. Not
        for a person who turns out to be elsewhere: theirs has another link and more time.

        Raises:
            TooManyOpen: the session, or the service, has too many open requests; its `names` says what they ask for.
        """
        self.sweep(now)
        known = self._like(order, now)
        if known is not None:
            return known, False
        mine = self.open_records(order.session)
        if len(mine) >= MAX_OPEN_IN_SESSION:
            raise errors.TooManyOpen(count=len(mine), names=_named(mine))
        if len(self._open) >= MAX_OPEN:
            raise errors.ServiceFull(count=len(self._open), names=_named(mine))
        record = Record(order, self._random, now)
        self._by_id[record.request_id] = self._open[record.token] = record
        record.subscribe(self._changed)
        self._tell()
        return record, True

    def by_token(self, token: str, now: float) -> Record | None:
        """Return the request with this link token, also when it was closed less than an hour ago."""
        return self._current(self._open.get(token) or self._closed.get(token), now)

    def by_id(self, session: str, request_id: str, now: float) -> Record | None:
        """Return the request that `session` knows by this id; another session's is not found."""
        record = self._current(self._by_id.get(request_id), now)
        return record if record is not None and record.session == session else None

    def open_records(self, session: str | None = None) -> tuple[Record, ...]:
        """Return the open requests of one session, or all, oldest first."""
        return tuple(record for record in self._open.values() if session is None or record.session == session)

    def sweep(self, now: float) -> None:
        """Expire what is past its time and forget what was closed an hour ago."""
        for record in tuple(self._open.values()):
            if record.expires_at <= now:
                record.expire(now)
        for record in tuple(self._closed.values()):
            if len(self._closed) <= MAX_CLOSED and (record.closed_at is None or record.closed_at + MEMORY > now):
                break
            self._forget(record)

    def next_due(self) -> float | None:
        """Return when `sweep` is next of use, None while there is nothing to wait for.

        A request that is being written is not waited for: the end of its write is a change of its own.
        """
        due = [record.expires_at for record in self._open.values() if record.status == "awaiting"]
        due += [record.closed_at + MEMORY for record in self._first_closed() if record.closed_at is not None]
        return min(due, default=None)

    def _like(self, order: RequestOrder, now: float) -> Record | None:
        """The open request that `order` asks for again, if there is one."""
        for record in self._open.values():
            if _content(record.order) == _content(order) and record.expires_at > now:
                return record
        return None

    def _current(self, record: Record | None, now: float) -> Record | None:
        """`record` as it is at `now`, whether or not a sweep has been there yet (look-ups are too frequent for one)."""
        if record is None:
            return None
        if record.open and record.expires_at <= now:
            record.expire(now)
        if record.closed_at is not None and record.closed_at + MEMORY <= now:
            self._forget(record)
            return None
        return record

    def _first_closed(self) -> tuple[Record, ...]:
        return tuple(self._closed.values())[:1]

    def _changed(self, record: Record) -> None:
        if record.closed_at is not None and record.token in self._open:
            del self._open[record.token]
            self._closed[record.token] = record
        self._tell()

    def _tell(self) -> None:
        for observer in self._observers:
            observer()

    def _forget(self, record: Record) -> None:
        del self._closed[record.token], self._by_id[record.request_id]


def _content(order: RequestOrder) -> tuple[object, ...]:
    return (order.session, order.project, order.remote, order.spec)


def _named(records: tuple[Record, ...]) -> str:
    return "; ".join(f"{', '.join(record.spec.names)} ({record.request_id})" for record in records) or "none of yours"
