"""What the agent's door needs of other rooms, which it does not import: the service hands it over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IReactorTime

    from offprompt.request.ledger import Ledger
    from offprompt.request.ports import WriteRequest
    from offprompt.request.target import TargetState
    from offprompt.sinks.sink import Sink, Target


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


@dataclass(frozen=True, slots=True)
class Services:
    """What a tool call works with.

    Attributes:
        ledger: all requests.
        clock: of the service; the ledger's times are its seconds.
        is_remote: says whether the person's browser is elsewhere, by the environment and the call's `sandbox`.
        here: tells the page's origin on this machine, its `problem` empty.
        tunnel: makes the page reachable from everywhere.
        phase: says in one sentence what goes on behind a call, for its progress; "" while nothing does.
        open_page: hands a link to the person's browser; False when that cannot be done.
        choose_project: chooses the project among the folders that the host names; raises ProjectRefused leaves.
        inspect: fires with what is known of a target; fails with SinkRefused leaves.
        sinks: the kinds of places where values land, by name.
        write: writes generated values.
        problems: a sentence for each setting that cannot be used.
    """

    ledger: Ledger
    clock: IReactorTime
    is_remote: Callable[[bool], bool]
    here: Callable[[], Origin]
    tunnel: PublicLink
    phase: Callable[[], str]
    open_page: Callable[[str], bool]
    choose_project: Callable[[Sequence[str]], str]
    inspect: Callable[[Target], Deferred[TargetState]]
    sinks: Mapping[str, Sink]
    write: WriteRequest
    problems: tuple[str, ...] = ()
