"""The three tools at work, for one session."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from twisted.internet.defer import CancelledError

from offprompt import errors
from offprompt.agent import timeouts
from offprompt.agent.tools import answers
from offprompt.agent.tools.arguments import parse_await, parse_cancel, parse_collect
from offprompt.agent.tools.roots import root_folders
from offprompt.agent.tools.wait import closed, until
from offprompt.registry.hosts import host_name
from offprompt.request.consent import reasons
from offprompt.request.fields import describe
from offprompt.request.order import RequestOrder
from offprompt.sinks.sink import Target

if TYPE_CHECKING:
    from offprompt.agent.mcp.events import Call, Object
    from offprompt.agent.mcp.session import Session
    from offprompt.agent.tools.client_requests import ClientRequests
    from offprompt.agent.tools.presenter import Presenter
    from offprompt.agent.tools.services import Services
    from offprompt.request.record import Record
    from offprompt.request.spec import RequestSpec


class Tools:
    """Serves the tool calls of the session called `name`.

    Each tool returns a tool result, or raises OffpromptError leaves whose sentence is the refusal. It takes a
    cancellation at every point where it waits.
    """

    def __init__(
        self, name: str, session: Session, client_requests: ClientRequests, presenter: Presenter, services: Services
    ) -> None:
        self._name = name
        self._session = session
        self._client_requests = client_requests
        self._presenter = presenter
        self._services = services
        self._now = services.clock.seconds

    async def collect_secret(self, call: Call) -> Object:
        """Open a request, show its page or have it shown, and wait while the page is in front of the person."""
        asked = parse_collect(call.arguments, self._services.sinks, progress=call.progress_token is not None)
        needs_nobody = asked.spec.generated_only
        if call.request_state is not None:
            return await self._presenter.resume(call, self._resumed(call.request_state, asked.spec), asked.wait)
        order = await self._order(call, asked.spec, remote=self._services.is_remote(bool(asked.sandbox)))
        record, new = self._services.ledger.open(order, self._now())
        if needs_nobody:
            return await self._generate(call, record, new)
        return await self._presenter.show(call, record, asked, remote=order.remote)

    async def await_secret(self, call: Call) -> Object:
        """Wait until the request is closed, or for as long as a call may."""
        request_id, wait = parse_await(call.arguments)
        return await self._presenter.wait(self._find(request_id), wait)

    async def cancel_secret(self, call: Call) -> Object:
        """Withdraw a request, unless it is closed or its values are being written."""
        record = self._find(parse_cancel(call.arguments))
        if record.cancel("agent", self._now()):
            return answers.of(record, self._now())
        return answers.too_late(record, self._now())

    async def _order(self, call: Call, spec: RequestSpec, *, remote: bool) -> RequestOrder:
        fields = tuple(map(describe, spec.entries))
        project = self._services.choose_project(await self._roots(call))
        state = await self._services.inspect(Target(project, spec.sink.kind, spec.sink.path))
        if not state.writable:
            raise errors.NoPermission(path=state.shown(spec.sink.path))
        if state.needs_consent and spec.generated_only:
            raise errors.GeneratedUnagreed(path=spec.sink.path, reasons=" ".join(reasons(state, spec.sink.path)))
        return RequestOrder(spec, fields, self._name, project, host_name(call.client.name), remote, state)

    async def _roots(self, call: Call) -> tuple[str, ...]:
        if call.client.modern or not self._session.may_list_roots(call):
            return ()
        named = await self._client_requests.ask("roots/list", None, timeouts.ROOTS)
        return root_folders(named, windows=sys.platform == "win32")

    async def _generate(self, call: Call, record: Record, new: bool) -> Object:
        """Write a request that nobody has to answer; a repeated call joins the write that is under way.

        Where that fails, the repeated call tries it itself, so that it can say why.
        """
        if new:
            try:
                await self._services.write(record)
            except (errors.OffpromptError, CancelledError):
                # It has no page on which it could be tried again. A write that goes on behind a cancelled call decides.
                record.cancel("agent", self._now())
                raise
        await until(closed, record, timeouts.GENERATING, self._services.clock)
        if record.cancelled_by == "agent" and not record.open:
            return await self.collect_secret(call)
        return answers.of(record, self._now(), problems=self._services.problems)

    def _resumed(self, state: str, spec: RequestSpec) -> Record:
        """Return the request that a modern client says it goes on with; what comes through it proves nothing."""
        record = self._services.ledger.by_id(self._name, state, self._now())
        if record is None or not record.asked_for(spec) or record.status == "expired":
            raise errors.StrangeState()
        return record

    def _find(self, request_id: str) -> Record:
        record = self._services.ledger.by_id(self._name, request_id, self._now())
        if record is None:
            raise errors.UnknownRequest()
        return record
