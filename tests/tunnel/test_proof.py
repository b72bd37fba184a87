"""R15 and R16: only our own nonce proves that the link leads here."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import deferLater

from offprompt import errors
from offprompt.tunnel.nonces import Nonces
from offprompt.tunnel.proof import MAX_PAGE, Prover, Verdict, judge
from tests.tunnel.authority import Authority
from tests.tunnel.front import answer
from tests.tunnel.scripted_cloudflared import HOST
from tests.tunnel.world import World

NONCE = "0123456789abcdef0123456789abcdef"


def test_R15_a_page_without_the_nonce_is_somebody_elses():
    for body in (
        b"",
        b"hello",
        NONCE[:-1].encode(),
        NONCE.upper().encode(),
        b"<p>" + NONCE.encode() + b"</p>",
        b"\xff",
    ):
        assert judge(200, body, NONCE) is Verdict.FOREIGN
    assert judge(200, NONCE.encode() + b"\n", NONCE) is Verdict.PROVEN


def test_R15_R16_what_other_answers_say():
    for status in (530, 502, 503, 504, 429, 500, 421, 403, 301, 302):
        assert judge(status, NONCE.encode(), NONCE) is Verdict.NOT_YET
    for status in (404, 418):
        assert judge(status, b"", NONCE) is Verdict.FOREIGN


class Page:
    """Stands in for the tunnel that the world's page asks."""

    def __init__(self) -> None:
        self.nonces = Nonces(secrets.token_bytes)
        self.well_known = self.nonces.answer

    def host(self) -> str:
        return HOST


def prover(world: World, **changes: Any) -> Prover:
    page = Page()
    world.page.tunnel = page  # type: ignore[assignment]
    made = Prover(world.reactor, world.network(**changes), page.nonces, world.limits)
    made.addresses = ("127.0.0.1",)
    return made


@pytest_twisted.ensureDeferred
async def test_R15_a_request_through_the_tunnel_comes_back_with_the_nonce(world: World):
    one = prover(world)
    assert await one.once(HOST) is Verdict.PROVEN
    assert world.page.hosts == [HOST]
    assert b"cache-control: no-store\r\n" in bytes(world.front.passages[0].up).lower()
    assert await one.once(HOST) is Verdict.PROVEN
    paths = [bytes(passage.up).split(b" ")[1] for passage in world.front.passages]
    assert len(set(paths)) == 2


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize(
    ("instead", "verdict"),
    [
        (answer(530, b"<html>error code: 1033</html>", "text/html"), Verdict.NOT_YET),
        (answer(530, b"error code: 1033"), Verdict.NOT_YET),
        (answer(530, b'{"error_code":1033,"retry_after":120}', "application/json"), Verdict.NOT_YET),
        (answer(502), Verdict.NOT_YET),
        (answer(429), Verdict.NOT_YET),
        (answer(200, b"Congrats! You created a tunnel!"), Verdict.FOREIGN),
        (answer(200, b"x" * (MAX_PAGE + 1)), Verdict.FOREIGN),
        (answer(404), Verdict.FOREIGN),
        (b"", Verdict.NOT_YET),
        (b"no HTTP at all\r\n\r\n", Verdict.NOT_YET),
        (b"HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\nContent-Length: 0\r\n\r\n", Verdict.NOT_YET),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 32\r\n\r\n0123", Verdict.NOT_YET),
    ],
)
async def test_R15_R16_anything_else_is_no_proof(world: World, instead: bytes, verdict: Verdict):
    world.front.instead.append(instead)
    assert await prover(world).once(HOST) is verdict


@pytest_twisted.ensureDeferred
async def test_R15_a_gzip_of_much_more_is_not_read(world: World):
    import gzip

    bomb = gzip.compress(b"\0" * 10_000_000)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    world.front.instead.append(head + bomb)
    assert await prover(world).once(HOST) is Verdict.FOREIGN


@pytest_twisted.ensureDeferred
async def test_R15_a_try_ends_after_its_time(world: World, monkeypatch: pytest.MonkeyPatch):
    world.hurry(one_try=0.3)
    monkeypatch.setattr(world.page, "render_GET", lambda request: 1)  # NOT_DONE_YET
    one = prover(world)
    assert await one.once(HOST) is Verdict.NOT_YET
    assert one._nonces._open == {}


@pytest_twisted.ensureDeferred
async def test_R15_the_name_is_verified_and_by_whom_the_system_trusts(world: World):
    assert await prover(world, trust=Authority("another").trust).once(HOST) is Verdict.INTERCEPTED
    assert await prover(world, trust=None).once(HOST) is Verdict.INTERCEPTED
    assert await prover(world).once("trycloudflare.com.evil.example") is Verdict.INTERCEPTED
    assert world.page.hosts == []


@pytest_twisted.ensureDeferred
async def test_an_address_that_cannot_be_reached_gives_way_to_the_next(world: World):
    one = prover(world)
    one.addresses = ("127.0.0.9", "127.0.0.1")
    closed = await one.once(HOST)
    assert (closed, one.addresses) == (Verdict.NOT_YET, ("127.0.0.1", "127.0.0.9"))
    assert await one.once(HOST) is Verdict.PROVEN


@pytest_twisted.ensureDeferred
async def test_R15_it_tries_until_it_is_proven_and_asks_for_the_name_once(world: World):
    world.hurry(pause=0.05)
    world.front.instead.extend([answer(530), answer(502), b"", answer(404), answer(200, b"hello"), answer(530)])
    one = prover(world)
    await one.prove(HOST)
    assert len(world.front.passages) == 7
    assert len(world.dns.asked_of(HOST)) <= 4  # A and AAAA, of two servers


@pytest_twisted.ensureDeferred
async def test_R16_a_page_that_is_never_ours_is_given_up(world: World):
    world.hurry(pause=0.05)
    world.front.instead.extend([answer(404)] * 3)
    with pytest.raises(errors.ForeignPage):
        await prover(world).prove(HOST)
    with pytest.raises(errors.Intercepted):
        await prover(world, trust=Authority("another").trust).prove(HOST)


@pytest_twisted.ensureDeferred
async def test_stopping_closes_the_connection_and_forgets_the_nonce(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(world.page, "render_GET", lambda request: 1)
    one = prover(world)
    running = Deferred.fromCoroutine(one.prove(HOST))
    await world.until(lambda: world.front.passages and world.front.passages[0].up)
    assert len(one._nonces._open) == 1
    running.cancel()
    with pytest.raises(CancelledError):
        await running
    assert one._nonces._open == {}
    await deferLater(world.reactor, 0.05)
    assert not world.front._open
