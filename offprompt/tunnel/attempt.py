"""One run of cloudflared, from its start to its end: what it says, how long each phase may take, the proof, its health.

    asking --address printed--> connecting --registered--> checking --proven--> up

Its end is reported once and at once, before the process is gone: from then on no link may be handed out.
"""

from __future__ import annotations

import os
import shutil
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.defer import CancelledError, Deferred, succeed
from twisted.internet.task import deferLater
from twisted.logger import Logger

from offprompt import errors
from offprompt.children.folder import clear_abandoned, make, note_child
from offprompt.children.process import STDERR, ExitStatus, Leashed
from offprompt.tunnel import health, sentences
from offprompt.tunnel.causes import Cause, sentence
from offprompt.tunnel.command import CONFIG, CONFIG_NAME, cloudflared_environment, command_line
from offprompt.tunnel.metrics import Metrics
from offprompt.tunnel.output import HostPrinted, MetricsListening, OutputReader, Registered
from offprompt.tunnel.proof import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping

    from twisted.internet.interfaces import IDelayedCall
    from twisted.python.failure import Failure

    from offprompt.tunnel.limits import Limits
    from offprompt.tunnel.output import Event
    from offprompt.tunnel.proof import Prover

FOLDERS = "offprompt-tunnel-"
"""How the names of the children's folders begin."""

_log = Logger()


class Phase(Enum):
    """How far it has come."""

    ASKING = "asking"
    CONNECTING = "connecting"
    CHECKING = "checking"
    UP = "up"
    OVER = "over"


class AttemptObserver(Protocol):
    """Who is told how an attempt goes."""

    def registered(self, attempt: Attempt) -> None:
        """The page has to answer at the host from now on."""

    def proven(self, attempt: Attempt) -> None:
        """Links may be handed out, for the next `fresh` seconds."""

    def over(self, attempt: Attempt, cause: Cause, error: errors.TunnelUnavailable) -> None:
        """No link may be handed out any more, and the old ones are dead. The process may still be ending."""


