"""Questions to a client: answered, refused, met with silence, given up; each leaves nothing behind."""

from __future__ import annotations

import json

from twisted.internet.defer import CancelledError
from twisted.internet.task import Clock
from twisted.trial.unittest import SynchronousTestCase

from offprompt.agent.mcp.events import Answered
from offprompt.agent.mcp.session import Session
from offprompt.agent.tools.client_requests import ClientRequests

INITIALIZE = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"x","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)


class ClientRequestsTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.session = Session()
        self.session.receive(INITIALIZE)
        self.clock = Clock()
        self.sent: list[bytes] = []
        self.client_requests = ClientRequests(self.session, self.sent.append, self.clock)

    def said(self) -> list[dict]:
        lines = b"".join(self.sent).splitlines()
        self.sent.clear()
        return [json.loads(line) for line in lines]

    def answer(self, message: dict) -> None:
        (event,) = self.session.receive(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        assert isinstance(event, Answered)
        self.client_requests.answered(event)

    def test_an_answer_is_what_the_question_fires_with(self) -> None:
        asked = self.client_requests.ask("roots/list", None, 2)
        (question,) = self.said()
        self.assertNoResult(asked)
        self.answer({"id": question["id"], "result": {"roots": []}})
        assert self.successResultOf(asked) == {"roots": []}
        assert self.clock.getDelayedCalls() == []

    def test_a_client_that_cannot_is_told_from_one_that_is_silent(self) -> None:
        refused, silent = (
            self.client_requests.ask("roots/list", None, 2),
            self.client_requests.ask("roots/list", None, 2),
        )
        first, second = self.said()
        self.answer({"id": first["id"], "error": {"code": -32601, "message": "no"}})
        assert self.successResultOf(refused) == {}
        self.clock.advance(2)
        assert self.successResultOf(silent) is None
        (withdrawn,) = self.said()
        assert withdrawn["params"]["requestId"] == second["id"]

    def test_an_answer_behind_its_time_is_nobodys(self) -> None:
        asked = self.client_requests.ask("roots/list", None, 2)
        (question,) = self.said()
        self.clock.advance(2)
        self.successResultOf(asked)
        assert (
            self.session.receive(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": {}}).encode() + b"\n")
            == []
        )
        self.client_requests.answered(Answered(question["id"], {}, None))

    def test_a_question_given_up_is_withdrawn(self) -> None:
        asked = self.client_requests.ask("elicitation/create", {"mode": "url"}, 60)
        (question,) = self.said()
        asked.cancel()
        self.failureResultOf(asked, CancelledError)
        (withdrawn,) = self.said()
        assert withdrawn["params"]["requestId"] == question["id"]
        assert self.clock.getDelayedCalls() == []
