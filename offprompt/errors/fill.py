"""Why `offprompt fill` cannot go on."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class NoTerminal(OffpromptError):
    """A terminal is needed to type into, and there is none here. Run this in a terminal window, or open the link in a
    browser."""


class Unreachable(OffpromptError):
    """Nobody answers at {host}. The agent's session has probably ended: ask the agent for a new link."""


class TooSlowToAnswer(OffpromptError):
    """{host} did not answer within {seconds} seconds. Try again; if it stays like this, ask the agent for a new
    link."""


class NotTrusted(OffpromptError):
    """The certificate of {host} does not prove that it is {host}, so nothing was sent. Something on the way may read
    along: try another network."""


class StrangeAnswer(OffpromptError):
    """What {host} answers is no request of offprompt. Check the link, or ask the agent for a new one."""


class OtherVersion(OffpromptError):
    """This request is of version {version}, which this offprompt does not know. Update offprompt, or open the link in a
    browser."""


class LinkOfAnother(OffpromptError):
    """The key in the link is not this request's: the link was changed or mixed up on its way. Nothing was sent. Copy
    the whole link from the agent's message."""


class NoSuchRequest(OffpromptError):
    """The link leads to no request: it is over for more than an hour, or from another session. Ask the agent for a new
    link."""


class PageRefused(OffpromptError):
    """{host} refused ({status}): {sentence}"""
