"""The public link to this service's page: one Cloudflare quick tunnel, started when it is first asked for.

docs/tunnel.md tells the whole way, with its limits.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from twisted.application.service import Service
from twisted.internet.defer import Deferred, fail

from offprompt import errors
from offprompt.tunnel.limits import Limits
from offprompt.tunnel.nonces import Nonces
from offprompt.tunnel.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from offprompt.tunnel.attempt import Attempt, AttemptObserver
    from offprompt.tunnel.finder import Finder
    from offprompt.tunnel.network import Network
    from offprompt.tunnel.pinned_release import Asset


class Tunnel(Service):
    """The tunnel of one service.

    Args:
        reactor: the reactor.
        local_port: the page's port on 127.0.0.1, asked at every start of cloudflared.
        environ: the service's environment; a small part of it goes to the child.
        cache_dir: where a downloaded cloudflared is kept.
        random: returns so many random bytes.
        progress: called with one short sentence as things go on, during a download too.
        wanted: whether somebody holds a link that may still be used, or will ask for one. Then a tunnel that has
            stopped is started again; else the next `origin` starts one.
        projects: the folders that no program is taken from.
        network: what is reached beyond this process; None is the real world.
        asset: what is downloaded; None is the pinned release for this computer.
        limits: how long things may take; None is as long as they should.
        off: whether public links are switched off.
    """

    def __init__(
        self,
        reactor: Any,
        *,
        local_port: Callable[[], int],
        environ: Mapping[str, str],
        cache_dir: str,
        random: Callable[[int], bytes],
        progress: Callable[[str], None] = lambda sentence: None,
        wanted: Callable[[], bool] = lambda: False,
        projects: Callable[[], Iterable[str]] = tuple,
        network: Network | None = None,
        asset: Asset | None = None,
        limits: Limits | None = None,
        off: bool = False,
    ) -> None:
        self._reactor = reactor
        self._environ = environ
        self._progress = progress
        self._cache_dir = cache_dir
        self._projects = projects
        self._network = network
        self._asset = asset
        self._limits = limits or Limits()
        self._off = off
        self._finder: Finder | None = None
        self._nonces = Nonces(random)
        self._supervisor = Supervisor(
            reactor, lambda: self.finder, self._attempt, local_port, progress, wanted, self._limits
        )

    def origin(self) -> Deferred[str]:
        """Fire with `https://HOST`, where this service was reached within the last ten seconds.

        The first caller starts the tunnel, others share it. Fail with a leaf of TunnelUnavailable whose sentence says
        why there is no link and what to do: at once when nothing more is tried in the caller's time, and at the latest
        20 s after the child's start (a download comes before that, and has its own minute). What was only late goes on,
        and is told to those who `subscribe`. Cancelled, it leaves the others and the tunnel alone.
        """
        if self._off:
            return fail(errors.TunnelOff())
        if sys.platform == "win32":
            return fail(errors.TunnelUnsupported())
        return self._supervisor.origin()

    def subscribe(self, observer: Callable[[str], None]) -> Callable[[], None]:
        """Call `observer` with `https://HOST` when a tunnel has come up, with "" when its links are dead.

        Return what ends that; calling it twice is fine.
        """
        return self._supervisor.observers.subscribe(observer)

    def host(self) -> str:
        """Return the host of the tunnel while the page has to answer there, proof included; else ""."""
        return self._supervisor.host

    def well_known(self, random: str) -> str | None:
        """Return the nonce of a proof under way, for `GET /.well-known/offprompt/<random>`; None is not found."""
        return self._nonces.answer(random)

    @property
    def finder(self) -> Finder:
        """Where cloudflared is found."""
        if self._finder is None:
            # HTTP and TLS clients are for those who need a tunnel: a link on this machine must not wait for them.
            from offprompt.tunnel.finder import Finder

            self._finder = Finder(
                self._reactor,
                network=self._world(),
                environ=self._environ,
                cache_dir=self._cache_dir,
                say=self._progress,
                limits=self._limits,
                asset=self._asset,
                projects=self._projects,
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
        """The steps that the last start of cloudflared has done, in order, and the seconds that each took.

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
        """Fire when cloudflared and all it started are gone, within 4 s; a download under way ends at once."""
        super().stopService()
        return self._supervisor.stop()

    def kill_now(self) -> None:
        """Kill cloudflared's process group without waiting, for a process that ends this very moment; for good."""
        self._supervisor.kill_now()

    def _world(self) -> Network:
        from offprompt.tunnel.network import Network

        return self._network or Network()

    def _attempt(self, generation: int, observer: AttemptObserver) -> Attempt:
        from offprompt.tunnel.attempt import Attempt
        from offprompt.tunnel.proof import Prover

        return Attempt(
            self._reactor,
            generation,
            observer,
            environ=self._environ,
            projects=self._projects,
            prover=Prover(self._reactor, self._world(), self._nonces, self._limits),
            say=self._progress,
            limits=self._limits,
        )
