"""The service: the only place where the rooms meet.

`makeService` composes it for `twistd offprompt` from options; `compose` for everybody else, from the environment.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from twisted.application.service import MultiService
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger
from twisted.python.usage import Options as UsageOptions
from twisted.python.usage import UsageError

from offprompt import whereabouts
from offprompt.agent.origins import Origin, Origins
from offprompt.agent.protocol import AgentFactory
from offprompt.agent.stdio import StdioAgent, fresh_handover
from offprompt.agent.surroundings import Surroundings
from offprompt.operate.crashes import leave_no_core
from offprompt.operate.expiry import Expiry
from offprompt.page.listener import PageListener, described_endpoint, loopback_endpoints
from offprompt.page.opener import Opener
from offprompt.request.ledger import Ledger
from offprompt.sinks.fulfil import Fulfilment
from offprompt.sinks.project import choose_project, narrow_project
from offprompt.sinks.target import inspect
from offprompt.tunnel.folder import cache_folder
from offprompt.tunnel.tunnel import Tunnel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twisted.application.service import IService
    from twisted.internet.interfaces import (
        IReactorCore,
        IReactorTCP,
        IReactorThreads,
        IReactorTime,
        IStreamServerEndpoint,
    )

    from offprompt.request.target import TargetState
    from offprompt.sinks.target import Target
    from offprompt.tunnel.outside import Outside

    class Reactor(IReactorCore, IReactorTime, IReactorThreads, IReactorTCP):
        """What the service asks of a reactor."""


_log = Logger()

STDIO = "stdio:"
_PORT = re.compile("0*([0-9]{1,5})")
UNDER_WAY = ("finding", "starting", "proving")
"""States of a tunnel in which what it said last is still going on."""


class Options(UsageOptions):
    """The options of `twistd offprompt`."""

    optParameters: ClassVar = [
        ["web", "w", None, "Where the page listens, an endpoint on loopback [default: tcp:PORT:interface=127.0.0.1]"],
        ["project", "p", None, "The folder whose files are written [default: the working directory]"],
        ["manhole", "m", None, "Where operators look inside: an endpoint, or default [default: nowhere]"],
        ["authorized-keys", None, None, "A file with the operators' public keys [default: a key made once]"],
        ["state", None, None, "The folder of the manhole's keys [default: offprompt's own in the home directory]"],
    ]

    longdesc = "Collects secrets for coding agents: a person types them on a page, agents see names and a fingerprint."

    def __init__(self) -> None:
        super().__init__()
        self.agents: list[str] = []

    def opt_agent(self, endpoint: str) -> None:
        """Where agents connect: stdio: or an endpoint such as unix:/run/offprompt.sock:mode=600; may be repeated."""
        self.agents.append(endpoint)

    opt_a = opt_agent

    def postOptions(self) -> None:
        """Refuse what cannot be served."""
        if self.agents.count(STDIO) > 1:
            raise UsageError("There is one stdin and one stdout: give --agent=stdio: once.")
        if not self.agents:
            self.agents = [STDIO]


@dataclass(frozen=True, slots=True)
class Parts:
    """A composed service: `root` holds everything that is started and stopped; the rest is there to be connected."""

    root: MultiService
    ledger: Ledger
    agents: AgentFactory
    page: PageListener
    tunnel: Tunnel
    where: whereabouts.Whereabouts
    opener: Opener
    project: Callable[[Sequence[str]], str]


def compose(
    reactor: Reactor,
    environ: Mapping[str, str],
    project: Callable[[Sequence[str]], str],
    endpoints: Sequence[IStreamServerEndpoint],
    asked_port: int = 0,
    progress: Callable[[str], None] = lambda words: None,
    outside: Outside | None = None,
) -> Parts:
    """The service without its agents.

    Args:
        reactor: runs it.
        environ: this process's environment, of which every part takes what it is entitled to.
        project: chooses the project among the folders that a host names.
        endpoints: where the page may listen; the first that can be had is taken.
        asked_port: the port that was wished for, 0 when none was.
        progress: called with a sentence as a public link is made.
        outside: what a public link reaches beyond this process; None is the real world.
    """
    from offprompt.page.app import page_site  # imports Klein, which installs a reactor

    root = MultiService()
    ledger = Ledger(os.urandom)
    fulfilment = Fulfilment(reactor, reactor, os.urandom)
    where = whereabouts.read(environ)
    opener = Opener(sys.platform, {**environ, **where.display}, shutil.which)
    site = page_site(
        ledger=ledger,
        fulfilment=fulfilment,
        reactor=reactor,
        random=os.urandom,
        tunnel_host=lambda: tunnel.host(),
        tunnel_nonce=lambda random: tunnel.well_known(random),
    )
    page = PageListener(endpoints, site, (fulfilment.settled, site.close))  # what is being written is answered first
    said = [""]

    def say(words: str) -> None:
        said[0] = words
        progress(words)
        _log.info("{words}", words=words)

    tunnel = Tunnel(
        reactor,
        local_port=lambda: page.port,
        environ=environ,
        cache_dir=cache_folder(environ, os.path.expanduser("~")),
        random=os.urandom,
        progress=say,
        wanted=lambda: any(record.order.remote for record in ledger.open_records()),
        outside=outside,
    )

    def local() -> Origin:
        taken = asked_port if page.port != asked_port else 0
        return Origin(page.origin, public=False, port=page.port, asked_port=taken)

    def inspect_in_thread(target: Target) -> Deferred[TargetState]:
        return deferToThreadPool(reactor, reactor.getThreadPool(), inspect, target)

    agents = AgentFactory(
        Surroundings(
            ledger=ledger,
            clock=reactor,
            is_remote=where.remote,
            origins=Origins(local, tunnel),
            phase=lambda: said[0] if tunnel.state in UNDER_WAY else "",
            open_page=opener.open,
            choose_project=project,
            inspect=inspect_in_thread,
            write=fulfilment.write,
        )
    )
    for part in (page, Expiry(ledger, reactor), tunnel):
        part.setServiceParent(root)
    return Parts(root, ledger, agents, page, tunnel, where, opener, project)


def wished_port(environ: Mapping[str, str]) -> int:
    """The page's port by `OFFPROMPT_PORT`, 0 when it names none."""
    found = _PORT.fullmatch(environ.get("OFFPROMPT_PORT", ""))
    port = int(found[1]) if found else 0
    return port if port < 65_536 else 0


