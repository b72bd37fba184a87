"""The person's door: which path is answered by what. Importing this installs a reactor, as Klein does."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, cast

from klein import Klein
from twisted.logger import Logger
from werkzeug.exceptions import MethodNotAllowed, NotFound

from offprompt import errors
from offprompt.http.channel import BoundedRequest
from offprompt.http.guard import Guard, is_local
from offprompt.http.site import BoundedSite
from offprompt.page.pages import Pages
from offprompt.page.refusals import closed, refusal
from offprompt.page.submit import MAX_BODY, decline, submit
from offprompt.page.tries import Tries
from offprompt.page.views import show_page, show_status, show_tunnel_nonce, show_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IReactorTime
    from twisted.python.failure import Failure
    from twisted.web.iweb import IRequest

    from offprompt.http.answer import Answer
    from offprompt.http.head import RequestHead
    from offprompt.http.limits import Capacity
    from offprompt.request.ledger import Ledger
    from offprompt.request.ports import WriteRequest
    from offprompt.request.record import Record

_log = Logger()


class PageApp:
    """Routes of one service. Every request that reaches them was admitted by the site's guard."""

    app = Klein()

    def __init__(
        self,
        *,
        ledger: Ledger,
        write: WriteRequest,
        clock: IReactorTime,
        pages: Pages,
        tunnel_nonce: Callable[[str], str | None],
    ) -> None:
        self._ledger = ledger
        self._write = write
        self._clock = clock
        self._pages = pages
        self._tunnel_nonce = tunnel_nonce
        self._tries = Tries()

    @app.route("/r/<token>", methods=["GET"])
    def page(self, request: IRequest, token: str) -> bytes:
        """Answer with the page, or with the request as data. Opening a link never uses it up."""
        record, head, now = self._record(token), _head(request), self._now()
        if not record.open:
            return _send(request, closed(record, now, head, self._pages))
        tunnel = not is_local(head.hosts[0].lower())
        return _send(request, show_page(record, now, head, self._pages, tunnel=tunnel))

    @app.route("/r/<token>", methods=["POST"])
    async def submit(self, request: IRequest, token: str) -> bytes:
        """Take a press of the button."""
        head, body, now = _head(request), _body(request), self._now()
        record = self._record(token)
        if not record.open:
            return _send(request, closed(record, now, head, self._pages))
        self._tries.count(record, now)
        answer = None
        try:
            answer = await submit(record, head, body, self._write)
        except (errors.SinkFailed, errors.RequestClosed):
            if self._record(token).open:
                raise
        if answer is None or (answer.status == 422 and not self._record(token).open):
            # A cancel or the end of its time came during the write, and took effect when nothing was written.
            answer = closed(record, self._now(), head, self._pages)
        return _send(request, answer)

    @app.route("/r/<token>/decline", methods=["POST"])
    def decline(self, request: IRequest, token: str) -> bytes:
        """Take the person's no."""
        record, head, now = self._record(token), _head(request), self._now()
        if not record.open:
            return _send(request, closed(record, now, head, self._pages))
        self._tries.count(record, now)
        return _send(request, decline(record, now, head, _body(request)))

    @app.route("/r/<token>/status", methods=["GET"])
    def status(self, request: IRequest, token: str) -> bytes:
        """Answer with what became of the request."""
        return _send(request, show_status(self._record(token), self._now()))

    @app.route("/r/<token>/words/<language>", methods=["GET"])
    def words(self, request: IRequest, token: str, language: str) -> bytes:
        """Answer with the page's words in another language."""
        self._record(token)
        return _send(request, show_words(language, _head(request), self._pages))

    @app.route("/.well-known/offprompt/<random>", methods=["GET"])
    def tunnel_proof(self, request: IRequest, random: str) -> bytes:
        """Answer with the nonce of the tunnel start under way."""
        return _send(request, show_tunnel_nonce(self._tunnel_nonce(random)))

    @app.handle_errors(errors.OffpromptError)
    def refused(self, request: IRequest, failure: Failure) -> bytes:
        """Answer a request that a view refuses."""
        return self._refuse(request, cast("errors.OffpromptError", failure.value))

    @app.handle_errors(NotFound)
    def not_found(self, request: IRequest, failure: Failure) -> bytes:
        """Answer a path that is none of ours."""
        return self._refuse(request, errors.NoSuchPage())

    @app.handle_errors(MethodNotAllowed)
    def method_not_allowed(self, request: IRequest, failure: Failure) -> bytes:
        """Answer a path of ours that takes other methods."""
        allowed = cast("MethodNotAllowed", failure.value).valid_methods or ()
        return self._refuse(request, errors.MethodRefused(methods=", ".join(sorted(allowed))))

    @app.handle_errors(Exception)
    def broke(self, request: IRequest, failure: Failure) -> bytes:
        """Answer after a fault of ours. Its words are not logged: they may quote what was sent."""
        _log.error("Answering a request broke: {places}", places=errors.places(cast("Exception", failure.value)))
        return self._refuse(request, errors.AnswerBroke())

    def _refuse(self, request: IRequest, error: errors.OffpromptError) -> bytes:
        return _send(request, refusal(error, _head(request), self._pages))

    def _record(self, token: str) -> Record:
        record = self._ledger.by_token(token, self._now())
        if record is None:
            raise errors.NoSuchPage()
        return record

    def _now(self) -> float:
        return self._clock.seconds()


def _head(request: IRequest) -> RequestHead:
    return cast("BoundedRequest", request).head


def _body(request: IRequest) -> bytes:
    return cast("BoundedRequest", request).content.getvalue()


def _send(request: IRequest, answer: Answer) -> bytes:
    """Set status and headers of `request`'s answer. Return the body: Klein writes it, or leaves it out for HEAD."""
    request.setResponseCode(answer.status, answer.phrase.encode("ascii"))
    request.responseHeaders.removeHeader(b"server")  # nobody needs to know which version to try things on
    for name, value in answer.headers:
        request.setHeader(name, value)
    return answer.body


def page_site(
    *,
    ledger: Ledger,
    write: WriteRequest,
    reactor: IReactorTime,
    random: Callable[[int], bytes],
    tunnel_host: Callable[[], str],
    tunnel_nonce: Callable[[str], str | None],
    space: Capacity | None = None,
) -> BoundedSite:
    """Return the site of a service, for any endpoint to listen with.

    Args:
        ledger: all requests.
        write: writes what a person sent.
        reactor: has the time.
        random: `random(n)` gives n unpredictable bytes.
        tunnel_host: the tunnel's host, "" while there is none. It counts as soon as it is known: requests of that Host
            prove the tunnel.
        tunnel_nonce: what to answer to `/.well-known/offprompt/<random>`, None for 404.
        space: how many connections are held at once; None leaves it to the process's limit of open files.
    """

    def fresh_nonce() -> str:
        return b64encode(random(16)).decode("ascii")

    pages = Pages(fresh_nonce)
    routes = PageApp(
        ledger=ledger,
        write=write,
        clock=reactor,
        pages=pages,
        tunnel_nonce=tunnel_nonce,
    )
    guard = Guard(tunnel_host, MAX_BODY)
    return BoundedSite(
        routes.app.resource(),
        reactor=reactor,
        admit=guard.admit,
        refuse=lambda error, head: refusal(error, head, pages),
        max_body=MAX_BODY,
        space=space,
    )
