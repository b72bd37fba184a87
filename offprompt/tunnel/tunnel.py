"""The public link to this service's page: one Cloudflare quick tunnel, started when it is first asked for.

docs/tunnel.md tells the whole way, with its limits.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from twisted.application.service import Service
from twisted.internet.defer import Deferred, fail

from offprompt import errors
from offprompt.tunnel.nonces import Nonces
from offprompt.tunnel.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from twisted.internet.interfaces import IDelayedCall

    from offprompt.tunnel.attempt import Attempt, Listener
    from offprompt.tunnel.finder import Finder
    from offprompt.tunnel.network import Outside
    from offprompt.tunnel.pinned_release import Asset

START_SECONDS = 20.0
"""From the start of the child until those who wait are told why there is no link yet; it goes on behind that."""


class Tunnel(Service):
    """The tunnel of one service.

    Args:
        reactor: the reactor.
        local_port: the page's port on 127.0.0.1, asked at every start of cloudflared.
        environ: the service's environment; a small part of it goes to the child.
        cache_dir: where a downloaded cloudflared is kept.
        random: so many random bytes.
        progress: called with one short sentence as things go on, during a download too.
        wanted: whether somebody waits for a link, or holds one that may still be used. Then a tunnel that has stopped
            is started again; else the next `origin` starts one.
        outside: the outside world.
        projects: the folders that no program is taken from.
        asset: what is downloaded; None is the pinned release for this computer.
        off: whether the person wishes for no public link.
    """

    def __init__(
        self,
        reactor: Any,
        *,
        local_port: Callable[[], int],
        environ: Mapping[str, str],
        cache_dir: str,
        random: Callable[[int], bytes],
        progress: Callable[[str], None] = lambda words: None,
        wanted: Callable[[], bool] = lambda: False,
        projects: Callable[[], Iterable[str]] = tuple,
        outside: Outside | None = None,
        asset: Asset | None = None,
        off: bool = False,
    ) -> None:
        self._off = off
        self._reactor = reactor
        self._environ = environ
        self._wanted = wanted
        self._progress = progress
        self._cache_dir = cache_dir
        self._projects = projects
        self._outside = outside
        self._asset = asset
        self._finder: Finder | None = None
        self._nonces = Nonces(random)
        self._waiting: list[Deferred[str]] = []
        self._watchers: list[Callable[[str], None]] = []
        self._told = ""
        self._deadline: IDelayedCall | None = None
        self._supervisor = Supervisor(reactor, self, lambda: self.finder, self._attempt, local_port, progress)

    def origin(self) -> Deferred[str]:
        """Fires with `https://HOST`, where this service was reached within the last ten seconds.

        The first caller starts the tunnel, others share it. Fails with a leaf of TunnelUnavailable whose sentence says
        why there is no link and what to do, at the latest START_SECONDS after the child's start (a download comes
        before that, and has its own minute). What was only late goes on, and is told to those who `subscribe`.
        Cancelled, it leaves the others and the tunnel alone.
        """
        if self._off:
            return fail(errors.TunnelOff())
        if sys.platform == "win32":
            return fail(errors.TunnelUnsupported())
        waiter: Deferred[str] = Deferred(self._drop)
        self._waiting.append(waiter)
        try:
            self._supervisor.need()
        except errors.TunnelUnavailable as refusal:
            self._drop(waiter)
            waiter.errback(refusal)
        else:
            self._set_deadline()
        return waiter

    def host(self) -> str:
        """The host of the tunnel while the page has to answer there, proof included; else ""."""
        return self._supervisor.host

    def well_known(self, random: str) -> str | None:
        """What `GET /.well-known/offprompt/<random>` answers, the nonce of a proof under way; None is not found."""
        return self._nonces.answer(random)

    def subscribe(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        """Call `watcher` with `https://HOST` when a tunnel has come up, with "" when its links are dead.

        The answer ends that; calling it twice is fine.
        """
        self._watchers.append(watcher)

        def unsubscribe() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return unsubscribe

    @property
    def finder(self) -> Finder:
        """Where cloudflared is found."""
        if self._finder is None:
            # HTTP and TLS clients are for those who need a tunnel: a link on this machine must not wait for them.
            from offprompt.tunnel.finder import Finder

            environ, cache_dir = self._environ, self._cache_dir
            self._finder = Finder(
                self._reactor, self._world, environ, cache_dir, self._progress, self._asset, self._projects
            )
        return self._finder

    @property
    def state(self) -> str:
        """down, finding, starting, proving, up, resting or stopped."""
        return self._supervisor.state

    @property
    def since(self) -> float:
        """When the state began, in seconds of the reactor's clock."""
        since: float = self._supervisor.since
        return since

    @property
    def steps(self) -> tuple[tuple[str, float], ...]:
        """What the last start of cloudflared has got done, in order, and the seconds that each took.

        "asking" is Cloudflare's answer with a name, "connecting" the connection to its edge, "checking" the first
        request that came back through it; a start that failed has failed at the next of them.
        """
        last = self._supervisor.last
        return () if last is None else tuple((phase.value, seconds) for phase, seconds in last.passed)

    @property
    def last_error(self) -> str:
        """The sentence of the last failure; "" when there was none since the last tunnel that worked."""
        return str(self._supervisor.error or "")

    @property
    def attempts(self) -> int:
        """How often cloudflared was started."""
        return self._supervisor.generation

    def stopService(self) -> Deferred[None]:
        """Fires when cloudflared and all it started are gone, within 4 s; a download under way ends at once."""
        super().stopService()
        return self._supervisor.stop()

    def kill_now(self) -> None:
        """Kill cloudflared's process group without waiting, for a process that ends this very moment; for good."""
        self._supervisor.kill_now()

    # What the supervisor asks and tells.

    def wanted(self) -> bool:
        """Whether somebody waits for a link or holds one."""
        return bool(self._waiting) or self._wanted()

    def under_way(self) -> None:
        """A child runs, or will after a pause."""
        self._set_deadline()

    def proven(self, origin: str) -> None:
        """Links at `origin` work."""
        self._tell(origin)
        for waiter in self._take_waiting():
            waiter.callback(origin)

    def withdrawn(self) -> None:
        """The links handed out are dead."""
        self._tell("")

    def given_up(self, error: errors.TunnelUnavailable) -> None:
        """No link comes by itself."""
        for waiter in self._take_waiting():
            waiter.errback(error)

    @property
    def _world(self) -> Outside:
        from offprompt.tunnel.network import Outside

        return self._outside or Outside()

    def _attempt(self, generation: int, listener: Listener) -> Attempt:
        from offprompt.tunnel.attempt import Attempt
        from offprompt.tunnel.proof import Prover

        return Attempt(
            self._reactor,
            generation,
            listener,
            environ=self._environ,
            projects=self._projects,
            prover=Prover(self._reactor, self._world, self._nonces),
            progress=self._progress,
        )

    def _set_deadline(self) -> None:
        """Begin to count for those who wait, where a child runs or a pause is on and nobody counts yet."""
        if self._deadline is not None or not self._waiting:
            return
        child = self._supervisor.current
        if self.state in ("starting", "proving") and child is not None:
            left = child.started_at + START_SECONDS - self._reactor.seconds()
        elif self.state == "resting":
            left = START_SECONDS
        else:  # the search has limits of its own, and so has a new proof
            return
        if left > 0:
            self._deadline = self._reactor.callLater(left, self._late)
        else:
            self._late()

    def _late(self) -> None:
        child = self._supervisor.current
        error = child.late() if child is not None else self._supervisor.error
        for waiter in self._take_waiting():
            waiter.errback(error or errors.NotConnected())

    def _take_waiting(self) -> list[Deferred[str]]:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None
        taken, self._waiting = self._waiting, []
        return taken

    def _drop(self, waiter: Deferred[str]) -> None:
        if waiter in self._waiting:
            self._waiting.remove(waiter)
        if not self._waiting:
            self._take_waiting()

    def _tell(self, origin: str) -> None:
        if origin == self._told:
            return
        self._told = origin
        for watcher in tuple(self._watchers):
            watcher(origin)
