"""From the values of a request to the sink, whichever door they came through.

A page's submission and a request of generated names alone take the same road: judge the values, claim the request's one
write, write in a thread. Values live only as long as the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred, fail, succeed
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger

from offprompt import errors
from offprompt.emptyable_set import EmptyableSet
from offprompt.request.generation import generate
from offprompt.request.outcome import Written
from offprompt.request.submission import Faults, judge
from offprompt.sinks.sink import Change, Target, WriteOrder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twisted.internet.interfaces import IReactorThreads, IReactorTime

    from offprompt.request.order import RequestOrder
    from offprompt.request.record import Record
    from offprompt.request.submission import Submission
    from offprompt.sinks.sink import Sink

_log = Logger()


class RequestWriter:
    """Writes the values of requests, any number of requests at once."""

    def __init__(
        self,
        clock: IReactorTime,
        threads: IReactorThreads,
        random: Callable[[int], bytes],
        sinks: Mapping[str, Sink],
    ) -> None:
        """Requests expire by `clock`. `random(n)` returns n unpredictable bytes. `sinks` are all kinds, by name."""
        self._clock = clock
        self._threads = threads
        self._random = random
        self._sinks = sinks
        self._under_way: EmptyableSet[Record] = EmptyableSet()

    def write(self, record: Record, submission: Submission | None = None) -> Deferred[Written | Faults]:
        """Write what was sent into the request's target, and a new value for each generated name that was not.

        A name that is neither there nor generated is to be kept: the target must hold it when it is written. Without a
        submission (nobody typed anything) the result has no fingerprint, nor when none of its values was written.

        Returns:
            A Deferred that fires with what was written, once the request is `written`, or with the faults for which
            nothing was; no line of them contains a value. Cancelling it cancels nothing. It fails with
            - RequestBusy, RequestClosed: somebody else has, or had, the one write;
            - SinkRefused: the target does not take these values (leaves NotHeld and ValueNotCarried name one of them);
            - SinkFailed: the system refused, or, WriteBroke, a fault of ours.
            In the last two the claim was given back: the request is open unless it was cancelled or expired meanwhile.
        """
        if not record.open:
            return fail(errors.RequestClosed(status=record.status))
        if record.status == "writing":
            return fail(errors.RequestBusy())
        order = record.order
        sink = self._sinks[order.spec.sink.kind]
        changes: dict[str, Change] = {}
        if submission is not None:
            faults = _judged(order, submission, sink, changes)
            if faults:
                return succeed(faults)
        outer: Deferred[Written | Faults] = Deferred()
        record.begin_write()
        self._under_way.add(record)
        work = _Work(order, submission, sink, changes, self._random)
        done = deferToThreadPool(self._threads, self._threads.getThreadPool(), work.carry_out)
        done.addCallback(self._end, record, outer)
        return outer

    def settled(self) -> Deferred[None]:
        """Return a Deferred that fires with None when no write is under way."""
        return self._under_way.when_empty()

    def _end(self, carried: Written | errors.OffpromptError, record: Record, outer: Deferred[Written | Faults]) -> None:
        # A cancelled `outer` has fired already and takes no notice.
        now = self._clock.seconds()
        if isinstance(carried, Written):
            record.finish_write(carried, now)
            outer.callback(carried)
        else:
            if isinstance(carried, errors.WriteBroke):
                _log.error("Writing a request's values broke: {places}", places=carried.details["places"])
            record.fail_write(now)
            outer.errback(carried)
        self._under_way.discard(record)


def _judged(order: RequestOrder, submission: Submission, sink: Sink, changes: dict[str, Change]) -> Faults:
    """Return what the request and the sink have against `submission`, and put what can be written into `changes`."""
    faults = judge(order, submission)
    lines = dict(faults.errors)
    for field in order.fields:
        value = submission.values.get(field.name)
        if value is None or field.name in lines:
            continue
        change = sink.change(field.name, value, generated=field.generate is not None)
        if isinstance(change, Change):
            changes[field.name] = change
        else:
            lines[field.name] = change
    return Faults(lines, faults.form)


class _Work:
    """What is done in the thread; it touches neither the record's state nor the reactor."""

    def __init__(
        self,
        order: RequestOrder,
        submission: Submission | None,
        sink: Sink,
        changes: Mapping[str, Change],
        random: Callable[[int], bytes],
    ) -> None:
        spec, target = order.spec.sink, order.target
        self._sink = sink
        self._fields = order.fields
        self._changes = changes
        self._random = random
        self._target = Target(order.project, spec.kind, spec.path)
        self._lands = target.lands
        self._agreed = submission is not None and submission.allow_tracked
        self._fingerprint_key = None if submission is None else submission.fingerprint_key

    def carry_out(self) -> Written | errors.OffpromptError:
        """Write; an error is answered, not raised, as a traceback would hold the values for as long as it lives."""
        try:
            return self._sink.write(self._order())
        except errors.OffpromptError as error:
            return type(error)(**error.details)
        except BaseException as error:  # what ends a thread would leave the claim taken, and be logged with its words
            return errors.WriteBroke(path=self._target.path, places=errors.places(error))

    def _order(self) -> WriteOrder:
        changes: list[Change] = []
        held: list[str] = []
        for field in self._fields:
            if field.name in self._changes:
                changes.append(self._changes[field.name])
            elif field.generate is None:
                held.append(field.name)
            else:
                made = self._sink.change(field.name, generate(field.generate, self._random), generated=True)
                if not isinstance(made, Change):
                    raise errors.ValueNotCarried(name=field.name)
                changes.append(made)
        return WriteOrder(
            target=self._target,
            names=tuple(field.name for field in self._fields),
            changes=tuple(changes),
            held=tuple(held),
            typed=frozenset(self._changes),
            agreed=self._agreed,
            lands=self._lands,
            fingerprint_key=self._fingerprint_key,
        )
