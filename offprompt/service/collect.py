"""Collecting secrets, composed: the requests, the page, the tunnel and the agents' door."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twisted.application.service import MultiService
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger

from offprompt import errors, whereabouts
from offprompt.agent.tools.services import Origin, Services
from offprompt.agent.wire.protocol import AgentFactory
from offprompt.http.listener import LOOPBACK, WebListener, loopback_endpoints
from offprompt.operate.expiry import Expiry
from offprompt.page.opener import Opener
from offprompt.request.ledger import Ledger
from offprompt.service.progress import Progress
from offprompt.service.sinks import SINKS
from offprompt.settings import Settings
from offprompt.sinks.project import choose_project, narrow_project
from offprompt.sinks.writer import RequestWriter
from offprompt.tunnel.cache import cache_folder
from offprompt.tunnel.tunnel import Tunnel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twisted.internet.interfaces import (
        IReactorCore,
        IReactorTCP,
        IReactorThreads,
        IReactorTime,
        IStreamServerEndpoint,
    )

    from offprompt.request.target import TargetState
    from offprompt.sinks.sink import Sink, Target
    from offprompt.tunnel.network import Network

    class Reactor(IReactorCore, IReactorTime, IReactorThreads, IReactorTCP):
        """What the service asks of a reactor."""


_log = Logger()


@dataclass(frozen=True, slots=True)
class Parts:
    """A composed service: `root` starts and stops everything; the rest is there to be connected."""

    root: MultiService
    ledger: Ledger
    agents: AgentFactory
    page: WebListener
    tunnel: Tunnel
    where: whereabouts.Whereabouts
    opener: Opener
    settings: Settings
    project: Callable[[Sequence[str]], str]


class LocalPage:
    """The page on this machine as the tunnel and agents know it, though its port is known only once it listens."""

    def __init__(self, asked_port: int) -> None:
        """`asked_port` is the port that the page should have, 0 for any."""
        self._asked_port = asked_port
        self.listener: WebListener | None = None

    def port(self) -> int:
        """Return the page's port, 0 while there is none."""
        return self.listener.port if self.listener is not None else 0

    def origin(self) -> Origin:
        """Return the page's origin on this machine."""
        port = self.port()
        taken = self._asked_port if port != self._asked_port else 0
        return Origin(f"http://{LOOPBACK}:{port}", public=False, port=port, asked_port=taken)


def compose(
    reactor: Reactor,
    environ: Mapping[str, str],
    settings: Settings,
    project: Callable[[Sequence[str]], str],
    endpoints: Sequence[IStreamServerEndpoint],
    asked_port: int = 0,
    progress: Callable[[str], None] = lambda words: None,
    network: Network | None = None,
    sinks: Mapping[str, Sink] = SINKS,
) -> Parts:
    """Return the service without its agents.

    Args:
        reactor: runs it.
        environ: this process's environment, of which every part takes what it is entitled to.
        settings: what the person wishes; a setting that cannot be used is logged and told to agents.
        project: chooses the project among the folders that a host names.
        endpoints: where the page may listen; the first that can be had is taken.
        asked_port: the port that `endpoints` try first, 0 for none.
        progress: takes a sentence as a public link is made.
        network: what a public link reaches beyond this process; None is the real world.
        sinks: the kinds of places where values land, by name.
    """
    from offprompt.page.app import page_site  # imports Klein, which installs a reactor

    root = MultiService()
    ledger = Ledger(os.urandom)
    writer = RequestWriter(reactor, reactor, os.urandom, sinks)
    where = whereabouts.read(environ)

    def projects() -> set[str]:
        """Return the folders whose programs are never started: agents write there."""
        named = {record.order.project for record in ledger.open_records()}
        try:
            return named | {project(())}
        except (OSError, errors.OffpromptError):
            return named

    opener = Opener(sys.platform, {**environ, **where.display}, projects, off=not settings.browser)
    for problem in settings.problems:
        _log.warn("{problem}", problem=problem)
    said = Progress(progress)
    here = LocalPage(asked_port)
    tunnel = Tunnel(
        reactor,
        local_port=here.port,
        environ=environ,
        cache_dir=cache_folder(environ, os.path.expanduser("~")),
        random=os.urandom,
        progress=said.say,
        wanted=lambda: any(record.order.remote for record in ledger.open_records()),
        projects=projects,
        network=network,
        off=not settings.tunnel,
    )
    site = page_site(
        ledger=ledger,
        write=writer.write,
        reactor=reactor,
        random=os.urandom,
        tunnel_host=tunnel.host,
        tunnel_nonce=tunnel.well_known,
    )
    page = WebListener("page", endpoints, site, (writer.settled, site.close))  # what is being written is answered first
    here.listener = page

    def inspect_in_thread(target: Target) -> Deferred[TargetState]:
        return deferToThreadPool(reactor, reactor.getThreadPool(), sinks[target.kind].inspect, target)

    agents = AgentFactory(
        Services(
            ledger=ledger,
            clock=reactor,
            is_remote=where.remote,
            here=here.origin,
            tunnel=tunnel,
            phase=lambda: said.phase(tunnel.state),
            open_page=opener.open,
            choose_project=project,
            sinks=sinks,
            inspect=inspect_in_thread,
            write=writer.write,
            problems=settings.problems,
        )
    )
    for part in (page, Expiry(ledger, reactor), tunnel):
        part.setServiceParent(root)
    return Parts(root, ledger, agents, page, tunnel, where, opener, settings, project)


def project_of_session(environ: Mapping[str, str]) -> Callable[[Sequence[str]], str]:
    """Return what chooses the project of an agent that started this process."""
    return lambda roots: choose_project(roots, environ, _working_directory(), os.path.expanduser("~"))


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted since we were started
        return ""


def project_of_service(folder: str) -> Callable[[Sequence[str]], str]:
    """Return what chooses the project of an agent that connected: `folder`, or a workspace within it."""
    return lambda roots: narrow_project(folder, roots, os.path.expanduser("~"))


def compose_from_environment(
    reactor: Reactor,
    environ: Mapping[str, str],
    progress: Callable[[str], None] = lambda words: None,
    network: Network | None = None,
    settings: Settings | None = None,
) -> Parts:
    """Return the service of an agent that started this process; `settings` are read from `environ` when None."""
    settings = settings or Settings.read(environ)
    project, endpoints = project_of_session(environ), loopback_endpoints(reactor, settings.port)
    return compose(reactor, environ, settings, project, endpoints, settings.port, progress, network)
