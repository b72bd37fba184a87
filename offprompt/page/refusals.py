"""What a refusal looks like: JSON with a sentence, or a small page where a person's navigation is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.http.answer import HTML, Answer, json_answer
from offprompt.page.data import status_object

if TYPE_CHECKING:
    from offprompt.http.head import Asked
    from offprompt.page.pages import Pages
    from offprompt.request.record import Record

STATUS: dict[type[errors.OffpromptError], int] = {
    errors.NotHttp: 400,
    errors.NotTheseMembers: 400,
    errors.SealMalformed: 400,
    errors.ForeignSite: 403,
    errors.SealForeign: 403,
    errors.NoSuchPage: 404,
    errors.MethodRefused: 405,
    errors.TooSlow: 408,
    errors.RequestBusy: 409,
    errors.BodyTooLarge: 413,
    errors.NotJsonType: 415,
    errors.WrongHost: 421,
    errors.TooOften: 429,
    errors.HeadTooLarge: 431,
    errors.SinkFailed: 500,
    errors.PageBroke: 500,
}
"""The status of each refusal, its leaves included; 422 and 410 come with more than a sentence."""

NOTICES = frozenset({403, 404, 421})
"""Statuses for which a navigation gets a small page; 410 is the fourth."""


def refusal(error: errors.OffpromptError, asked: Asked | None, pages: Pages, nonce: str) -> Answer:
    """The answer to a request that met `error`; `asked` is None while its headers are not all there."""
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)
    if asked is not None and asked.navigation and status in NOTICES:
        return _page(str(status), status, asked, pages, nonce)
    return json_answer(nonce, {"error": str(error)}, status=status, extra=_extra(error))


def closed(record: Record, now: float, asked: Asked, pages: Pages, nonce: str) -> Answer:
    """The answer to whom comes too late: the object of `/status`, from which a page knows its own four emoji again."""
    if asked.navigation and asked.method != "POST":
        return _page(f"410.{record.status}", 410, asked, pages, nonce)
    return json_answer(nonce, status_object(record, now), status=410)


def _page(key: str, status: int, asked: Asked, pages: Pages, nonce: str) -> Answer:
    body = pages.notice(key, languages=asked.languages, nonce=nonce)
    return Answer(status, HTML, body.encode("utf-8", "replace"), nonce)


def _extra(error: errors.OffpromptError) -> tuple[tuple[str, str], ...]:
    if isinstance(error, errors.TooOften):
        return (("Retry-After", str(error.details["seconds"])),)
    if isinstance(error, errors.MethodRefused):
        return (("Allow", str(error.details["methods"])),)
    return ()
