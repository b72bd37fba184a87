"""Actors for one attempt in memory: a process, a prover, metrics and an observer that do as a test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from offprompt import errors
from offprompt.children.process import ExitStatus
from offprompt.tunnel.attempt import Attempt
from offprompt.tunnel.causes import Cause
from offprompt.tunnel.limits import Limits
from offprompt.tunnel.proof import Verdict
from tests.tunnel.scripted_cloudflared import HOST

LIMITS = Limits()
"""The service's own: a clock has all the time."""

STAMP = "2026-11-29T12:24:28Z INF "
BANNER = f"{STAMP}|  Your quick Tunnel has been created! Visit it at:  |\n{STAMP}|  https://{HOST}    |\n"
METRICS = f"{STAMP}Starting metrics server on 127.0.0.1:20241/metrics\n"
REGISTERED = f"{STAMP}Registered tunnel connection connIndex=0\n"


class ActedProcess:
    """A child that says what it is told to, and ends when told, or when it is stopped (`deaf`: only when killed)."""

    def __init__(self, heard: Callable[[int, bytes], None]) -> None:
        self._heard = heard
        self.command: list[str] = []
        self.environ: dict[str, str] = {}
        self.folder = ""
        self.deaf = False
        self.signals: list[str] = []
        self.refuses: Exception | None = None
        self._end: ExitStatus | None = None
        self._waiting: list[Deferred[ExitStatus]] = []

    def start(self, command: Sequence[str], environ: Mapping[str, str], folder: str) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.command, self.environ, self.folder = list(command), dict(environ), folder

    @property
    def pid(self) -> int:
        return 0

    def say(self, words: str, descriptor: int = 2) -> None:
        self._heard(descriptor, words.encode())

    def end(self, code: int | None = 0, signal: int | None = None) -> None:
        if self._end is None:
            self._end = ExitStatus(code, signal)
            waiting, self._waiting = self._waiting, []
            for each in waiting:
                each.callback(self._end)

    def when_ended(self) -> Deferred[ExitStatus]:
        waiting: Deferred[ExitStatus] = Deferred()
        if self._end is None:
            self._waiting.append(waiting)
        else:
            waiting.callback(self._end)
        return waiting

    def stop(self) -> Deferred[ExitStatus]:
        self.signals.append("TERM")
        if not self.deaf:
            self.end(None, 15)
        return self.when_ended()

    def kill_now(self) -> None:
        self.signals.append("KILL")
        self.end(None, 9)


class ActedProver:
    """Proves when told: `found` and `succeed` for the first proof, `verdict` for the later ones."""

    def __init__(self) -> None:
        self.addresses: tuple[str, ...] = ()
        self.verdict = Verdict.PROVEN
        self.asked: list[str] = []
        self.later: list[str] = []
        self._proving: Deferred[None] = Deferred()

    def found(self) -> None:
        self.addresses = ("198.51.100.7",)

    def succeed(self) -> None:
        self.found()
        self._proving.callback(None)

    def fail(self, error: Exception) -> None:
        self._proving.errback(error)

    async def prove(self, host: str) -> None:
        self.asked.append(host)
        await self._proving

    async def once(self, host: str) -> Verdict:
        self.later.append(host)
        return self.verdict


class ActedMetrics:
    """`is_ready`, and the name it gives."""

    def __init__(self, port: Callable[[], int]) -> None:
        self._port = port
        self.is_ready = False
        self.name = ""

    @property
    def known(self) -> bool:
        return self._port() != 0

    async def ready(self) -> bool:
        return self.is_ready

    async def host(self) -> str:
        return self.name


class Play:
    """One attempt and its actors, on a clock; `told` is what its observer heard."""

    def __init__(self, clock: Clock | None = None, generation: int = 1, observer: Any = None) -> None:
        self.clock = clock or Clock()
        self.said: list[str] = []
        self.told: list[Any] = []
        self.prover = ActedProver()
        self.process: ActedProcess
        self.metrics: ActedMetrics

        def process(reactor: Any, heard: Callable[[int, bytes], None], **limits: float) -> Any:
            self.process = ActedProcess(heard)
            return self.process

        def metrics(reactor: Any, port: Callable[[], int], seconds: float) -> Any:
            self.metrics = ActedMetrics(port)
            return self.metrics

        self.attempt = Attempt(
            self.clock,
            generation,
            observer or self,
            environ={"PATH": "/bin", "TUNNEL_EDGE": "x"},
            prover=self.prover,  # type: ignore[arg-type]
            say=self.said.append,
            limits=LIMITS,
            process=process,
            metrics=metrics,
        )

    def start(self) -> Play:
        self.attempt.start("/usr/bin/cloudflared", 40123)
        return self

    def go_up(self) -> Play:
        """As a healthy one does."""
        self.process.say(BANNER + METRICS + REGISTERED)
        self.prover.succeed()
        return self

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds * 2)):
            self.clock.advance(0.5)

    # The observer.

    def registered(self, attempt: Attempt) -> None:
        self.told.append("registered")

    def proven(self, attempt: Attempt) -> None:
        self.told.append("proven")

    def over(self, attempt: Attempt, cause: Cause, error: errors.TunnelUnavailable) -> None:
        self.told.append((cause, type(error)))
