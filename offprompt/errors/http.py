"""Why a web door does not answer."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class NotAnswered(OffpromptError):
    """This request cannot be answered."""


class WrongHost(NotAnswered):
    """Wrong host: this address does not belong to offprompt. Open the link as the agent shows it."""

    http_status = 421


class ForeignSite(NotAnswered):
    """Another site asked for this. Open the link itself."""

    http_status = 403


class NoSuchPage(NotAnswered):
    """There is nothing at this address. The link may have been cut, or the session that made it has ended."""

    http_status = 404


class MethodRefused(NotAnswered):
    """This address answers {methods} and nothing else."""

    http_status = 405


class BodyTooLarge(NotAnswered):
    """Too much was sent: at most {most} KiB are taken at once. Nothing was done."""

    http_status = 413


class HeadTooLarge(NotAnswered):
    """The first line or the headers are too long. Nothing was done."""

    http_status = 431


class NotHttp(NotAnswered):
    """This cannot be read as an HTTP request. Open the link in a browser."""

    http_status = 400


class TooSlow(NotAnswered):
    """The request took more than {seconds} seconds to arrive. Nothing was done; send it again."""

    http_status = 408


class NotJsonType(NotAnswered):
    """Send JSON, with the header Content-Type: application/json."""

    http_status = 415


class NotTheseMembers(NotAnswered):
    """Send a JSON object that holds {members} and nothing else, each a string."""

    http_status = 400


class TooOften(NotAnswered):
    """Too many tries in a minute. Try again in {seconds} seconds."""

    http_status = 429


class AnswerBroke(NotAnswered):
    """Answering ended in a fault of offprompt itself. Try again."""
