"""What a link shows: the page or its data, its status, its words in another language."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import TYPE_CHECKING

from offprompt import errors
from offprompt.http.answer import TEXT, Answer, json_answer
from offprompt.page.data import request_object, status_object

if TYPE_CHECKING:
    from offprompt.http.head import RequestHead
    from offprompt.page.pages import Pages
    from offprompt.request.record import Record

GZIP_LEVEL = 6
"""zlib's usual. Measured on our page of 60 KB: 23,167 bytes in 1.1 ms; level 9 saves 16 bytes, level 1 costs 2,749."""


def show_page(record: Record, now: float, head: RequestHead, pages: Pages, *, tunnel: bool) -> Answer:
    """Return an open request as a page or as data. A GET counts as fetched: somebody may be looking at it."""
    if head.data:
        answer = json_answer(request_object(record, now, tunnel=tunnel))
    else:
        answer = pages.request_page(record, now, languages=head.languages, tunnel=tunnel)
    if head.method == "GET":
        record.fetched(now)
    return compressed(answer) if head.gzip else answer


def show_status(record: Record, now: float) -> Answer:
    """Return what became of the request. Who asks has the page open."""
    record.polled(now)
    return json_answer(status_object(record, now))


def show_words(language: str, head: RequestHead, pages: Pages) -> Answer:
    """Return the page's words in `language`.

    Raises:
        NoSuchPage: there is no such language.
    """
    catalogue = pages.catalogues.get(language.lower())
    if catalogue is None:
        raise errors.NoSuchPage()
    answer = json_answer(catalogue.words)
    return compressed(answer) if head.gzip else answer


def show_tunnel_nonce(tunnel_nonce: str | None) -> Answer:
    """Return the proof that this service answers, for who asks through the tunnel that is being started.

    Raises:
        NoSuchPage: no such start is under way.
    """
    if tunnel_nonce is None:
        raise errors.NoSuchPage()
    return Answer(200, TEXT, tunnel_nonce.encode("ascii"))


def compressed(answer: Answer) -> Answer:
    """Return `answer` in gzip. Its length tells nothing (BREACH): nobody can put guesses into a page."""
    body = gzip.compress(answer.body, GZIP_LEVEL, mtime=0)
    extra = (*answer.extra, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding"))
    return replace(answer, body=body, extra=extra)
