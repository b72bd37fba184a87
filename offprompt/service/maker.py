"""`makeService`: the service for `twistd offprompt`, composed by its options."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from twisted.python.usage import UsageError

from offprompt import errors
from offprompt.agent.wire.stdio import StdioAgent, fresh_handover
from offprompt.http.listener import described_endpoint, loopback_endpoints
from offprompt.operate.crashes import leave_no_core
from offprompt.service.collect import compose, project_of_service
from offprompt.service.options import STDIO, Options
from offprompt.settings import Settings

if TYPE_CHECKING:
    from twisted.application.service import IService

    from offprompt.service.collect import Parts, Reactor

__all__ = ["Options", "makeService"]


def makeService(options: Options) -> IService:
    """Return the service for `twistd offprompt`."""
    from twisted.internet import reactor as installed

    leave_no_core()
    reactor = cast("Reactor", installed)
    folder = _project(options["project"] or "")
    settings = Settings.read(os.environ)
    web = options["web"]
    endpoints = (
        [described_endpoint(reactor, web, errors.PageExposed)] if web else loopback_endpoints(reactor, settings.port)
    )
    asked_port = 0 if web else settings.port
    parts = compose(reactor, os.environ, settings, project_of_service(folder), endpoints, asked_port)
    for description in options.agents:
        agent = _stdio(parts, reactor) if description == STDIO else _listening(description, parts, reactor)
        agent.setServiceParent(parts.root)
    if options["manhole"]:
        _manhole(options, parts, reactor).setServiceParent(parts.root)
    return parts.root


def _project(given: str) -> str:
    """Return the absolute path of the project, which is the working directory where none is given."""
    try:
        return os.path.abspath(given)
    except OSError:  # the working directory was deleted, and a path that begins there leads nowhere
        raise UsageError("The working directory is not there any more: name the project with --project.") from None


def _stdio(parts: Parts, reactor: Reactor) -> IService:
    handover = fresh_handover()
    if handover is None:
        raise UsageError("--agent=stdio: needs a stdin and a stdout; this process has none.")
    return StdioAgent(parts.agents, handover, reactor, ended=reactor.stop)


def _listening(description: str, parts: Parts, reactor: Reactor) -> IService:
    from offprompt.agent.wire.listener import (
        AgentListener,  # what listens on strings brings OpenSSL, which no link needs
    )

    return AgentListener(description, parts.agents, reactor)


def _manhole(options: Options, parts: Parts, reactor: Reactor) -> IService:
    from offprompt.operate.manhole.service import manhole_service  # imports Conch's manhole, which installs a reactor
    from offprompt.operate.manhole.views import WhereNow, views
    from offprompt.operate.state import DEFAULT_SOCKET, state_directory

    state = options["state"] or state_directory(os.environ, os.path.expanduser("~"))
    endpoint = options["manhole"]
    if endpoint == "default":
        endpoint = f"unix:{os.path.join(state, DEFAULT_SOCKET)}"
    where = WhereNow(parts.where.place.value, parts.where.reason)
    namespace = views(parts.ledger, parts.tunnel, where, reactor.seconds)
    return manhole_service(endpoint, namespace, state, options["authorized-keys"] or None, reactor)
