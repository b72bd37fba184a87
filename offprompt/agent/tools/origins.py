"""Where a request's page can be reached: on this machine, or from everywhere once a tunnel is proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from offprompt import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.defer import Deferred


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a page can be reached.

    `url` is scheme and host (`https://four-words.trycloudflare.com`), `public` whether it leads to this machine from
    everywhere. For a local one `port` is the page's port, `asked_port` the one that was wished for and taken, or 0, and
    `problem` a sentence that says why there is no public one, or "".
    """

    url: str
    public: bool
    port: int = 0
    asked_port: int = 0
    problem: str = ""


class PublicLink(Protocol):
    """A tunnel, as far as this door knows one; see `offprompt.tunnel.tunnel.Tunnel`."""

    def origin(self) -> Deferred[str]:
        """Fire with `https://HOST`, proven within the last ten seconds; fail with TunnelUnavailable leaves."""

    def subscribe(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        """Call `watcher` with `https://HOST` when it has come up, with "" when it is gone. Return what ends that."""


class Origins:
    """Finds the best origin: the tunnel's for a person who is elsewhere, else this machine's."""

    def __init__(self, local: Callable[[], Origin], tunnel: PublicLink) -> None:
        """`local()` returns the page's origin on this machine, its `problem` empty."""
        self._local = local
        self._tunnel = tunnel

    async def reach(self, remote: bool) -> Origin:
        """Return the origin for a person who is elsewhere or here; start and await a tunnel where it helps."""
        local = self._local()
        if not remote:
            return local
        try:
            return Origin(await self._tunnel.origin(), public=True)
        except errors.TunnelUnavailable as unavailable:
            return Origin(local.url, False, local.port, local.asked_port, str(unavailable))

    def subscribe(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        """Call `watcher` with the public origin whenever one is proven. Return what ends that."""
        return self._tunnel.subscribe(lambda origin: watcher(origin) if origin else None)
