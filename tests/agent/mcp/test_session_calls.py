"""Calls: how they come, how they are answered, and that a call that was given up is never answered."""

from __future__ import annotations

import itertools

import pytest

from offprompt.agent.mcp import results
from offprompt.agent.mcp.events import Call
from offprompt.agent.mcp.session import MAX_CALLS
from tests.agent.peer import AWAIT, COLLECT, PREFIX, RESULT, URL, Peer, meta


@pytest.fixture
def legacy(peer: Peer) -> Peer:
    peer.initialize("2025-06-18", URL)
    return peer


def answers(peer: Peer, call: Call) -> list[object]:
    return [message["id"] for message in peer.heard(peer.session.answer(call, RESULT))]


def test_a_call_says_everything_about_itself(legacy: Peer) -> None:
    call = legacy.call(COLLECT, id="c-1", progressToken=7, threadId="x")
    assert (call.id, call.tool, call.arguments) == ("c-1", "collect_secret", COLLECT["arguments"])
    assert (call.client.modern, call.client.version, call.client.name) == (False, "2025-06-18", "codex-mcp-client")
    assert (call.client.capabilities, call.progress_token) == (URL, 7)
    assert (call.input_responses, call.request_state) == ({}, None)
    assert legacy.session.calls == (call,)
    assert answers(legacy, call) == ["c-1"]
    assert legacy.session.calls == ()


def test_a_modern_call_brings_its_own_client(legacy: Peer) -> None:
    info = {"name": "claude-code", "title": "Claude Code", "version": "2"}
    call = legacy.call(COLLECT, modern=True, **{PREFIX + "clientInfo": info})
    assert (call.client.modern, call.client.version, call.client.name) == (True, "2026-07-28", "claude-code")
    assert call.client.capabilities == URL


def test_a_client_name_is_cut(legacy: Peer) -> None:
    call = legacy.call(modern=True, **{PREFIX + "clientInfo": {"name": "n" * 5000, "title": "t" * 5000}})
    assert len(call.client.name) == 128


def test_T6_absent_or_null_arguments_are_none(legacy: Peer) -> None:
    for params in ({"name": "await_secret"}, {"name": "await_secret", "arguments": None}):
        assert legacy.call(params).arguments == {}


@pytest.mark.parametrize(
    "params",
    [
        {}, {"name": None}, {"name": 5}, {"name": ["await_secret"]}, {"name": "nope"}, {"name": ""}, {"name": "Await"},
        {"name": "await_secret", "arguments": []}, {"name": "await_secret", "arguments": "{}"},
        {"name": "await_secret", "arguments": 0}, {"name": "await_secret", "requestState": 5}, [], "x",
    ],
)  # fmt: skip
def test_T6_a_malformed_call_is_an_error_of_the_protocol(legacy: Peer, params: object) -> None:
    assert legacy.ask("tools/call", params)["code"] == -32602
    if isinstance(params, dict):
        assert legacy.ask("tools/call", {**params, "_meta": meta()})["code"] == -32602
    assert legacy.session.calls == ()


def test_T8_calls_in_flight_hold_nothing_up(legacy: Peer) -> None:
    first, second = legacy.call(AWAIT), legacy.call(COLLECT)
    assert legacy.ask("ping") == {}
    assert len(legacy.ask("tools/list")["tools"]) == 3
    assert answers(legacy, second) == [second.id]
    third = legacy.call(AWAIT)
    assert answers(legacy, third) == [third.id]
    assert answers(legacy, first) == [first.id]


def test_a_call_is_answered_once(legacy: Peer) -> None:
    call = legacy.call()
    assert answers(legacy, call) == [call.id]
    assert answers(legacy, call) == []
    assert legacy.session.progress(call, "late") == b""
    again = legacy.call(id=call.id)
    assert answers(legacy, call) == [], "a later call with the same id is another one"
    assert answers(legacy, again) == [call.id]


