"""From the values of a request to the file, whichever door they came through.

A page's submission and a request of generated names alone take the same road: claim the request's one write, write in a
thread, take the fingerprint of what the file holds then. Values live only as long as the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger

from offprompt import errors
from offprompt.request.fingerprint import fingerprint
from offprompt.request.generation import generate
from offprompt.request.outcome import Outcome, Written
from offprompt.request.submission import Faults, judge
from offprompt.sinks.target import Target
from offprompt.sinks.write import Change, SinkWritten, check, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twisted.internet.interfaces import IReactorThreads, IReactorTime

    from offprompt.request.outcome import KeyOutcome
    from offprompt.request.record import Record
    from offprompt.request.submission import Submission

_log = Logger()


def examine(record: Record, submission: Submission) -> Faults:
    """What stands against writing `submission`, by the request and by the sink; no line contains a value."""
    faults = judge(record, submission)
    kind = record.spec.sink.kind
    lines = {name: check(kind, name, value) for name, value in submission.values.items() if name not in faults.errors}
    asked = {field.name for field in record.fields}
    found = {name: of_sink for name, of_sink in lines.items() if of_sink and name in asked}
    return Faults({**faults.errors, **found}, faults.form)


class Fulfilment:
    """Writes the values of requests, any number of requests at once."""

    def __init__(self, clock: IReactorTime, threads: IReactorThreads, random: Callable[[int], bytes]) -> None:
        """`clock` is the one by which requests expire; `random(n)` gives n unpredictable bytes for generated values."""
        self._clock = clock
        self._threads = threads
        self._random = random
        self._under_way = 0
        self._waiting: list[Deferred[None]] = []

    def write(
        self, record: Record, values: Mapping[str, str], *, allow_tracked: bool, fingerprint_key: bytes | None
    ) -> Deferred[Written]:
        """Write `values` into the request's target, and a new value for each generated name that `values` lacks.

        A name that is neither there nor generated is to be kept: the file must hold it when it is written. Without a
        `fingerprint_key` (nobody typed anything) the result has no fingerprint, nor when none of `values` was written.

        Returns:
            A Deferred that fires with what was written, once the request is `written`. Cancelling it cancels nothing.
            It fails with
            - RequestBusy, RequestClosed: somebody else has, or had, the one write;
            - SinkRefused: the target does not take these values (leaves NotHeld and ValueNotCarried name one of them);
            - SinkFailed: the file system refused, or, WriteBroke, a fault of ours.
            In the last two the claim was given back: the request is open unless it was cancelled or expired meanwhile.
        """
        outer: Deferred[Written] = Deferred()
        try:
            record.begin_write()
        except (errors.RequestBusy, errors.RequestClosed) as error:
            outer.errback(error)
            return outer
        self._under_way += 1
        work = _Work(record, values, allow_tracked, fingerprint_key, self._random)
        done = deferToThreadPool(self._threads, self._threads.getThreadPool(), work.carry_out)
        done.addCallback(self._end, record, outer)
        return outer

    def settled(self) -> Deferred[None]:
        """A Deferred that fires with None when no write is under way."""
        settled: Deferred[None] = Deferred()
        self._waiting.append(settled)
        self._tell()
        return settled

    def _end(self, carried: Written | errors.OffpromptError, record: Record, outer: Deferred[Written]) -> None:
        # A cancelled `outer` has fired already and takes no notice.
        self._under_way -= 1
        now = self._clock.seconds()
        if isinstance(carried, Written):
            record.finish_write(carried, now)
            outer.callback(carried)
        else:
            if isinstance(carried, errors.WriteBroke):
                _log.error("Writing a request's values broke: {places}", places=carried.details["places"])
            record.fail_write(now)
            outer.errback(carried)
        self._tell()

    def _tell(self) -> None:
        if not self._under_way:
            waiting, self._waiting = self._waiting, []
            for settled in waiting:
                settled.callback(None)


class _Work:
    """What is done in the thread; it touches neither the record's state nor the reactor."""

    def __init__(
        self,
        record: Record,
        values: Mapping[str, str],
        allow_tracked: bool,
        fingerprint_key: bytes | None,
        random: Callable[[int], bytes],
    ) -> None:
        sink = record.spec.sink
        self._target = Target(record.order.project, sink.kind, sink.path)
        self._landed = record.target.lands
        self._file = record.target.shown(sink.path)
        self._names = record.spec.names
        self._typed = frozenset(values)
        self._allow_tracked = allow_tracked
        self._fingerprint_key = fingerprint_key
        self._changes: list[Change] = []
        self._held: list[str] = []
        for field in record.fields:
            if field.name in values:
                self._changes.append(Change(field.name, values[field.name], field.generate is not None))
            elif field.generate is not None:
                self._changes.append(Change(field.name, generate(field.generate, random), True))
            else:
                self._held.append(field.name)

    def carry_out(self) -> Written | errors.OffpromptError:
        """Write; an error is answered, not raised, as a traceback would hold the values for as long as it lives."""
        try:
            return self._written(
                write(
                    self._target,
                    self._changes,
                    allow_tracked=self._allow_tracked,
                    held=self._held,
                    landed=self._landed,
                )
            )
        except errors.OffpromptError as error:
            return type(error)(**error.details)
        except BaseException as error:  # what ends a thread would leave the claim taken, and be logged with its words
            return errors.WriteBroke(path=self._target.path, places=errors.places(error))

    def _written(self, sink: SinkWritten) -> Written:
        outcomes = dict(sink.outcomes)
        typed = {name: sink.held[name] for name in self._typed if outcomes[name] != "kept"}
        emoji: tuple[str, ...] = ()
        if typed and self._fingerprint_key is not None:
            emoji = fingerprint(self._fingerprint_key, typed)
        return Written(
            fingerprint=emoji,
            file=self._file,
            outcomes=tuple(Outcome(name, cast("KeyOutcome", outcomes.get(name, "kept"))) for name in self._names),
            file_keys=sink.keys,
            shell_differs=sink.shell_differs,
        )
