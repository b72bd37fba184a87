"""The calls under way in one session: begun, reported on, answered once, given up."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import TYPE_CHECKING

from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.internet.task import LoopingCall
from twisted.logger import Logger

from offprompt import errors
from offprompt.agent import installation, timeouts
from offprompt.agent.mcp import results, schema, words
from offprompt.agent.mcp.events import Answered, CallCancelled, CallStarted, Remark, Send
from offprompt.agent.tools.client_requests import ClientRequests
from offprompt.agent.tools.presenter import Presenter
from offprompt.agent.tools.tools import Tools

if TYPE_CHECKING:
    from collections.abc import Callable

    from twisted.python.failure import Failure

    from offprompt.agent.mcp.events import Call, Event, Object
    from offprompt.agent.mcp.session import Session
    from offprompt.agent.tools.services import Services


class Calls:
    """Turns the events of `session` into tool results.

    `send` takes bytes for the client, in order. `name` tells this session from all others of the service.
    """

    _log = Logger()

    def __init__(self, name: str, session: Session, send: Callable[[bytes], None], services: Services) -> None:
        self._session = session
        self._send = send
        self._clock = services.clock
        self._phase = services.phase
        self._client_requests = ClientRequests(session, send, services.clock)
        presenter = Presenter(session, self._client_requests, send, services)
        tools = Tools(name, session, self._client_requests, presenter, services)
        self._tools = {
            schema.COLLECT: tools.collect_secret,
            schema.AWAIT: tools.await_secret,
            schema.CANCEL: tools.cancel_secret,
        }
        self._running: dict[Call, Deferred[None]] = {}

    @singledispatchmethod
    def handle(self, event: Event) -> None:
        """Take one event of the session."""
        raise TypeError(event)

    @handle.register
    def _(self, event: Send) -> None:
        self._send(event.data)

    @handle.register
    def _(self, event: Remark) -> None:
        self._log.warn("{remark}", remark=event.text)

    @handle.register
    def _(self, event: Answered) -> None:
        self._client_requests.answered(event)

    @handle.register
    def _(self, event: CallCancelled) -> None:
        running = self._running.get(event.call)
        if running is not None:
            running.cancel()

    @handle.register
    def _(self, event: CallStarted) -> None:
        call = event.call
        running = Deferred.fromCoroutine(self._serve(call))
        if running.called:
            running.addErrback(self._broke)
            return
        self._running[call] = running
        reports = LoopingCall(self._report, call)
        reports.clock = self._clock
        if call.progress_token is not None:
            reports.start(timeouts.PROGRESS_EVERY, now=False)
        running.addBoth(self._ended, call, reports)
        running.addErrback(self._broke)

    def settle(self, seconds: float) -> Deferred[None]:
        """Give up the calls that do not end by themselves within `seconds`. Fire when none is left."""
        settled = DeferredList(list(self._running.values()))
        settled.addTimeout(seconds, self._clock)  # cancels the calls, which ends the list as well
        return settled.addCallback(lambda outcome: None)

    def close(self) -> None:
        """Give every call up: the client is gone."""
        for running in tuple(self._running.values()):
            running.cancel()

    async def _serve(self, call: Call) -> None:
        result = await self._result(call)
        self._send(self._session.answer(call, result))

    async def _result(self, call: Call) -> Object:
        try:
            return await self._tools[call.tool](call)
        except CancelledError:
            raise
        except errors.OffpromptError as refused:
            return results.refusal(str(refused))
        except Exception as error:
            if installation.is_cause_of(error):
                self._log.warn("offprompt was updated or removed while it ran.")
                return results.refusal(words.refuse_outdated())
            self._log.failure("A call of {tool} broke.", tool=call.tool)
            return results.refusal(words.refuse_fault())

    def _report(self, call: Call) -> None:
        self._send(self._session.progress(call, self._phase() or words.WAITING))

    def _ended(self, outcome: Failure | None, call: Call, reports: LoopingCall) -> Failure | None:
        if reports.running:
            reports.stop()
        self._running.pop(call, None)
        return outcome

    def _broke(self, failure: Failure) -> None:
        if not failure.check(CancelledError):
            self._log.failure("A call could not be answered.", failure)