def test_W5_a_cancelled_call_is_never_heard_of_again(legacy: Peer) -> None:
    call = legacy.call(progressToken=1)
    assert legacy.cancel(call.id) == [call]
    assert legacy.cancel(call.id) == [], "a second cancel finds nothing"
    assert legacy.session.answer(call, RESULT) == b""
    assert legacy.session.progress(call, "x") == b""
    assert legacy.session.calls == ()


@pytest.mark.parametrize("id", ["5", 6, 5.0, True, None, [5], {"id": 5}, "", "a" * 5000, -5])
def test_W5_a_cancel_that_means_nothing_is_ignored(legacy: Peer, id: object) -> None:
    call = legacy.call(id=5)
    assert legacy.cancel(id) == []
    assert legacy.notify("notifications/cancelled", {}) == []
    assert legacy.notify("notifications/cancelled") == []
    assert answers(legacy, call) == [5]
    assert legacy.cancel(5) == [], "it has ended; OpenCode cancels after the answer"


def test_W5_true_is_not_one(legacy: Peer) -> None:
    call = legacy.call(id=1)
    for id in (True, 1.0, "1"):
        assert legacy.cancel(id) == []
    assert legacy.cancel(1) == [call]


def test_W5_initialize_cannot_be_cancelled(peer: Peer) -> None:
    peer.initialize()
    assert peer.cancel(0) == []
    assert "tools" in peer.ask("tools/list")


def test_an_id_that_is_still_open_is_taken(legacy: Peer) -> None:
    call = legacy.call(id=9)
    assert legacy.ask("tools/call", AWAIT, id=9)["code"] == -32600
    assert legacy.ask("ping", id=9)["code"] == -32600
    other = legacy.call(id="9")
    assert answers(legacy, other) == ["9"], "the string is another id"
    assert answers(legacy, call) == [9]


@pytest.mark.parametrize("modern", [False, True])
def test_calls_have_a_limit_that_the_agent_is_told(legacy: Peer, modern: bool) -> None:
    calls = [legacy.call(AWAIT, modern=modern) for _ in range(MAX_CALLS)]
    params = {**AWAIT, "_meta": meta()} if modern else AWAIT
    refused = legacy.ask("tools/call", params)
    assert refused["isError"] is True
    assert "waiting" in refused["structuredContent"]["error"]
    assert ("resultType" in refused) is modern
    assert answers(legacy, calls[0]) == [calls[0].id]
    legacy.call(AWAIT, modern=modern)


@pytest.mark.parametrize("token", [0, "", 1, "a-b-c", -1, 2**60])
@pytest.mark.parametrize("modern", [False, True])
def test_W3_progress_is_told_to_every_token_in_growing_integers(legacy: Peer, token: object, modern: bool) -> None:
    call = legacy.call(modern=modern, progressToken=token)
    for n in (1, 2, 3):
        (told,) = legacy.heard(legacy.session.progress(call, "Waiting."))
        assert told["method"] == "notifications/progress"
        assert told["params"] == {"progressToken": token, "progress": n, "message": "Waiting."}
    legacy.session.answer(call, RESULT)
    assert legacy.session.progress(call, "Waiting.") == b""


@pytest.mark.parametrize("token", [None, True, 1.5, [], {}, "x" * 5000])
def test_W3_what_is_no_token_wants_no_progress(legacy: Peer, token: object) -> None:
    call = legacy.call(progressToken=token)
    assert call.progress_token is None
    assert legacy.session.progress(call, "Waiting.") == b""


def test_W3_the_first_revision_has_no_message_in_it(peer: Peer) -> None:
    peer.initialize("2024-11-05")
    call = peer.call(progressToken=1)
    (told,) = peer.heard(peer.session.progress(call, "Waiting."))
    assert told["params"] == {"progressToken": 1, "progress": 1}


def test_E2_a_modern_client_is_asked_by_a_result_and_calls_again(peer: Peer) -> None:
    call = peer.call(modern=True)
    params = {"mode": "url", "message": "Please open the page.", "url": "http://127.0.0.1:1/r/0"}
    asked = results.input_required({"page": {"method": "elicitation/create", "params": params}}, "state-1")
    (answer,) = peer.heard(peer.session.answer(call, asked))
    assert answer["result"]["resultType"] == "input_required"
    responses = {"page": {"action": "accept"}}
    again = peer.call({**COLLECT, "inputResponses": responses, "requestState": "state-1"}, modern=True)
    assert again.id != call.id
    assert (again.input_responses, again.request_state) == (responses, "state-1")


