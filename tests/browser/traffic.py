"""The requests of a page that are under way: a test waits for their end, and not for a time."""

from __future__ import annotations

from playwright.sync_api import Page, Request

POLL = 5
"""Milliseconds between two looks."""

SETTLED = """() => new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    let left = 5;
    port1.onmessage = () => ((left -= 1) ? port2.postMessage(0) : done());
    port2.postMessage(0);
})"""
"""Some turns of the page's event loop, whatever its clock says: what has come in was dealt with."""


class Traffic:
    """Counts what a page asks for, from now on."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open: set[Request] = set()
        page.on("request", lambda request: self._open.add(request))
        page.on("requestfinished", lambda request: self._open.discard(request))
        page.on("requestfailed", lambda request: self._open.discard(request))

    def settle(self) -> None:
        """Wait until every answer has come and the page has dealt with it."""
        self._page.evaluate(SETTLED)
        while self._open:
            self._page.wait_for_timeout(POLL)
        self._page.evaluate(SETTLED)

    def run(self, seconds: int) -> None:
        """Let the page's own clock go on, a second at a time, with every answer dealt with in between."""
        for _ in range(seconds):
            self._page.clock.run_for(1000)
            self.settle()
