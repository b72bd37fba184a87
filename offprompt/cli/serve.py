"""`offprompt serve`: the service of `twistd offprompt` in the foreground, for people who do not know twistd."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, ClassVar, cast

from twisted.internet.error import CannotListenError
from twisted.python.usage import UsageError

from offprompt.errors import OffpromptError
from offprompt.operate.logs import begin_logging
from offprompt.service.maker import Options, makeService
from offprompt.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.service.collect import Reactor


class ServeOptions(Options):
    """The service's options, and how it tells what it does."""

    optFlags: ClassVar = [["json", None, "Log lines of JSON instead of words"]]
    synopsis = "usage: offprompt serve [options]"


def main(argv: Sequence[str]) -> int:
    """Serve until SIGINT or SIGTERM. 0: stopped in order; 1: could not start; 2: the options make no sense."""
    options = ServeOptions()
    try:
        options.parseOptions(list(argv))
        begin_logging(sys.stderr, form="json" if options["json"] else "text", path=Settings.read(os.environ).log)
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