class Attempt:
    """One child. `generation` counts them; `host` is "" until Cloudflare has given it a name."""

    def __init__(
        self,
        reactor: Any,
        generation: int,
        observer: AttemptObserver,
        *,
        environ: Mapping[str, str],
        projects: Callable[[], Iterable[str]] = tuple,
        prover: Prover,
        say: Callable[[str], None],
        limits: Limits,
        process: Callable[..., Leashed] = Leashed,
        metrics: Callable[..., Metrics] = Metrics,
    ) -> None:
        self.generation = generation
        self.phase = Phase.ASKING
        self.host = ""
        self.started_at = reactor.seconds()
        self.proven_at = 0.0
        self.passed: list[tuple[Phase, float]] = []
        """The phases that are over and the seconds that each took."""
        self._reactor = reactor
        self._observer = observer
        self._environ = environ
        self._projects = projects
        self._prover = prover
        self._say = say
        self._limits = limits
        self._output = OutputReader(self._log_line)
        self._metrics = metrics(reactor, lambda: self._output.metrics_port, limits.metrics)
        self._process = process(reactor, self._receive, grace=limits.grace, drain=limits.drain)
        self._folder = ""
        self._registered_at = 0.0
        self._timer: IDelayedCall | None = None
        self._running: list[Deferred[None]] = []
        self._refreshing = False

    def start(self, program: str, port: int) -> None:
        """Start `program` with a tunnel to `port` on 127.0.0.1.

        Raises:
            OSError: no process, or no folder for it, can be made.
        """
        clear_abandoned(FOLDERS)
        folder = make(FOLDERS)
        try:
            with open(os.path.join(folder, CONFIG_NAME), "x", encoding="ascii", opener=_private) as config:
                config.write(CONFIG)
            command = command_line(program, folder, port)
            self._process.start(command, cloudflared_environment(self._environ, folder, self._projects()), folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        note_child(folder, self._process.pid)
        self._folder = folder
        self._process.when_ended().addCallback(self._process_ended)
        self._limit_phase(self._limits.asking)
        self._say(sentences.ASKING)
        _log.info("cloudflared {generation} is started", generation=self.generation)

    def stop(self) -> Deferred[None]:
        """End it and tell the observer nothing; fire when the process and its group are gone."""
        self._close()
        return self.when_gone()

    def when_gone(self) -> Deferred[None]:
        """Fire when the process and its group are gone."""
        return self._process.when_ended().addCallback(lambda _: None) if self._folder else succeed(None)

    def kill_now(self) -> None:
        """Kill the process's group, without waiting, and leave nothing of its files."""
        self._process.kill_now()
        shutil.rmtree(self._folder, ignore_errors=True)

    def refresh(self) -> None:
        """Prove again that links work, unless the last proof is fresh. Tell the observer `proven` or `over`."""
        if self._reactor.seconds() - self.proven_at <= self._limits.fresh:
            self._observer.proven(self)
        elif not self._refreshing:
            self._refreshing = True
            self._run(self._prove_again(), then=self._reproven)

    def late(self) -> errors.TunnelUnavailable:
        """Return why the link is not there yet, for callers whose time is over."""
        if self.phase is not Phase.CHECKING:
            cause = self._output.cause()
            return sentence(cause, "") if cause in _LIVED_WITH else errors.NotConnected()
        if self._prover.addresses:
            return errors.NotAnswering()
        return errors.NotVisible(seconds=int(self._limits.invisible))

    # What it hears.

    def _receive(self, descriptor: int, data: bytes) -> None:
        if descriptor == STDERR:
            self._handle(self._output.feed(data))
        else:
            self._output.feed_output(data)

    def _log_line(self, line: str) -> None:
        _log.debug("cloudflared {generation}: {line}", generation=self.generation, line=line)

    def _handle(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case HostPrinted() if self.phase is Phase.ASKING:
                    self._connect(event.host)
                case MetricsListening() if self.phase in (Phase.ASKING, Phase.CONNECTING):
                    self._run(self._poll())
                case Registered() if self.phase is Phase.CONNECTING:
                    self._check()

    async def _poll(self) -> None:
        """Ask cloudflared itself: another release may log the same in other words."""
        while self.phase in (Phase.ASKING, Phase.CONNECTING):
            await deferLater(self._reactor, self._limits.poll_every)
            if self.phase is Phase.ASKING:
                host = await self._metrics.host()
                if host and self.phase is Phase.ASKING:
                    self._connect(host)
            if self.phase is Phase.CONNECTING and await self._metrics.ready() and self.phase is Phase.CONNECTING:
                self._check()

    # How it goes on.

    def _connect(self, host: str) -> None:
        self.host = host
        self._enter(Phase.CONNECTING)
        self._limit_phase(self._limits.connecting)
        self._say(sentences.CONNECTING)

    def _check(self) -> None:
        self._enter(Phase.CHECKING)
        self._registered_at = self._reactor.seconds()
        self._limit_phase(self._limits.checking)
        self._say(sentences.CHECKING)
        self._observer.registered(self)
        self._run(self._prover.prove(self.host), then=self._go_up)

    def _go_up(self) -> None:
        self._enter(Phase.UP)
        self._cancel_timer()
        self._say(sentences.WORKS)
        _log.info("The tunnel is up after {seconds:.1f} s", seconds=self._reactor.seconds() - self.started_at)
        self._run(health.watch(self._reactor, self._ready, self._prove_once, self._limits), then=self._lost)
        self._proven()

    def _enter(self, phase: Phase) -> None:
        before = sum(seconds for _, seconds in self.passed)
        self.passed.append((self.phase, self._reactor.seconds() - self.started_at - before))
        self.phase = phase

    def _proven(self) -> None:
        self.proven_at = self._reactor.seconds()
        self._observer.proven(self)

    def _reproven(self) -> None:
        self._refreshing = False
        self._proven()

    async def _prove_again(self) -> None:
        until = self._reactor.seconds() + self._limits.reproving
        while not await self._prove_once():
            if self._reactor.seconds() + self._limits.pause > until:
                raise errors.TunnelLost()
            await deferLater(self._reactor, self._limits.pause)

    async def _ready(self) -> bool:
        return await (self._metrics.ready() if self._metrics.known else self._prove_once())

    async def _prove_once(self) -> bool:
        return await self._prover.once(self.host) is Verdict.PROVEN

    # How it ends.

    def _lost(self) -> None:
        self._end(Cause.LOST)

    def _phase_timeout(self) -> None:
        self._timer = None
        if self.phase is not Phase.CHECKING:
            cause = self._output.cause()
            self._end(cause if cause in _LIVED_WITH else Cause.STUCK)
            return
        left = self._registered_at + self._limits.invisible - self._reactor.seconds()
        if self._prover.addresses or left <= 0:
            self._end(Cause.STUCK if self._prover.addresses else Cause.INVISIBLE)
        else:  # what stands is not given up for its name alone
            self._limit_phase(left)

    def _process_ended(self, ended: ExitStatus) -> None:
        self._handle(self._output.end())
        shutil.rmtree(self._folder, ignore_errors=True)
        _log.info(
            "cloudflared {generation} has ended: exit code {code}, signal {signal}",
            generation=self.generation,
            code=ended.code,
            signal=ended.signal,
        )
        self._end(self._cause_of(ended))

    def _cause_of(self, ended: ExitStatus) -> Cause:
        if self.phase is Phase.UP:
            return Cause.CRASHED
        cause = self._output.cause()
        if ended.code == 0 and not self.host and cause is Cause.UNKNOWN:
            return Cause.BAD_FLAGS  # its answer to a wrong flag, in words of another release
        return cause

    def _end(self, cause: Cause, error: errors.TunnelUnavailable | None = None) -> None:
        if self.phase is Phase.OVER:
            return
        if self.phase is Phase.UP:
            self._say(sentences.LOST)
        self._close()
        _log.info("The tunnel is given up: {cause}", cause=cause.value)
        self._observer.over(self, cause, error or sentence(cause, self._output.last_words()))

    def _close(self) -> None:
        self.phase = Phase.OVER
        self._cancel_timer()
        running, self._running = self._running, []
        for each in running:
            each.cancel()
        self._process.stop()

    def _run(self, work: Coroutine[Deferred[Any], Any, None], then: Callable[[], None] = lambda: None) -> None:
        """Do `work` until it is done or this attempt is over; when it is done, `then`."""
        running = Deferred.fromCoroutine(work)
        self._running.append(running)

        def done(result: None) -> None:
            if running in self._running:
                self._running.remove(running)
                then()

        def failed(failure: Failure) -> None:
            if running in self._running:
                self._running.remove(running)
            error = failure.value
            if isinstance(error, errors.TunnelUnavailable):
                self._end(Cause.LOST if isinstance(error, errors.TunnelLost) else Cause.FOREIGN, error)
            elif not isinstance(error, CancelledError):
                _log.failure("The tunnel cannot be watched", failure)
                self._end(Cause.LOST)

        running.addCallbacks(done, failed)

    def _limit_phase(self, seconds: float) -> None:
        """End the phase after `seconds`, unless the next one comes first."""
        self._cancel_timer()
        self._timer = self._reactor.callLater(seconds, self._phase_timeout)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_LIVED_WITH = (Cause.UDP_BLOCKED, Cause.TCP_BLOCKED, Cause.REFUSED_BY_EDGE, Cause.NO_DNS_EDGE)
"""Causes with which a child lives on and tries for ever. Other causes mean nothing while it runs."""


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
