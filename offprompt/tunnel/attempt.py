"""One run of cloudflared, from its start to its end: what it says, how long each phase may take, the proof, its health.

    asking --address printed--> connecting --registered--> checking --proven--> up

Whatever ends it, the end is told once, at once, before the process is gone: no link may be handed out that long.
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
from offprompt.children.process import STDERR, Ended, Leashed
from offprompt.tunnel import health, sentences
from offprompt.tunnel.causes import Cause, sentence
from offprompt.tunnel.command import CONFIG, CONFIG_NAME, cloudflared_environment, command_line
from offprompt.tunnel.metrics import Metrics
from offprompt.tunnel.output import HostPrinted, MetricsListening, Reading, Registered
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
        self._reading = Reading(self._said)
        self._metrics = metrics(reactor, lambda: self._reading.metrics_port, limits.metrics)
        self._process = process(reactor, self._heard, grace=limits.grace, drain=limits.drain)
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
        self._process.ended().addCallback(self._ended)
        self._within(self._limits.asking)
        self._say(sentences.ASKING)
        _log.info("cloudflared {generation} is started", generation=self.generation)

    def stop(self) -> Deferred[None]:
        """End it without a word to the observer; fires when the process and its group are gone."""
        self._close()
        return self.gone()

    def gone(self) -> Deferred[None]:
        """Fires when the process and its group are gone."""
        return self._process.ended().addCallback(lambda _: None) if self._folder else succeed(None)

    def kill_now(self) -> None:
        """Kill the process's group, without waiting, and leave nothing of its files."""
        self._process.kill_now()
        shutil.rmtree(self._folder, ignore_errors=True)

    def refresh(self) -> None:
        """Prove anew that links work, where the last proof is not fresh; tells the observer `proven` or `over`."""
        if self._reactor.seconds() - self.proven_at <= self._limits.fresh:
            self._observer.proven(self)
        elif not self._refreshing:
            self._refreshing = True
            self._run(self._prove_again(), then=self._proven_again)

    def late(self) -> errors.TunnelUnavailable:
        """Why the link is not there yet, for those who cannot wait longer."""
        if self.phase is not Phase.CHECKING:
            cause = self._reading.cause()
            return sentence(cause, "") if cause in _LIVED_WITH else errors.NotConnected()
        return (
            errors.NotAnswering() if self._prover.addresses else errors.NotVisible(seconds=int(self._limits.invisible))
        )

    # What it hears.

    def _heard(self, descriptor: int, data: bytes) -> None:
        if descriptor == STDERR:
            self._events(self._reading.feed(data))
        else:
            self._reading.feed_output(data)

    def _said(self, line: str) -> None:
        _log.debug("cloudflared {generation}: {line}", generation=self.generation, line=line)

    def _events(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case HostPrinted() if self.phase is Phase.ASKING:
                    self._named(event.host)
                case MetricsListening() if self.phase in (Phase.ASKING, Phase.CONNECTING):
                    self._run(self._poll())
                case Registered() if self.phase is Phase.CONNECTING:
                    self._registered()

    async def _poll(self) -> None:
        """Ask cloudflared itself what its log may have said in words that we do not know."""
        while self.phase in (Phase.ASKING, Phase.CONNECTING):
            await deferLater(self._reactor, self._limits.poll_every)
            if self.phase is Phase.ASKING:
                host = await self._metrics.host()
                if host and self.phase is Phase.ASKING:
                    self._named(host)
            if self.phase is Phase.CONNECTING and await self._metrics.ready() and self.phase is Phase.CONNECTING:
                self._registered()

    # How it goes on.

    def _named(self, host: str) -> None:
        self.host = host
        self._pass_on(Phase.CONNECTING)
        self._within(self._limits.connecting)
        self._say(sentences.CONNECTING)

    def _registered(self) -> None:
        self._pass_on(Phase.CHECKING)
        self._registered_at = self._reactor.seconds()
        self._within(self._limits.checking)
        self._say(sentences.CHECKING)
        self._observer.registered(self)
        self._run(self._prover.prove(self.host), then=self._went_up)

    def _went_up(self) -> None:
        self._pass_on(Phase.UP)
        self._timer_off()
        self._say(sentences.WORKS)
        _log.info("The tunnel is up after {seconds:.1f} s", seconds=self._reactor.seconds() - self.started_at)
        self._run(health.watch(self._reactor, self._ready, self._once, self._limits), then=self._lost)
        self._proven()

    def _pass_on(self, phase: Phase) -> None:
        before = sum(seconds for _, seconds in self.passed)
        self.passed.append((self.phase, self._reactor.seconds() - self.started_at - before))
        self.phase = phase

    def _proven(self) -> None:
        self.proven_at = self._reactor.seconds()
        self._observer.proven(self)

    def _proven_again(self) -> None:
        self._refreshing = False
        self._proven()

    async def _prove_again(self) -> None:
        until = self._reactor.seconds() + self._limits.reproving
        while not await self._once():
            if self._reactor.seconds() + self._limits.pause > until:
                raise errors.TunnelLost()
            await deferLater(self._reactor, self._limits.pause)

    async def _ready(self) -> bool:
        return await (self._metrics.ready() if self._metrics.known else self._once())

    async def _once(self) -> bool:
        return await self._prover.once(self.host) is Verdict.PROVEN

    # How it ends.

    def _lost(self) -> None:
        self._over(Cause.LOST)

    def _phase_over(self) -> None:
        self._timer = None
        if self.phase is not Phase.CHECKING:
            cause = self._reading.cause()
            self._over(cause if cause in _LIVED_WITH else Cause.STUCK)
            return
        left = self._registered_at + self._limits.invisible - self._reactor.seconds()
        if self._prover.addresses or left <= 0:
            self._over(Cause.STUCK if self._prover.addresses else Cause.INVISIBLE)
        else:  # what stands is not given up for its name alone
            self._within(left)

    def _ended(self, ended: Ended) -> None:
        self._events(self._reading.end())
        shutil.rmtree(self._folder, ignore_errors=True)
        _log.info(
            "cloudflared {generation} has ended: exit code {code}, signal {signal}",
            generation=self.generation,
            code=ended.code,
            signal=ended.signal,
        )
        self._over(self._cause_of(ended))

    def _cause_of(self, ended: Ended) -> Cause:
        if self.phase is Phase.UP:
            return Cause.CRASHED
        cause = self._reading.cause()
        if ended.code == 0 and not self.host and cause is Cause.UNKNOWN:
            return Cause.BAD_FLAGS  # words that we do not know: exit code 0 is its answer to a wrong flag too
        return cause

    def _over(self, cause: Cause, error: errors.TunnelUnavailable | None = None) -> None:
        if self.phase is Phase.OVER:
            return
        if self.phase is Phase.UP:
            self._say(sentences.LOST)
        self._close()
        _log.info("The tunnel is given up: {cause}", cause=cause.value)
        self._observer.over(self, cause, error or sentence(cause, self._reading.last_words()))

    def _close(self) -> None:
        self.phase = Phase.OVER
        self._timer_off()
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
                self._over(Cause.LOST if isinstance(error, errors.TunnelLost) else Cause.FOREIGN, error)
            elif not isinstance(error, CancelledError):
                _log.failure("The tunnel cannot be looked after", failure)
                self._over(Cause.LOST)

        running.addCallbacks(done, failed)

    def _within(self, seconds: float) -> None:
        """End the phase after `seconds`, unless the next one comes first."""
        self._timer_off()
        self._timer = self._reactor.callLater(seconds, self._phase_over)

    def _timer_off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_LIVED_WITH = (Cause.UDP_BLOCKED, Cause.TCP_BLOCKED, Cause.REFUSED_BY_EDGE, Cause.NO_DNS_EDGE)
"""Causes with which a child lives on and tries for ever; other words in its log tell nothing before it has ended."""


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
