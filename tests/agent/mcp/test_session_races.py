"""Any order of calls, answers, progress, cancels, questions and the end: never two answers, never a crash (W5)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from offprompt.agent.mcp.events import Answered, Call, CallCancelled, CallStarted
from tests.agent.peer import AWAIT, COLLECT, RESULT, URL, Peer, meta

IDS = st.one_of(st.integers(0, 3), st.sampled_from(["0", "1", "2", "3"]))


class Hasty(Peer):
    """Does not hold messages against their schemas: ids mean several things at once here, and they are many."""

    def _check(self, message: Any) -> None:
        pass


class Conversation(RuleBasedStateMachine):
    """Plays both sides."""

    def __init__(self) -> None:
        super().__init__()
        self.peer = Hasty()
        self.peer.initialize("2025-03-26", URL)
        self.owed: Counter[str] = Counter()  # answers that may still come, by id
        self.open: list[Call] = []
        self.ended: list[Call] = []
        self.asked: list[str] = []
        self.closed = False

    def request(self, id: object, method: str, params: Any = None) -> dict[str, Any]:
        self.owed[repr(id)] += 1
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        return message if params is None else {**message, "params": params}

    def take(self, said: list[Any]) -> None:
        for message in said:
            for one in message if isinstance(message, list) else [message]:
                if "method" not in one:
                    self.owed[repr(one["id"])] -= 1
        for event in self.peer.events:
            if isinstance(event, CallStarted):
                self.open.append(event.call)
            elif isinstance(event, CallCancelled):
                self.open.remove(event.call)
                self.ended.append(event.call)
                self.owed[repr(event.call.id)] -= 1  # its answer must not come
            elif isinstance(event, Answered):
                self.asked.remove(event.id)
        self.peer.events = []

    @rule(id=IDS, modern=st.booleans(), params=st.sampled_from([AWAIT, COLLECT]))
    def call(self, id: object, modern: bool, params: dict[str, Any]) -> None:
        own = meta(URL, progressToken=0) if modern else {"progressToken": 0}
        self.take(self.peer.say(self.request(id, "tools/call", {**params, "_meta": own})))

    @rule(ids=st.lists(IDS, min_size=1, max_size=4), cancelled=IDS)
    def batch(self, ids: list[object], cancelled: object) -> None:
        messages = [self.request(id, "tools/call" if n % 2 else "ping", AWAIT) for n, id in enumerate(ids)]
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": cancelled}}
        self.take(self.peer.say([*messages, cancel]))

    @rule(id=IDS, method=st.sampled_from(["ping", "tools/list", "nope"]))
    def ask(self, id: object, method: str) -> None:
        self.take(self.peer.say(self.request(id, method)))

    @rule(id=IDS)
    def cancel(self, id: object) -> None:
        self.take(self.peer.notify("notifications/cancelled", {"requestId": id}))

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        call = data.draw(st.sampled_from(self.open))
        self.open.remove(call)
        self.ended.append(call)
        self.take(self.peer.heard(self.peer.session.answer(call, RESULT)))

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def answer_too_late(self, data: st.DataObject) -> None:
        call = data.draw(st.sampled_from(self.ended))
        assert self.peer.session.answer(call, RESULT) == b""
        assert self.peer.session.progress(call, "late") == b""

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def progress(self, data: st.DataObject) -> None:
        call = data.draw(st.sampled_from(self.open))
        before = call.reported
        told = self.peer.heard(self.peer.session.progress(call, "Waiting."))
        assert [one["params"]["progress"] for one in told] == ([before + 1] if call.progress_token == 0 else [])

    @precondition(lambda self: not self.closed)
    @rule()
    def question(self) -> None:
        asked, data = self.peer.session.ask("roots/list")
        assert asked not in self.asked
        self.asked.append(asked)
        self.peer.heard(data)

    @precondition(lambda self: self.asked)
    @rule(data=st.data(), withdrawn=st.booleans())
    def reply(self, data: st.DataObject, withdrawn: bool) -> None:
        asked = data.draw(st.sampled_from(self.asked))
        if withdrawn:
            self.asked.remove(asked)
            self.peer.heard(self.peer.session.withdraw(asked))
        for _ in range(2):
            self.take(self.peer.say({"jsonrpc": "2.0", "id": asked, "result": {}}))
        if not self.closed:
            assert asked not in self.asked

    @rule()
    def close(self) -> None:
        self.take(self.peer.heard(self.peer.session.close()))
        self.closed = True
        self.ended += self.open
        self.open = []

    @invariant()
    def no_request_has_more_than_one_answer(self) -> None:
        assert all(owed >= 0 for owed in self.owed.values()), json.dumps(self.owed)

    @invariant()
    def what_waits_is_known(self) -> None:
        assert set(self.peer.session.calls) == set(self.open)

    @invariant()
    def nothing_is_owed_when_nothing_waits(self) -> None:
        if not self.open and not self.closed:
            assert not any(self.owed.values())


def test_W5_never_two_answers_and_never_a_crash() -> None:
    run_state_machine_as_test(Conversation, settings=settings(max_examples=200, stateful_step_count=30))


def test_W5_a_cancel_and_an_answer_at_the_same_moment() -> None:
    """The client's cancel and our answer cross on the wire, a thousand times: one answer or none."""
    peer = Peer()
    peer.initialize()
    for n in range(1000):
        call = peer.call(id=n + 10)
        first = peer.session.answer(call, RESULT) if n % 2 else b""
        assert len(peer.cancel(call.id)) == (0 if n % 2 else 1)
        assert bool(first) is bool(n % 2)
        assert peer.session.answer(call, RESULT) == b""
    assert peer.session.calls == ()
