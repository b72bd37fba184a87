"""HTTP answers with a limit on their size; a cancelled read closes the connection at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treq.client import HTTPClient
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IPushProducer
from twisted.internet.protocol import Protocol, connectionDone
from twisted.python.failure import Failure
from twisted.web.client import ResponseDone
from twisted.web.http import PotentialDataLoss
from twisted.web.http_headers import Headers

from offprompt.tunnel.cancellation import cancellable

if TYPE_CHECKING:
    from collections.abc import Callable

    from treq.response import _Response as Response
    from twisted.web.iweb import IAgent


class TooLong(Exception):
    """The body is longer than the limit."""


def ask(agent: IAgent, url: str, **headers: str) -> Deferred[Response]:
    """GET `url` and follow no redirect. Fire with the response; pass its body to `read` or `drop`.

    A header's name is written with `_` for `-`. Fail as treq and Twisted do. Cancelled, close the connection.
    """
    named = Headers({name.replace("_", "-"): [text] for name, text in headers.items()})
    asked = HTTPClient(agent).get(url, headers=named, allow_redirects=False, unbuffered=True)
    return cancellable(asked)


def read(response: Response, write: Callable[[bytes], object], limit: int) -> Deferred[None]:
    """Pass the body of `response` to `write` as it comes. Fire with None at its end.

    Fail with TooLong beyond `limit` bytes, with what `write` raises, or with the connection's failure. Cancelled,
    close the connection: one deadline on a coroutine that asks and reads covers connecting, head and body.
    """
    body = _Body(write, limit)
    response.deliverBody(body)
    return body.done


def drop(response: Response) -> None:
    """Close the connection of a `response` whose body is not wanted. Unread, it would stay open for ever."""
    unread = read(response, lambda data: None, 0)
    unread.addErrback(lambda failure: None)  # that it came to no end is meant
    unread.cancel()


async def page(agent: IAgent, url: str, limit: int, **headers: str) -> tuple[int, bytes]:
    """Return the status and the body, at most `limit` bytes, of a GET of `url`. Raise as `ask` and `read` fail."""
    response = await ask(agent, url, **headers)
    parts: list[bytes] = []
    await read(response, parts.append, limit)
    return response.code, b"".join(parts)


class _Body(Protocol):
    def __init__(self, write: Callable[[bytes], object], limit: int) -> None:
        self.done: Deferred[None] = Deferred(lambda _: self._refuse(CancelledError()))
        self._write = write
        self._left = limit
        self._over = False

    def dataReceived(self, data: bytes) -> None:
        if self._over:
            return
        self._left -= len(data)
        if self._left < 0:
            self._refuse(TooLong())
            return
        try:
            self._write(data)
        except Exception as error:  # a full disk ends the transfer as any other end of it
            self._refuse(error)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        if self._over:
            return
        self._over = True
        if reason.check(ResponseDone, PotentialDataLoss):
            self.done.callback(None)
        else:
            self.done.errback(reason)

    def _refuse(self, error: Exception) -> None:
        if self._over:
            return
        self._over = True
        # Not loseConnection: over TLS that waits for the other side, which may be the one that is silent.
        IPushProducer(self.transport).stopProducing()
        self.done.errback(Failure(error))
