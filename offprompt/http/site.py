"""The site: how many connections there are, and what becomes of one more."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from twisted.web.http import datetimeToString
from twisted.web.server import Site

from offprompt import errors
from offprompt.emptyable_set import EmptyableSet
from offprompt.http.access_log import WithoutAccessLog
from offprompt.http.answer import closing
from offprompt.http.channel import BoundedRequest, Channel
from offprompt.http.limits import Capacity, capacity, open_file_limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress, IReactorTime
    from twisted.web.resource import IResource

    from offprompt.http.answer import Answer
    from offprompt.http.head import RequestHead


class BoundedSite(WithoutAccessLog, Site):
    """Serves one resource to a bounded number of connections.

    When they are all in use, the one that has waited longest for its client to say something is dropped for the new
    one: whoever opens ten thousand and leaves them keeps nobody out. One that is being answered is never dropped.
    """

    noisy = False  # that it starts and stops is no news
    requestFactory = BoundedRequest
    protocol = Channel  # type: ignore[assignment]  # Twisted's own switches to HTTP/2 and is of a private type

    def __init__(
        self,
        resource: IResource,
        *,
        reactor: IReactorTime,
        admit: Callable[[RequestHead], None],
        refuse: Callable[[errors.OffpromptError, RequestHead | None], Answer],
        max_body: int,
        space: Capacity | None = None,
    ) -> None:
        """Serve `resource`.

        Args:
            resource: answers what is admitted.
            reactor: has the time.
            admit: raises a leaf of NotAnswered for a head that the door does not answer.
            refuse: makes the answer to such an error; the head is None while it is not whole.
            max_body: bytes of a request's body.
            space: how many connections are held; None leaves it to the process's limit of open files.
        """
        super().__init__(resource, reactor=reactor, parsePOSTFormSubmission=False)
        self.max_body = max_body
        self.admit = admit
        self._refuse = refuse
        self._capacity = space or capacity(open_file_limit(), sys.platform)
        self._open: EmptyableSet[Channel] = EmptyableSet()
        self._waiting: dict[Channel, None] = {}  # the one that has waited longest is first

    @property
    def connections(self) -> int:
        """How many connections there are, WebSockets too."""
        return len(self._open)

    def acceptableProtocols(self) -> list[bytes]:
        """HTTP/1.1 alone: the limits above are those of its channel."""
        return [b"http/1.1"]

    def buildProtocol(self, addr: IAddress | None) -> Any:
        """Return a channel for a new connection; None, which closes it, when there is no room."""
        if len(self._open) >= self._capacity.connections:
            if not self._waiting or len(self._open) >= self._capacity.connections + self._capacity.overlap:
                return None
            longest = next(iter(self._waiting))
            del self._waiting[longest]
            longest.transport.abortConnection()
        return super().buildProtocol(addr)

    def close(self) -> Deferred[None]:
        """Close every connection, after what was written to it if that is quick; fire with None when all are gone."""
        for channel in self._open:
            channel.hang_up()
        return self._open.when_empty()

    def opened(self, channel: Channel) -> None:
        """`channel` is connected."""
        self._open.add(channel)

    def waits(self, channel: Channel, waiting: bool) -> None:
        """`channel` waits for its client from now on, or is answering it."""
        self._waiting.pop(channel, None)
        if waiting:
            self._waiting[channel] = None

    def closed(self, channel: Channel) -> None:
        """`channel` is gone."""
        self._waiting.pop(channel, None)
        self._open.discard(channel)

    def refuse(self, error: errors.OffpromptError, head: RequestHead | None) -> bytes:
        """Return the whole answer to a request that is refused before it reaches a route."""
        answer = self._refuse(error, head)
        date = datetimeToString().decode("ascii")
        return closing(answer, date=date, head=head is not None and head.method == "HEAD")
