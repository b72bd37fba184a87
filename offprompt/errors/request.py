"""A request, its link and its seal."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class TooManyOpen(OffpromptError):
    """There are {count} open requests already: {names}.
    Wait for them with await_secret, or cancel one with cancel_secret."""


class ServiceFull(OffpromptError):
    """The service has {count} open requests, which is all it takes; yours: {names}.
    Try again when some are answered."""


class RequestBusy(OffpromptError):
    """This request is being written right now."""

    http_status = 409


class RequestClosed(OffpromptError):
    """This request is closed: it is {status}."""


class NotALink(OffpromptError):
    """This is not a link of offprompt. A link looks like https://…/r/1b6e…#k=BL0y…"""


class LinkCut(OffpromptError):
    """The link was cut: the part after #k= is missing or not whole. Copy the whole link from the agent's message."""


class NotAKey(OffpromptError):
    """The key in the link is none that can seal anything. Copy the whole link from the agent's message, or ask for a
    new one."""


class TooMuch(OffpromptError):
    """The values are too long together: {most} KiB can be sent at once."""


class SealMalformed(OffpromptError):
    """What was sent is not a sealed submission. Reload the page and try again."""

    http_status = 400


class SealForeign(OffpromptError):
    """What was sent does not belong to this request, or was changed on its way. Reload the page and try again."""

    http_status = 403
