"""What a refusal looks like: JSON with a sentence, or a small page where a person's navigation is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.http.answer import Answer, json_answer
from offprompt.page.data import status_object

if TYPE_CHECKING:
    from offprompt.http.head import RequestHead
    from offprompt.page.pages import Pages
    from offprompt.request.record import Record

NOTICES = frozenset({403, 404, 421})
"""Statuses for which a navigation gets a small page; 410 is the fourth."""


def refusal(error: errors.OffpromptError, head: RequestHead | None, pages: Pages) -> Answer:
    """Return the answer to a request that met `error`; `head` is None while it is not whole."""
    if head is not None and head.navigation and error.http_status in NOTICES:
        return pages.notice(error.http_status, str(error.http_status), languages=head.languages)
    return json_answer({"error": str(error)}, status=error.http_status, extra=_extra(error))


def closed(record: Record, now: float, head: RequestHead, pages: Pages) -> Answer:
    """Return the answer to whom comes too late: the object of `/status`, in which a page finds its own press."""
    if head.navigation and head.method != "POST":
        return pages.notice(410, f"410.{record.status}", languages=head.languages)
    return json_answer(status_object(record, now), status=410)


def _extra(error: errors.OffpromptError) -> tuple[tuple[str, str], ...]:
    if isinstance(error, errors.TooOften):
        return (("Retry-After", str(error.details["seconds"])),)
    if isinstance(error, errors.MethodRefused):
        return (("Allow", str(error.details["methods"])),)
    return ()
