"""How a request's page gets in front of the person: by their agent's own dialog, by their browser, or as a link."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from offprompt import errors
from offprompt.agent import timeouts
from offprompt.agent.mcp import results
from offprompt.agent.tools import answers, notes
from offprompt.agent.tools.services import Origin, Services
from offprompt.agent.tools.wait import closed, seen_since, until, while_open

if TYPE_CHECKING:
    from collections.abc import Callable

    from offprompt.agent.mcp.events import Call, Object
    from offprompt.agent.mcp.session import Session
    from offprompt.agent.tools.arguments import Collect
    from offprompt.agent.tools.client_requests import ClientRequests
    from offprompt.request.record import Record

ELICITED = "page"
"""The name of our one question in an `input_required` result."""

SHOW_HTTPS_ALONE = ("codex",)
"""How the names of hosts begin that decline any other URL without showing it to the person (Codex 0.171, seen)."""


class Presenter:
    """Shows pages for one session; each method returns the result of the call that wanted it."""

    def __init__(
        self, session: Session, client_requests: ClientRequests, send: Callable[[bytes], None], services: Services
    ) -> None:
        self._session = session
        self._client_requests = client_requests
        self._send = send
        self._services = services
        self._now = services.clock.seconds
        self._shown: WeakKeyDictionary[Record, str] = WeakKeyDictionary()  # the url that the agent was last given

    async def show(self, call: Call, record: Record, asked: Collect, *, remote: bool) -> Object:
        """Show the page of `record`, and wait for the person while it is in front of them.

        `remote` says that the person's browser is on another machine.
        The link is waited for as long as a call may last, whatever the agent asked for; without one the agent is sent
        to `await_secret`. A dialog lasts no longer than the wait that the agent asked for.
        """
        end = self._now() + asked.wait
        origin = await self._reach(record, remote, asked.longest)
        if origin is None:
            return self._answer(record)
        if self._has_dialog(call, origin):
            params = self._elicitation(record, origin)
            if call.client.modern:
                requests: Object = {ELICITED: {"method": "elicitation/create", "params": params}}
                return results.input_required(requests, record.request_id)
            asking_ends = end - timeouts.FRESH if remote else end  # the link is proven anew afterwards
            if asking_ends > self._now():
                action = await self._elicit(record, params, asking_ends)
                if action != "error":
                    return await self._after(record, action, end)
        if remote or not await self._in_front(record, origin):
            return self._answer(record, origin)
        await self._closed_by(record, end)
        return self._answer(record)

    async def resume(self, call: Call, record: Record, wait: int) -> Object:
        """Go on with a modern call that is repeated with the client's answer to our question."""
        answer = call.input_responses.get(ELICITED)
        action = answer.get("action") if isinstance(answer, dict) else None
        return await self._after(record, action, self._now() + wait)

    async def wait(self, record: Record, seconds: int) -> Object:
        """Wait for the person; a link that the agent has not shown yet, or that replaces one, ends the wait."""
        end, remote = self._now() + seconds, record.order.remote
        if not remote:
            await self._closed_by(record, end)
            return self._answer(record, None if record.page_fetched else self._services.here())
        if record not in self._shown and not closed(record):
            origin = await self._reach(record, remote, seconds)
            if origin is not None:
                return self._answer(record, origin)
        while not closed(record) and self._now() < end - timeouts.FRESH:
            await until(
                closed,
                record,
                end - timeouts.FRESH - self._now(),
                self._services.clock,
                self._public_links,
            )
            origin = await self._reach(record, remote, end - self._now())
            if origin is not None and not closed(record) and str(record.link(origin.url)) != self._shown.get(record):
                return self._answer(record, origin)
        origin = await self._reach(record, remote, end - self._now()) if not closed(record) else None
        await self._closed_by(record, end)
        return self._answer(record, origin)

    async def _after(self, record: Record, action: object, end: float) -> Object:
        """Return the result once the person has, or has not, let their agent open the page.

        A decline is not their last word: agents without a screen decline by themselves. Nothing opens by itself then.
        The link that the result holds is proven anew, as the person may have taken their time.
        """
        remote = record.order.remote
        if action == "accept":
            await self._closed_by(record, end - timeouts.FRESH if remote else end)
            if not remote:
                return self._answer(record)
        return self._answer(record, await self._reach(record, remote, timeouts.FRESH) if not closed(record) else None)

    def _answer(self, record: Record, origin: Origin | None = None) -> Object:
        """Return how the request stands, with the link at `origin`; a link that replaces another says so."""
        note, url = "", ""
        if origin is not None and record.closed_at is None:
            url = str(record.link(origin.url))
            if origin.public and self._shown.get(record, url) != url:
                note = notes.new_link()
            for other in [other for other in self._shown if closed(other)]:
                del self._shown[other]  # it is remembered for an hour, and its link is not given out again
            self._shown[record] = url
        return answers.of(record, self._now(), origin, url, note=note, problems=self._services.problems)

    async def _closed_by(self, record: Record, end: float) -> bool:
        """Wait until the request is closed, or for the time `end`; return whether it is closed."""
        return await until(closed, record, end - self._now(), self._services.clock)

    async def _reach(self, record: Record, remote: bool, seconds: float) -> Origin | None:
        """Return where the page can be reached by a person who is here, or elsewhere.

        A tunnel is started and awaited where it helps; without one it is this machine, with the reason. Return None
        when that takes longer than `seconds`, or the request closes meanwhile.
        """
        here = self._services.here()
        if not remote:
            return here
        public = self._services.tunnel.origin()
        try:
            url = await (public if public.called else while_open(record, seconds, public, self._services.clock))
        except errors.TunnelUnavailable as unavailable:
            return Origin(here.url, False, here.port, here.asked_port, str(unavailable))
        return None if url is None else Origin(url, public=True)

    def _public_links(self, watcher: Callable[[object], None]) -> Callable[[], None]:
        """Call `watcher` whenever a public link is proven. Return what ends that."""
        return self._services.tunnel.subscribe(lambda url: watcher(url) if url else None)

    # --- the host's dialog --------------------------------------------------------------------------------------------

    def _has_dialog(self, call: Call, origin: Origin) -> bool:
        """Return whether the host would show this origin's URL to the person."""
        shows = origin.url.startswith("https://") or not call.client.name.startswith(SHOW_HTTPS_ALONE)
        return shows and self._session.may_elicit(call)

    def _elicitation(self, record: Record, origin: Origin) -> Object:
        message = notes.elicitation(record.spec.names, record.target.shown(record.spec.sink.path))
        return {"mode": "url", "message": message, "url": str(record.link(origin.url))}

    async def _elicit(self, record: Record, params: Object, end: float) -> object:
        """Return what the person chose: accept, decline or cancel.

        Return "error" when the client cannot ask. Return None when it is silent until `end`, or until the request is
        closed.
        """
        seconds = min(end - self._now(), timeouts.ELICITATION)
        params = {**params, "elicitationId": record.request_id}
        asked = self._client_requests.ask("elicitation/create", params, seconds)
        answer = await while_open(record, seconds, asked, self._services.clock)
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

    # --- the person's browser -----------------------------------------------------------------------------------------

    async def _in_front(self, record: Record, origin: Origin) -> bool:
        """Return whether the page is, or soon was, in front of the person, in a browser that we opened."""
        begun = self._now()
        if record.page_is_open(begun):
            return True

        if not self._services.open_page(str(record.link(origin.url))):
            return False
        return await until(seen_since(begun), record, timeouts.FETCH, self._services.clock)
