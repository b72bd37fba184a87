"""Requests of ours to a client, each with a limit of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.internet.interfaces import IDelayedCall, IReactorTime

    from offprompt.agent.mcp.events import Answered, Object
    from offprompt.agent.mcp.session import Session


class ClientRequests:
    """The requests to the client of one session, which may never answer."""

    def __init__(self, session: Session, send: Callable[[bytes], None], clock: IReactorTime) -> None:
        self._session = session
        self._send = send
        self._clock = clock
        self._open: dict[str, Deferred[Object | None]] = {}

    def ask(self, method: str, params: Object | None, seconds: float) -> Deferred[Object | None]:
        """Ask a legacy client.

        Fire with the result; with {} when the client answers with an error; with None when it is silent for `seconds`.
        Cancelling it tells the client that nobody waits any more.
        """
        asked, data = self._session.ask(method, params)

        def give_up(answer: Deferred[Object | None]) -> None:
            self._send(self._session.withdraw(asked))

        answer: Deferred[Object | None] = Deferred(give_up)
        self._open[asked] = answer
        timer = self._clock.callLater(seconds, self._late, asked)
        self._send(data)
        return answer.addBoth(self._ended, asked, timer)

    def answered(self, event: Answered) -> None:
        """Take the client's answer."""
        answer = self._open.get(event.id)
        if answer is not None and not answer.called:
            answer.callback(event.result or {})

    def _late(self, asked: str) -> None:
        answer = self._open[asked]
        if not answer.called:
            self._send(self._session.withdraw(asked))
            answer.callback(None)

    def _ended(self, answer: Object | None, asked: str, timer: IDelayedCall) -> Object | None:
        del self._open[asked]
        if timer.active():
            timer.cancel()
        return answer
