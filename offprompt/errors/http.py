"""Why a web door does not answer."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class NotAnswered(OffpromptError):
    """This request cannot be answered."""


class WrongHost(NotAnswered):
    """Wrong host: this address does not belong to offprompt. Open the link as the agent shows it."""


class ForeignSite(NotAnswered):
    """Another site asked for this. Open the link itself."""


class NoSuchPage(NotAnswered):
    """Nothing is known here. The link may have been cut, or the session that made it has ended."""


class MethodRefused(NotAnswered):
    """This address takes {methods}."""


class BodyTooLarge(NotAnswered):
    """This is too much: at most {most} KiB can be sent at once."""


class HeadTooLarge(NotAnswered):
    """The first line or the headers are too long."""


class NotHttp(NotAnswered):
    """This is not HTTP as it is understood here."""


class TooSlow(NotAnswered):
    """The request took more than {seconds} seconds to arrive."""


class NotJsonType(NotAnswered):
    """Send JSON, with the header Content-Type: application/json."""


class NotTheseMembers(NotAnswered):
    """Send a JSON object that holds {members} and nothing else, each a string."""


class TooOften(NotAnswered):
    """Too many tries in a minute. Try again in {seconds} seconds."""


class PageBroke(NotAnswered):
    """Answering ended in a fault of offprompt itself. Try again."""
