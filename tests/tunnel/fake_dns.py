"""A DNS server on loopback: the system's resolver and the zone's own server in one, with a memory like a resolver's.

What it was asked, and when, is kept. The zone's SOA says 1,800 s: a question with recursion desired that finds nothing
is remembered, and every later one of the kind gets the same answer, which is how the real zone punishes haste.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.protocol import DatagramProtocol
from twisted.names import dns

ZONE = "trycloudflare.com"
SOA_MINIMUM = 1800


@dataclass(frozen=True)
class Question:
    """One question, at a time of the reactor's clock; `recursive` where recursion was desired."""

    name: str
    kind: int
    recursive: bool
    at: float


class FakeDNS(DatagramProtocol):
    """The server. `records` are the addresses by name; names appear and go as a test likes.

    `mode` is "ok", "silent", "servfail", "no zone" (knows no servers of the zone) or "intercepted" (answers from the
    memory of something on the way, without the authority bit).
    """

    noisy = False

    def __init__(self, reactor: Any) -> None:
        self.records: dict[str, list[str]] = {}
        self.mode = "ok"
        self.questions: list[Question] = []
        self.remembered: set[str] = set()
        self._reactor = reactor
        self._listening = reactor.listenUDP(0, self, interface="127.0.0.1")
        self.port: int = self._listening.getHost().port

    def close(self) -> Deferred[Any]:
        return maybeDeferred(self._listening.stopListening)

    def asked_of(self, host: str) -> list[Question]:
        """The questions for the addresses of `host`."""
        return [question for question in self.questions if question.name == host]

    def datagramReceived(self, datagram: bytes, addr: tuple[str, int]) -> None:
        asked = dns.Message()
        asked.fromStr(datagram)
        query = asked.queries[0]
        name = query.name.name.decode().lower()
        self.questions.append(Question(name, query.type, bool(asked.recDes), self._reactor.seconds()))
        if self.mode == "silent":
            return
        answer = dns.Message(id=asked.id, answer=1, recDes=asked.recDes)
        answer.queries = asked.queries
        if self.mode == "servfail":
            answer.rCode = dns.ESERVER
        elif query.type == dns.NS and name == ZONE and self.mode != "no zone":
            answer.answers = [self._record(ZONE, dns.Record_NS(f"ns{number}.{ZONE}"), 86_400) for number in (1, 2)]
        else:
            self._address(answer, name, query.type, recursive=bool(asked.recDes))
        self.transport.write(answer.toStr(), addr)

    def _address(self, answer: dns.Message, name: str, kind: int, recursive: bool) -> None:
        answer.auth = 0 if recursive or self.mode == "intercepted" else 1
        known = self.records.get(name, [])
        if not known and (recursive or self.mode == "intercepted"):
            self.remembered.add(name)
        if not known or name in self.remembered:
            answer.rCode = dns.ENAME
            soa = dns.Record_SOA(f"ns1.{ZONE}", f"dns.{ZONE}", 1, minimum=SOA_MINIMUM)
            answer.authority = [self._record(ZONE, soa, SOA_MINIMUM)]
            return
        for address in known:
            six = ":" in address
            if kind == (dns.AAAA if six else dns.A):
                payload = dns.Record_AAAA(address) if six else dns.Record_A(address)
                answer.answers.append(self._record(name, payload, 60))

    @staticmethod
    def _record(name: str, payload: Any, ttl: int) -> dns.RRHeader:
        return dns.RRHeader(name, payload.TYPE, ttl=ttl, payload=payload)
