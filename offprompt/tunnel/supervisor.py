"""One tunnel for a service: found, started, proven, looked after, started again, ended.

Every child is an attempt with a number. What an older one reports is ignored while a newer one runs; its exit is
still awaited.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.defer import CancelledError, Deferred
from twisted.logger import Logger

from offprompt import errors
from offprompt.emptyable_set import EmptyableSet
from offprompt.observers import Observers
from offprompt.tunnel import sentences
from offprompt.tunnel.backoff import Backoff
from offprompt.tunnel.causes import Cause
from offprompt.tunnel.states import machine
from offprompt.tunnel.waiters import Waiters

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IDelayedCall
    from twisted.python.failure import Failure

    from offprompt.tunnel.attempt import Attempt, AttemptObserver
    from offprompt.tunnel.limits import Limits

_log = Logger()


class ProgramSource(Protocol):
    """Where programs come from."""

    def find(self) -> Deferred[str]:
        """Fire with the path of one that can be run; fail with a leaf of TunnelUnavailable. Can be cancelled."""

    def when_gone(self) -> Deferred[None]:
        """Fire when nothing runs any more that the search has started."""


class Supervisor:
    """One tunnel, and those who wait for its link.

    Args:
        reactor: the reactor.
        programs: where programs come from, made when the first is needed.
        attempt: makes a run of one, by its number and its observer.
        port: the page's port on 127.0.0.1.
        say: called with one short sentence as things go on.
        is_wanted: whether somebody holds a link that may still be used, or will ask for one.
        limits: how long things may take.
    """

    def __init__(
        self,
        reactor: Any,
        programs: Callable[[], ProgramSource],
        attempt: Callable[[int, AttemptObserver], Attempt],
        port: Callable[[], int],
        say: Callable[[str], None],
        is_wanted: Callable[[], bool],
        limits: Limits,
    ) -> None:
        self.current: Attempt | None = None
        self.last: Attempt | None = None
        self.generation = 0
        self.since = reactor.seconds()
        self.error: errors.TunnelUnavailable | None = None
        self.observers: Observers[[str]] = Observers()
        """Told `https://HOST` when a tunnel has come up, "" when its links are dead."""
        self._state = "down"
        self._reactor = reactor
        self._programs = programs
        self._search: ProgramSource | None = None
        self._attempt = attempt
        self._port = port
        self._say = say
        self._is_wanted = is_wanted
        self._limits = limits
        self._backoff = Backoff()
        self._waiters = Waiters(reactor, self._why_late)
        self._announced = ""
        self._finding: Deferred[str] | None = None
        self._rest: IDelayedCall | None = None
        self._leaving: EmptyableSet[Attempt] = EmptyableSet()
        self._news: deque[Callable[[], None]] = deque()
        self._stepping = False
        self._machine = machine(self)

    @property
    def state(self) -> str:
        """The state's name, and since when it holds (`since`)."""
        return self._state

    @state.setter
    def state(self, name: str) -> None:
        self._state = name
        self.since = self._reactor.seconds()
        _log.debug("The tunnel is {state}", state=name)

    @property
    def host(self) -> str:
        """The tunnel's host while the page has to answer there, else ""."""
        return self.current.host if self.current is not None and self.state in ("proving", "up") else ""

    def origin(self) -> Deferred[str]:
        """Fire with `https://HOST`, proven within the last `fresh` seconds; see `Tunnel.origin`."""
        waiter = self._waiters.add()
        try:
            self._need()
        except errors.TunnelUnavailable as refusal:
            self._waiters.drop(waiter)
            waiter.errback(refusal)
        else:
            self._limit_wait()
        return waiter

    def stop(self) -> Deferred[None]:
        """End everything; fire when every child and its group are gone."""
        self._step(self._machine.stop)
        gone = self._leaving.when_empty()
        if self._search is not None:
            search = self._search.when_gone()
            gone.addCallback(lambda _: search)
        return gone

    def kill_now(self) -> None:
        """Kill every child's group, without waiting, and start none again."""
        for attempt in (*self._leaving, *((self.current,) if self.current is not None else ())):
            attempt.kill_now()
        self._step(self._machine.stop)

    # What attempts tell.

    def registered(self, attempt: Attempt) -> None:
        """Let the page answer at its host, if it is the attempt under way."""
        if attempt is self.current:
            self._step(self._machine.registered)

    def proven(self, attempt: Attempt) -> None:
        """Hand out its links, if it is the attempt under way."""
        if attempt is self.current:
            self._step(self._machine.proven)

    def over(self, attempt: Attempt, cause: Cause, error: errors.TunnelUnavailable) -> None:
        """Give it up, if it is the attempt under way, and decide whether and when the next one starts."""
        if attempt is not self.current:
            return
        self._leave(attempt)
        self.error = error
        now = self._reactor.seconds()
        up_for = now - self.since if self.state == "up" else 0.0
        pause = self._backoff.failed(cause, error, now, up_for)
        if pause is not None and self._wanted():
            self._step(partial(self._machine.retry, pause))
        else:
            self._step(self._machine.fail)

    # What the states ask for.

    def look(self) -> None:
        """Find a program, and tell the machine."""
        self._search = self._search or self._programs()
        finding = self._search.find()
        self._finding = finding
        finding.addCallbacks(self._found, self._not_found)

    def launch(self, program: str) -> None:
        """Start the next attempt with `program`."""
        self.generation += 1
        self.current = self.last = self._attempt(self.generation, self)
        self._backoff.started(self._reactor.seconds())
        try:
            self.current.start(program, self._port())
        except Exception as error:
            reason = error.strerror if isinstance(error, OSError) else None
            if reason is None:
                _log.failure("cloudflared cannot be started")
            refused = errors.CannotRun(reason=reason or "it could not be started")
            # Not at once: the machine is on its way into this state.
            self._rest = self._reactor.callLater(0, self.over, self.current, Cause.CANNOT_RUN, refused)
            return
        self._news.append(self._limit_wait)

    def rest(self, seconds: float) -> None:
        """Start again after `seconds`, if somebody wants it then."""
        self._say(sentences.AGAIN.format(seconds=round(seconds)) if seconds else sentences.AGAIN_NOW)
        self._rest = self._reactor.callLater(seconds, self._rested)
        self._news.append(self._limit_wait)

    def hand_out(self) -> None:
        """Tell that links work."""
        self.error = None
        self._news.append(partial(self._announce, f"https://{self.host}"))

    def withdraw(self) -> None:
        """Tell that links are dead, where some were handed out."""
        self._news.append(partial(self._announce, ""))

    def give_up(self) -> None:
        """Tell those who wait."""
        error = errors.TunnelStopped() if self.state == "stopped" else self.error or errors.TunnelUnavailable()
        self._news.append(partial(self._waiters.refuse, error))

    def close(self) -> None:
        """End the search, the pause and the child."""
        if self._finding is not None:
            self._finding.cancel()
        if self._rest is not None and self._rest.active():
            self._rest.cancel()
        if self.current is not None:
            attempt = self.current
            self._leave(attempt)
            attempt.stop()

    def _need(self) -> None:
        """Prove a tunnel that is up anew, else start one where none is under way.

        Raises:
            TunnelUnavailable: a start would be wrong now.
        """
        if self.state == "stopped":
            raise errors.TunnelStopped()
        if self.state == "up" and self.current is not None:
            self.current.refresh()
            return
        if self.state in ("down", "resting"):
            refusal = self._backoff.refusal(self._reactor.seconds())
            if refusal is not None:
                raise refusal
        if self.state == "down":
            self._backoff.asked_anew()
        self._step(self._machine.need)

    def _wanted(self) -> bool:
        return bool(self._waiters) or self._is_wanted()

    def _limit_wait(self) -> None:
        """Set the deadline of those who wait, where a child runs or a pause is on.

        A pause that outlasts it ends the wait at once: nothing more is tried in their time. The search has limits of
        its own, and so has a new proof.
        """
        limit = self._limits.answer
        if self.state in ("starting", "proving") and self.current is not None:
            self._waiters.wait_until(self.current.started_at + limit)
        elif self.state == "resting" and self._rest is not None:
            deadline = self._waiters.deadline or self._reactor.seconds() + limit
            if self._rest.getTime() >= deadline:
                self._waiters.refuse(self._why_late())
            else:
                self._waiters.wait_until(deadline)

    def _why_late(self) -> errors.TunnelUnavailable:
        error = self.error if self.current is None else self.current.late()
        return error or errors.NotConnected()

    def _announce(self, origin: str) -> None:
        if origin != self._announced:
            self._announced = origin
            self.observers.tell(origin)
        if origin:
            self._waiters.answer(origin)

    def _step(self, step: Callable[[], None]) -> None:
        """Take a step of the machine, and tell the news when it is done.

        Not before: whoever hears them may ask or stop at once, and the machine takes one step at a time.
        """
        outermost, self._stepping = not self._stepping, True
        try:
            step()
        finally:
            self._stepping = not outermost
        while outermost and self._news:
            self._news.popleft()()

    def _leave(self, attempt: Attempt) -> None:
        """`attempt` is not the one under way any more, but may still be ending."""
        self.current = None
        self._leaving.add(attempt)
        attempt.when_gone().addCallback(lambda _: self._leaving.discard(attempt))

    def _found(self, program: str) -> None:
        self._finding = None
        if self.state == "finding":
            self._step(partial(self._machine.found, program))

    def _not_found(self, failure: Failure) -> None:
        self._finding = None
        if self.state != "finding":
            return
        if isinstance(failure.value, errors.TunnelUnavailable):
            self.error = failure.value
        elif not failure.check(CancelledError):
            _log.failure("cloudflared cannot be looked for", failure)
        self._step(self._machine.fail)

    def _rested(self) -> None:
        if self._wanted():
            self._step(self._machine.rested)
        else:
            self._step(self._machine.fail)
