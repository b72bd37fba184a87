from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_twisted
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Site

from offprompt.tunnel.metrics import Metrics


class Cloudflared(Resource):
    """The two pages of cloudflared's metrics server."""

    isLeaf = True

    def __init__(self) -> None:
        super().__init__()
        self.status = 200
        self.body: bytes | int = b""

    def render_GET(self, request: Any) -> Any:
        request.setResponseCode(self.status)
        return self.body


@pytest_twisted.async_yield_fixture
async def cloudflared() -> AsyncIterator[tuple[Cloudflared, Metrics]]:
    from twisted.internet import reactor

    page = Cloudflared()
    port = reactor.listenTCP(0, Site(page), interface="127.0.0.1")
    yield page, Metrics(reactor, lambda: port.getHost().port, 0.2)
    await port.stopListening()


@pytest_twisted.ensureDeferred
async def test_R17_ready_is_200_and_nothing_else(cloudflared):
    page, asked = cloudflared
    assert await asked.ready()
    for status in (503, 404, 500, 301):
        page.status = status
        assert not await asked.ready()


@pytest_twisted.ensureDeferred
async def test_R12_the_host_is_believed_only_when_it_can_be_a_tunnels(cloudflared):
    page, asked = cloudflared
    page.body = b'{"hostname":"blue-quick-fox-jumps.trycloudflare.com"}'
    assert await asked.host() == "blue-quick-fox-jumps.trycloudflare.com"
    for body in (
        b'{"hostname":""}', b'{"hostname":"api.trycloudflare.com"}', b'{"hostname":"evil.example"}', b'{"hostname":5}',
        b'{"hostname":"a.trycloudflare.com\\n"}', b"{}", b"[]", b"5", b"", b"no JSON", b"[" * 4000, b"x" * 9999,
    ):  # fmt: skip
        page.body = body
        assert await asked.host() == "", body
    page.status = 503
    page.body = b'{"hostname":"blue.trycloudflare.com"}'
    assert await asked.host() == ""


@pytest_twisted.ensureDeferred
async def test_one_that_does_not_answer_is_not_ready(cloudflared):
    page, asked = cloudflared
    page.body = NOT_DONE_YET
    assert not await asked.ready()
    gone = Metrics(asked._reactor, lambda: 1, 0.1)
    assert gone.known
    assert not await gone.ready()
    assert await gone.host() == ""
    assert not Metrics(asked._reactor, lambda: 0, 0.2).known
