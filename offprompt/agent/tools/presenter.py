"""How a request's page gets in front of the person: by their agent's own dialog, by their browser, or as a link."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from twisted.internet.defer import Deferred

from offprompt.agent import timeouts
from offprompt.agent.mcp import results, words
from offprompt.agent.tools.answers import told
from offprompt.agent.tools.arguments import collect_wait
from offprompt.agent.tools.wait import closed, until, while_open

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.agent.mcp.events import Call, Object
    from offprompt.agent.mcp.session import Session
    from offprompt.agent.tools.client_requests import Asking
    from offprompt.agent.tools.origins import Origin
    from offprompt.agent.tools.services import Surroundings
    from offprompt.request.record import Record

ELICITED = "page"
"""The name of our one question in an `input_required` result."""

SHOW_HTTPS_ALONE = ("codex",)
"""How the names of hosts begin that decline any other URL without showing it to the person (Codex 0.171, seen)."""


def _has_dialog(call: Call, origin: Origin) -> bool:
    """Whether the host would show this origin's URL to the person."""
    return origin.url.startswith("https://") or not call.client_name.startswith(SHOW_HTTPS_ALONE)


class Showing:
    """Shows pages for one session; each method answers with the result of the call that wanted it."""

    def __init__(
        self, session: Session, asking: Asking, send: Callable[[bytes], None], surroundings: Surroundings
    ) -> None:
        self._session = session
        self._asking = asking
        self._send = send
        self._around = surroundings
        self._shown: WeakKeyDictionary[Record, str] = WeakKeyDictionary()  # the url that the agent was last given

    async def show(self, call: Call, record: Record, wait: int) -> Object:
        """Show the page of `record` and wait for the person, `wait` seconds, while it is in front of them.

        The link is waited for as long as a call may last, whatever `wait` says; without one the agent is sent to
        `await_secret`.
        """
        longest = collect_wait(None, progress=call.progress_token is not None)
        begun = self._now()
        origin = await self._reach(record, longest)
        if origin is None:
            return told(record, self._now())
        left = wait - (self._now() - begun)
        if record.open and self._session.may_elicit(call) and _has_dialog(call, origin) and (call.modern or left > 0):
            params = self._elicitation(record, origin)
            if call.modern:
                requests: Object = {ELICITED: {"method": "elicitation/create", "params": params}}
                return results.input_required(requests, record.request_id)
            left -= timeouts.FRESH if record.order.remote else 0
            action = await self._elicit(record, params, min(left, timeouts.ELICITATION))
            if action != "error":
                return await self.after(record, action, wait - (self._now() - begun))
        if not record.open or record.order.remote or not await self._in_front(record, origin):
            return self._linked(record, origin)
        await until(closed, record, wait - (self._now() - begun), self._around.clock)
        return told(record, self._now())

    async def resume(self, call: Call, record: Record, wait: int) -> Object:
        """Go on with a modern call that is repeated with the client's answer to our question."""
        answer = call.input_responses.get(ELICITED)
        action = answer.get("action") if isinstance(answer, dict) else None
        return await self.after(record, action, wait)

    async def after(self, record: Record, action: object, wait: float) -> Object:
        """The person has, or has not, let their agent open the page.

        A decline is not their last word: agents without a screen decline by themselves. Nothing opens by itself then.
        The link that the result holds is proven anew, as the person may have taken their time.
        """
        if action == "accept" and not record.order.remote:
            await until(closed, record, wait, self._around.clock)
            return told(record, self._now())
        if action == "accept":
            await until(closed, record, wait - timeouts.FRESH, self._around.clock)
        return self._linked(record, await self._reach(record, timeouts.FRESH) if record.open else None)

    async def wait(self, record: Record, seconds: int) -> Object:
        """Wait for the person; a link that the agent has not shown yet, or that replaces one, ends the wait."""
        end = self._now() + seconds
        if not record.order.remote:
            await until(closed, record, seconds, self._around.clock)
            return told(record, self._now(), None if record.page_fetched else await self._around.origins.reach(False))
        if record.open and record not in self._shown:
            origin = await self._reach(record, seconds)
            if origin is not None:
                return self._linked(record, origin)
        while record.open and self._now() < end - timeouts.FRESH:
            news = self._around.origins.subscribe
            await until(closed, record, end - timeouts.FRESH - self._now(), self._around.clock, news)
            origin = await self._reach(record, end - self._now())
            if record.open and origin is not None and str(record.link(origin.url)) != self._shown.get(record):
                return self._linked(record, origin)
        origin = await self._reach(record, end - self._now()) if record.open else None
        await until(closed, record, end - self._now(), self._around.clock)
        return self._linked(record, origin)

    def _linked(self, record: Record, origin: Origin | None) -> Object:
        """The result with the link; a link that replaces another says so."""
        if origin is None or not record.open:
            return told(record, self._now())
        url = str(record.link(origin.url))
        before = self._shown.get(record, url)
        self._shown[record] = url
        return told(record, self._now(), origin, words.note_new_link() if before != url and origin.public else "")

    async def _reach(self, record: Record, seconds: float) -> Origin | None:
        reached = Deferred.fromCoroutine(self._around.origins.reach(record.order.remote))
        return await while_open(record, seconds, reached, self._around.clock)

    async def _elicit(self, record: Record, params: Object, seconds: float) -> object:
        """What the person chose: accept, decline, cancel; "error" when the client cannot ask, None in silence."""
        params = {**params, "elicitationId": record.request_id}
        asked = self._asking.ask("elicitation/create", params, seconds)
        answer = await while_open(record, seconds, asked, self._around.clock)
        action = answer.get("action", "error") if answer is not None else None
        if action == "accept":
            self._tell_when_closed(record)
        return action

    def _tell_when_closed(self, record: Record) -> None:
        def changed(record: Record) -> None:
            if not record.open:
                unsubscribe()
                self._send(self._session.elicited(record.request_id))

        unsubscribe = record.subscribe(changed)
        changed(record)

    def _elicitation(self, record: Record, origin: Origin) -> Object:
        message = words.elicitation(record.spec.names, record.spec.sink.path)
        return {"mode": "url", "message": message, "url": str(record.link(origin.url))}

    async def _in_front(self, record: Record, origin: Origin) -> bool:
        """Whether the page is, or soon was, in front of the person, in a browser that we opened."""
        if record.in_sight(self._now()):
            return True
        begun = self._now()

        def shown(record: Record) -> bool:
            return not record.open or (record.seen_at is not None and record.seen_at >= begun)

        if not self._around.open_page(str(record.link(origin.url))):
            return False
        return await until(shown, record, timeouts.FETCH, self._around.clock)

    def _now(self) -> float:
        return self._around.clock.seconds()
