"""A request, its link and its seal."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class BadRequest(OffpromptError):
    """What was asked for cannot be asked for like this."""


class BadName(BadRequest):
    """A name has capital letters, digits and _, starts with a letter and is at most {most} long, as OPENAI_API_KEY."""


class TwoWays(BadRequest):
    """{name}: give one of provider, format and generate, not several."""


class BadCaption(BadRequest):
    """{name}: a caption is plain text of at most {most} characters."""


class BadGenerate(BadRequest):
    """A generated value has {least} to {most} random bytes."""


class BadEncoding(BadRequest):
    """The encoding of a generated value is one of {encodings}."""


class BadSink(BadRequest):
    """The kind of a sink is one of {kinds}."""


class BadPath(BadRequest):
    """The path is a relative path inside the project, of at most {most} characters."""


class BadCount(BadRequest):
    """Ask for one to {most} values in a call."""


class NameTwice(BadRequest):
    """{name} is asked for twice; name each value once."""


class SeveralForFile(BadRequest):
    """A sink of kind file takes exactly one value, and {count} were asked for; make one call for each file."""


class BadReason(BadRequest):
    """The reason is text of at most {most} characters."""


class TooManyOpen(OffpromptError):
    """There are {count} open requests already: {names}.
    Wait for them with await_secret, or cancel one with cancel_secret."""


class ServiceFull(OffpromptError):
    """The service has {count} open requests, which is all it takes; yours: {names}.
    Try again when some are answered."""


class RequestBusy(OffpromptError):
    """This request is being written right now."""


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


class SealForeign(OffpromptError):
    """What was sent does not belong to this request, or was changed on its way. Reload the page and try again."""
