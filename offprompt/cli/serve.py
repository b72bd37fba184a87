"""`offprompt serve`: runs the service of `twistd offprompt` in the foreground, for people who do not know twistd."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, cast

import click
from twisted.internet.error import CannotListenError
from twisted.python.usage import UsageError

from offprompt.errors import OffpromptError
from offprompt.operate.logs import begin_logging
from offprompt.service.maker import Options, makeService
from offprompt.settings import Settings

if TYPE_CHECKING:
    from offprompt.service.collect import Reactor


_SHOWN = {"project": "DIR", "state": "DIR", "authorized-keys": "FILE"}
"""What stands for an option's value in the help; an endpoint's description for the others."""


def _parameters() -> list[click.Parameter]:
    """Return the service's own options, as `twistd offprompt` has them, and how it tells what it does."""
    own: list[click.Parameter] = [
        click.Option(
            [f"--{long}", *([f"-{short}"] if short else [])],
            metavar=_SHOWN.get(str(long), "ENDPOINT"),
            help=f"{words}.",
        )
        for long, short, _, words in Options.optParameters
    ]
    agents = click.Option(["--agent", "-a"], metavar="ENDPOINT", multiple=True, help=Options.opt_agent.__doc__)
    lines = click.Option(["--json"], is_flag=True, help="Log lines of JSON instead of words.")
    return [agents, *own, lines]


def serve(agent: tuple[str, ...], json: bool, **given: str | None) -> int:
    """Serve until SIGINT or SIGTERM. Return 0: stopped in order; 1: could not start; 2: the options make no sense."""
    options = Options()
    named = [f"--{name.replace('_', '-')}={value}" for name, value in given.items() if value is not None]
    try:
        options.parseOptions([*(f"--agent={one}" for one in agent), *named])
        begin_logging(sys.stderr, form="json" if json else "text", path=Settings.read(os.environ).log)
        service = makeService(options)
    except (UsageError, OffpromptError, ValueError) as error:
        print(f"offprompt serve: {error}", file=sys.stderr)
        return 2
    from twisted.internet import reactor as installed

    reactor = cast("Reactor", installed)
    try:
        service.privilegedStartService()
    except (CannotListenError, OffpromptError) as error:
        print(f"offprompt serve: {error}", file=sys.stderr)
        return 1
    service.startService()
    reactor.addSystemEventTrigger("before", "shutdown", service.stopService)
    reactor.run()
    return 0


command = click.Command(
    "serve",
    params=_parameters(),
    callback=serve,
    help="Run the service in the foreground until Ctrl-C: the page for people, and a socket for agents.",
    epilog="Exit status: 0 stopped in order, 1 could not start, 2 the options make no sense.",
)