def project_of_session(environ: Mapping[str, str]) -> Callable[[Sequence[str]], str]:
    """Chooses the project of an agent that started this process."""
    return lambda roots: choose_project(roots, environ, os.getcwd(), os.path.expanduser("~"))


def project_of_service(folder: str) -> Callable[[Sequence[str]], str]:
    """Chooses the project of an agent that connected to this service: `folder`, or a workspace within it."""
    return lambda roots: narrow_project(folder, roots, os.path.expanduser("~"))


def compose_from_environment(
    reactor: Reactor,
    environ: Mapping[str, str],
    progress: Callable[[str], None] = lambda words: None,
    outside: Outside | None = None,
) -> Parts:
    """The service of an agent that started this process, as its environment wishes it."""
    port = wished_port(environ)
    project, endpoints = project_of_session(environ), loopback_endpoints(reactor, port)
    return compose(reactor, environ, project, endpoints, port, progress, outside)


def makeService(options: Options) -> IService:
    """The service for `twistd offprompt`."""
    from twisted.internet import reactor as installed

    leave_no_core()
    reactor = cast("Reactor", installed)
    folder = os.path.abspath(options["project"] or os.getcwd())
    port = wished_port(os.environ)
    web = options["web"]
    endpoints = [described_endpoint(reactor, web)] if web else loopback_endpoints(reactor, port)
    parts = compose(reactor, os.environ, project_of_service(folder), endpoints, 0 if web else port)
    for description in options.agents:
        agent = _stdio(parts, reactor) if description == STDIO else _listening(description, parts, reactor)
        agent.setServiceParent(parts.root)
    if options["manhole"]:
        _manhole(options, parts, reactor).setServiceParent(parts.root)
    return parts.root


def _stdio(parts: Parts, reactor: Reactor) -> IService:
    handover = fresh_handover()
    if handover is None:
        raise UsageError("--agent=stdio: needs a stdin and a stdout; this process has none.")
    return StdioAgent(parts.agents, handover, reactor, ended=reactor.stop)


def _listening(description: str, parts: Parts, reactor: Reactor) -> IService:
    from offprompt.agent.listener import AgentListener  # what listens on strings brings OpenSSL, which no link needs

    return AgentListener(description, parts.agents, reactor)


def _manhole(options: Options, parts: Parts, reactor: Reactor) -> IService:
    from offprompt.operate.manhole import manhole_service  # imports Conch's manhole, which installs a reactor
    from offprompt.operate.requests import requests_view
    from offprompt.operate.state import DEFAULT_SOCKET, state_directory
    from offprompt.operate.tunnel import tunnel_view
    from offprompt.operate.where import Where

    state = options["state"] or state_directory(os.environ, os.path.expanduser("~"))
    endpoint = options["manhole"]
    if endpoint == "default":
        endpoint = f"unix:{os.path.join(state, DEFAULT_SOCKET)}"
    namespace = {
        "requests": requests_view(parts.ledger, reactor.seconds),
        "tunnel": tunnel_view(parts.tunnel, reactor.seconds),
        "where": Where(parts.where.place.value, parts.where.reason),
    }
    return manhole_service(endpoint, namespace, state, options["authorized-keys"] or None, reactor)
