"""Finds a cloudflared to run: the one on PATH, else the pinned release in the cache, else a download of it."""

from __future__ import annotations

import os
import platform
import sys
from typing import TYPE_CHECKING, Any

from twisted.internet.defer import Deferred, TimeoutError, succeed
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger

from offprompt import errors
from offprompt.children.process import STDOUT, Leashed
from offprompt.programs import find_programs
from offprompt.tunnel import sentences
from offprompt.tunnel.cache import kept
from offprompt.tunnel.command import OLDEST, cloudflared_environment, version_in
from offprompt.tunnel.download import download
from offprompt.tunnel.pinned_release import asset_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from offprompt.tunnel.limits import Limits
    from offprompt.tunnel.network import Network
    from offprompt.tunnel.pinned_release import Asset

MAX_VERSION = 4096
"""Characters read of it; a real answer has 60."""

_log = Logger()


class Finder:
    """Finds the program for one service, again at every start: it may have been installed or removed meanwhile."""

    def __init__(
        self,
        reactor: Any,
        network: Network,
        environ: Mapping[str, str],
        cache_dir: str,
        say: Callable[[str], None],
        limits: Limits,
        asset: Asset | None = None,
        projects: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self._reactor = reactor
        self._network = network
        self._environ = environ
        self._cache_dir = cache_dir
        self._say = say
        self._limits = limits
        self._asset = asset or asset_for(sys.platform, platform.machine())
        self._projects = projects
        self._asked: Leashed | None = None

    def find(self) -> Deferred[str]:
        """Fire with the path of a cloudflared that runs; fail with a leaf of TunnelUnavailable. Can be cancelled."""
        return Deferred.fromCoroutine(self._find())

    def when_gone(self) -> Deferred[None]:
        """Fire when the program that was asked for its version is gone."""
        return succeed(None) if self._asked is None else self._asked.when_ended().addCallback(lambda _: None)

    async def installed(self) -> tuple[str, tuple[int, int, int]] | None:
        """Return the path and the version of the first cloudflared on PATH that is new enough, or None."""
        for program in find_programs("cloudflared", self._environ.get("PATH", ""), self._projects()):
            version = await self._version(program)
            if version is not None and version >= OLDEST:
                return program, version
            _log.info(
                "Not used, as it is older than {oldest} or no cloudflared: {program}", oldest=OLDEST, program=program
            )
        return None

    async def cached(self) -> str | None:
        """Return the path of the pinned release in the cache, or None.

        Raises:
            CacheShared: another account can change the cache.
        """
        if self._asset is None:
            return None
        return await deferToThreadPool(self._reactor, self._reactor.getThreadPool(), kept, self._cache_dir, self._asset)

    async def _find(self) -> str:
        self._say(sentences.LOOKING)
        installed = await self.installed()
        if installed is not None:
            return installed[0]
        if self._asset is None:
            raise errors.NoRelease(system=platform.system(), machine=platform.machine())
        cached = await self.cached()
        if cached is not None:
            return cached
        return await download(self._reactor, self._network, self._asset, self._cache_dir, self._say)

    async def _version(self, program: str) -> tuple[int, int, int] | None:
        said: list[str] = []

        def hear(descriptor: int, data: bytes) -> None:
            if descriptor == STDOUT and sum(map(len, said)) < MAX_VERSION:
                said.append(data.decode("utf-8", "replace"))

        process = Leashed(self._reactor, hear, grace=self._limits.grace, drain=self._limits.drain)
        folder = os.path.dirname(program)
        try:
            environ = cloudflared_environment(self._environ, folder, self._projects())
            process.start([program, "--version"], environ, folder)
            self._asked = process
            await process.when_ended().addTimeout(self._limits.version, self._reactor)
        except (OSError, TimeoutError):
            return None
        finally:
            process.kill_now()
        return version_in("".join(said))
