"""R13 and R14: a name is found, and nobody who remembers is asked too early."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import CancelledError, Deferred, fail, maybeDeferred, succeed
from twisted.internet.task import deferLater
from twisted.names import dns as wire
from twisted.web.resource import Resource
from twisted.web.server import NOT_DONE_YET, Site

from offprompt.tunnel.dns import Lookup
from offprompt.tunnel.limits import Limits
from offprompt.tunnel.network import Network
from tests.tunnel.authority import Authority
from tests.tunnel.fake_dns import FakeDNS

HOST = "blue-quick-fox-jumps.trycloudflare.com"


class OverHttps(Resource):
    """A public resolver (RFC 8484) that answers with `addresses`."""

    isLeaf = True

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.asked: list[str] = []
        self.answer = "ok"

    def render_GET(self, request: Any) -> Any:
        encoded = request.args[b"dns"][0]
        question = wire.Message()
        question.fromStr(base64.urlsafe_b64decode(encoded + b"=" * (-len(encoded) % 4)))
        self.asked.append(question.queries[0].name.name.decode())
        if self.answer == "nothing":
            return NOT_DONE_YET
        if self.answer == "garbage":
            return b"\x00\x01garbage"
        if self.answer == "long":
            return b"x" * 100_000
        answer = wire.Message(answer=1)
        answer.answers = [wire.RRHeader(HOST, wire.A, payload=wire.Record_A(each)) for each in self.addresses]
        return answer.toStr()


HASTY = Limits(
    first_question=0.05,
    question_every=0.05,
    server=0.15,
    zone=1.0,
    over_https_at=(0.25, 0.35),
    over_https=2.0,
    system_at=0.45,
)


class Net:
    """A fake DNS, two resolvers over HTTPS, a system; `quick` times."""

    def __init__(self, reactor: Any) -> None:
        self.reactor = reactor
        self.limits = HASTY
        self.dns = FakeDNS(reactor)
        self.authority = Authority()
        self.resolvers = [OverHttps(), OverHttps()]
        identity = self.authority.issue("127.0.0.1")
        self._ports = [
            reactor.listenSSL(0, Site(resolver), identity, interface="127.0.0.1") for resolver in self.resolvers
        ]
        self.system: list[str] = []
        self.system_asked: list[str] = []
        self.servers = ["127.0.0.1"]

    def network(self, **changes: Any) -> Network:
        facts: dict[str, Any] = {
            "trust": self.authority.trust,
            "dns_port": self.dns.port,
            "nameservers": lambda: [("127.0.0.1", self.dns.port)],
            "system_lookup": self._lookup,
            "over_https": tuple(f"127.0.0.1:{port.getHost().port}" for port in self._ports),
        }
        return Network(**facts | changes)

    def find(self, **changes: Any) -> Deferred[tuple[str, ...]]:
        return Deferred.fromCoroutine(Lookup(self.reactor, self.network(**changes), self.limits).find(HOST))

    def _lookup(self, reactor: Any, host: str) -> Deferred[list[str]]:
        if host.startswith("ns"):
            return succeed(list(self.servers))
        self.system_asked.append(host)
        return succeed(list(self.system))

    async def until(self, true: Callable[[], object]) -> None:
        """Return when `true` is."""
        end = self.reactor.seconds() + 30.0
        while not true():
            assert self.reactor.seconds() < end, "it never became true"
            await deferLater(self.reactor, 0.02)

    async def close(self) -> None:
        await self.dns.close()
        for port in self._ports:
            await maybeDeferred(port.stopListening)


@pytest_twisted.async_yield_fixture
async def net() -> AsyncIterator[Net]:
    from twisted.internet import reactor

    made = Net(reactor)
    yield made
    await made.close()


@pytest_twisted.ensureDeferred
async def test_R14_the_zones_own_servers_are_asked_without_recursion(net: Net):
    net.dns.records[HOST] = ["198.51.100.7", "198.51.100.8", "2001:db8::7"]
    assert await net.find() == ("198.51.100.7", "198.51.100.8", "2001:db8::7")
    asked = net.dns.asked_of(HOST)
    assert {question.kind for question in asked} == {wire.A, wire.AAAA}
    assert not any(question.recursive for question in asked)
    assert net.dns.remembered == set()
    assert net.system_asked == []
    assert [resolver.asked for resolver in net.resolvers] == [[], []]


@pytest_twisted.ensureDeferred
async def test_R14_the_first_question_waits_and_the_next_ones_too(net: Net):
    net.limits = replace(net.limits, first_question=0.3)
    started = net.reactor.seconds()
    running = net.find()
    await net.until(lambda: len(net.dns.asked_of(HOST)) >= 4)  # A and AAAA, twice
    running.addErrback(lambda failure: failure.trap(CancelledError))
    running.cancel()
    times = sorted(question.at - started for question in net.dns.asked_of(HOST))
    assert times[0] >= 0.3
    assert times[3] >= 0.3 + 0.05


@pytest_twisted.ensureDeferred
async def test_R14_a_name_that_appears_later_is_found_though_it_was_missing_before(net: Net):
    net.reactor.callLater(0.4, net.dns.records.__setitem__, HOST, ["198.51.100.7"])
    assert await net.find() == ("198.51.100.7",)
    assert len(net.dns.asked_of(HOST)) > 6
    assert net.dns.remembered == set()
    assert net.system_asked == []
    assert [resolver.asked for resolver in net.resolvers] == [[], []]


@pytest_twisted.ensureDeferred
async def test_R14_only_ipv6_is_fine(net: Net):
    net.dns.records[HOST] = ["2001:db8::7"]
    assert await net.find() == ("2001:db8::7",)


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize("mode", ["silent", "servfail", "intercepted", "no zone"])
async def test_R14_where_they_cannot_be_asked_each_resolver_over_https_is_asked_once(net: Net, mode: str):
    net.dns.mode = mode
    net.dns.records["other"] = []
    net.resolvers[1].addresses = ["198.51.100.9"]
    started = net.reactor.seconds()
    assert await net.find() == ("198.51.100.9",)
    assert net.reactor.seconds() - started >= 0.35
    assert [resolver.asked for resolver in net.resolvers] == [[HOST], [HOST]]
    assert net.system_asked == []


@pytest_twisted.ensureDeferred
@pytest.mark.parametrize("answer", ["nothing", "garbage", "long"])
async def test_R14_and_the_system_once_and_last(net: Net, answer: str):
    net.dns.mode = "silent"
    net.limits = replace(net.limits, over_https=0.1 if answer == "nothing" else 2.0)
    for resolver in net.resolvers:
        resolver.answer = answer
    net.system = ["198.51.100.10"]
    started = net.reactor.seconds()
    assert await net.find() == ("198.51.100.10",)
    assert net.reactor.seconds() - started >= 0.45
    assert net.system_asked == [HOST]


@pytest_twisted.ensureDeferred
async def test_R14_a_shared_resolver_is_never_asked_twice(net: Net):
    net.dns.mode = "silent"
    running = net.find()
    await net.until(lambda: net.system_asked)
    await deferLater(net.reactor, 0.3)
    assert not running.called
    running.addErrback(lambda failure: failure.trap(CancelledError))
    running.cancel()
    assert [resolver.asked for resolver in net.resolvers] == [[HOST], [HOST]]
    assert net.system_asked == [HOST]


@pytest_twisted.ensureDeferred
async def test_servers_of_either_family_that_cannot_be_reached_do_no_harm(net: Net):
    net.dns.records[HOST] = ["198.51.100.7"]
    net.servers = ["2001:db8::53", "127.0.0.1"]
    assert await net.find() == ("198.51.100.7",)


@pytest_twisted.ensureDeferred
async def test_servers_with_names_that_cannot_be_looked_up_do_no_harm(net: Net):
    def lookup(reactor: Any, host: str) -> Deferred[list[str]]:
        return fail(UnicodeError("label empty or too long")) if host != HOST else succeed(["198.51.100.10"])

    assert await net.find(system_lookup=lookup, over_https=()) == ("198.51.100.10",)


@pytest_twisted.ensureDeferred
async def test_a_nameserver_that_is_silent_is_followed_by_the_next(net: Net):
    net.dns.records[HOST] = ["198.51.100.7"]
    silent = FakeDNS(net.reactor)
    silent.mode = "silent"
    servers = [("127.0.0.1", silent.port), ("127.0.0.1", net.dns.port)]
    assert await net.find(nameservers=lambda: servers) == ("198.51.100.7",)
    await silent.close()


@pytest_twisted.ensureDeferred
async def test_stopping_leaves_no_question_open(net: Net):
    net.dns.mode = "silent"
    for wait in (0.0, 0.05, 0.2, 0.3, 0.5):
        running = net.find()
        await deferLater(net.reactor, wait)
        running.cancel()
        with pytest.raises(CancelledError):
            await running


@pytest_twisted.ensureDeferred
async def test_stopping_while_the_system_looks_for_the_zones_servers_ends_the_search(net: Net):
    """Twisted wraps that cancellation; taken for an answer that failed, it would be asked on for ever."""
    asked: list[Deferred[list[str]]] = []

    def never(reactor: Any, host: str) -> Deferred[list[str]]:
        asked.append(Deferred())
        return asked[-1]

    running = net.find(system_lookup=never)
    await net.until(lambda: asked)
    running.cancel()
    with pytest.raises(CancelledError):
        await running
