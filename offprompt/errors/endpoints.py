"""Why nobody can be listened to at an endpoint."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class AgentExposed(OffpromptError):
    """Agents connect to a socket that only its owner may open: unix:PATH:mode=600, and not {endpoint}"""


class NoUnixSockets(OffpromptError):
    """This system has no Unix sockets; let each agent start offprompt mcp instead."""


class PageExposed(OffpromptError):
    """The page listens on this computer only: give tcp:PORT:interface=127.0.0.1, not {endpoint}"""


class EndpointUnknown(OffpromptError):
    """{endpoint} is no endpoint that can be listened at. Give one such as tcp:4173:interface=127.0.0.1."""


class SocketNotMade(OffpromptError):
    """Nobody could connect at {endpoint}: {reason}"""


class ManholeExposed(OffpromptError):
    """A manhole listens on this computer only: give tcp:PORT:interface=127.0.0.1 or unix:PATH, not {endpoint}."""