def test_E2_a_legacy_call_carries_no_state(legacy: Peer) -> None:
    call = legacy.call({**COLLECT, "inputResponses": {"a": 1}, "requestState": "s"})
    assert (call.input_responses, call.request_state) == ({}, None)


def test_the_answer_to_a_request_of_ours_is_an_event(legacy: Peer) -> None:
    asked, data = legacy.session.ask("roots/list", {})
    legacy.heard(data)
    assert legacy.say({"jsonrpc": "2.0", "id": asked, "result": {"roots": []}}) == []
    (answered,) = legacy.answered
    assert (answered.id, answered.result, answered.error) == (asked, {"roots": []}, None)
    legacy.say({"jsonrpc": "2.0", "id": asked, "result": {"roots": []}})
    assert legacy.answered == [], "once"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ({"error": {"code": -32601, "message": "no"}}, {"code": -32601, "message": "no"}),
        ({"error": "no"}, {}),
        ({"result": []}, {}),
        ({"result": None}, {}),
        ({"result": {}, "error": None}, {}),
    ],
)
def test_E3_an_error_is_an_answer_too(legacy: Peer, reply: dict[str, object], error: object) -> None:
    asked, _ = legacy.session.ask("roots/list")
    legacy.say({"jsonrpc": "2.0", "id": asked, **reply})
    (answered,) = legacy.answered
    assert (answered.result, answered.error) == (None, error)


def test_E4_a_request_that_is_not_answered_can_be_given_up(legacy: Peer) -> None:
    asked, _ = legacy.session.ask("roots/list")
    other, _ = legacy.session.ask("elicitation/create", {"mode": "url", "message": "m", "url": "u"})
    assert asked != other
    (said,) = legacy.heard(legacy.session.withdraw(asked))
    assert said["params"]["requestId"] == asked
    assert legacy.session.withdraw(asked) == b""
    legacy.say({"jsonrpc": "2.0", "id": asked, "result": {}})
    assert legacy.answered == [], "a late answer is ignored"


def test_a_number_is_no_answer_to_our_named_request(legacy: Peer) -> None:
    legacy.session.ask("roots/list")
    for id in (1, None, "offprompt-2", ["offprompt-1"]):
        legacy.say({"jsonrpc": "2.0", "id": id, "result": {}})
        assert legacy.answered == []


# --- batches ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def batching(peer: Peer) -> Peer:
    peer.initialize("2025-03-26")
    return peer


def a(id: object, method: str, params: object = None) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": id, "method": method, **({"params": params} if params is not None else {})}


def test_F7_a_batch_is_answered_as_one_when_its_last_call_is(batching: Peer) -> None:
    said = batching.say([
        a(1, "ping"), {"jsonrpc": "2.0", "method": "notifications/x"}, a(2, "tools/call", AWAIT), a(3, "nope"),
        a(4, "tools/call", COLLECT), 5, {"jsonrpc": "2.0", "id": "x", "result": {}},
    ])  # fmt: skip
    assert said == []
    first, second = batching.session.calls
    assert batching.session.answer(second, RESULT) == b""
    ((*batch,),) = batching.heard(batching.session.answer(first, RESULT))
    assert [(one["id"], one.get("error", {}).get("code")) for one in batch] == [
        (1, None), (3, -32601), (None, -32600), (4, None), (2, None),
    ]  # fmt: skip


def test_F7_progress_of_a_batch_does_not_wait_for_it(batching: Peer) -> None:
    batching.say([a(1, "tools/call", {**AWAIT, "_meta": {"progressToken": "t"}})])
    (call,) = batching.session.calls
    (told,) = batching.heard(batching.session.progress(call, "Waiting."))
    assert told["params"]["progressToken"] == "t"


def test_F7_a_batch_goes_on_without_what_is_cancelled(batching: Peer) -> None:
    batching.say([a(1, "tools/call", AWAIT), a(2, "tools/call", AWAIT), a(3, "ping")])
    first, second = batching.session.calls
    assert batching.session.answer(first, RESULT) == b""
    (batch,) = batching.notify("notifications/cancelled", {"requestId": 2})
    assert [one["id"] for one in batch] == [3, 1]
    assert batching.session.answer(second, RESULT) == b""


def test_F7_a_batch_with_nothing_to_say_is_not_answered(batching: Peer) -> None:
    assert batching.say([{"jsonrpc": "2.0", "method": "notifications/x"}]) == []
    batching.say([a(1, "tools/call", AWAIT)])
    assert batching.notify("notifications/cancelled", {"requestId": 1}) == []


def test_F7_a_batch_can_cancel_what_it_asks(batching: Peer) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert batching.say([a(1, "tools/call", AWAIT), cancel]) == []
    (batch,) = batching.say([a(1, "tools/call", AWAIT), cancel, a(2, "ping")])
    assert [one["id"] for one in batch] == [2]


def test_F7_what_is_answered_of_a_batch_is_said_at_the_end(batching: Peer) -> None:
    batching.say([a(1, "tools/call", AWAIT), a(2, "ping")])
    batching.say([a(3, "tools/call", AWAIT)])
    (batch,) = batching.heard(batching.session.close())
    assert [one["id"] for one in batch] == [2]


@pytest.mark.parametrize("messages", [[], [a(n, "ping") for n in range(65)]])
def test_F7_a_batch_is_neither_empty_nor_endless(batching: Peer, messages: list[object]) -> None:
    (answer,) = batching.say(messages)
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_F7_a_batch_of_the_most_is_served(batching: Peer) -> None:
    (batch,) = batching.say([a(n, "ping") for n in range(64)])
    assert len(batch) == 64


def test_F7_no_handshake_and_nothing_modern_is_in_a_batch(batching: Peer) -> None:
    hello = {"protocolVersion": "2025-11-25"}
    (batch,) = batching.say([a(1, "initialize", hello), a(2, "tools/list", {"_meta": meta()}), a(3, "ping"), [], "x"])
    codes = [one.get("error", {}).get("code") for one in batch]
    assert codes == [-32600, -32600, None, -32600, -32600]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_F7_other_revisions_have_no_batches(peer: Peer, version: str) -> None:
    peer.initialize(version)
    (answer,) = peer.say([a(1, "ping"), a(2, "ping")])
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_F7_before_the_handshake_a_batch_is_not_answered(peer: Peer) -> None:
    assert peer.say([a(1, "ping")]) == []
    assert len(peer.remarks) == 1


def test_the_calls_limit_counts_inside_a_batch(batching: Peer) -> None:
    assert batching.say([a(n, "tools/call", AWAIT) for n in range(64)]) == []
    (batch,) = batching.say([a(100, "tools/call", AWAIT)])
    assert batch[0]["result"]["isError"] is True


# --- any order --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("batched", [False, True])
def test_W5_in_every_order_of_answer_cancel_and_end_nothing_is_said_twice(batched: bool) -> None:
    for order in itertools.permutations(["answer", "answer", "cancel", "progress", "close"]):
        peer = Peer()
        peer.initialize("2025-03-26")
        message = a(1, "tools/call", {**AWAIT, "_meta": {"progressToken": 1}})
        peer.say([message] if batched else message)
        (call,) = peer.session.calls
        heard = []
        for step in order:
            if step == "answer":
                heard += peer.heard(peer.session.answer(call, RESULT))
            elif step == "progress":
                told = peer.heard(peer.session.progress(call, "Waiting."))
                assert not (told and {"answer", "cancel", "close"} & set(order[: order.index("progress")]))
            elif step == "cancel":
                peer.cancel(1)
            else:
                heard += peer.heard(peer.session.close())
        assert len(heard) == (1 if min(map(order.index, ("answer", "cancel", "close"))) == order.index("answer") else 0)
