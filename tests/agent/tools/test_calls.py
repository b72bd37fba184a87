"""Calls under way: side by side, reported on, given up, answered once."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.defer import Deferred

from offprompt.agent.tools.calls import Calls
from tests.agent.world import World, written


def a_waiting_call(token: object = None) -> tuple[World, object, int]:
    world = World()
    client = world.client()
    client.initialize()
    number = client.collect(token=token)
    world.record().fetched(world.clock.seconds())
    return world, client, number


def test_T8_a_long_call_delays_no_other():
    world, client, number = a_waiting_call()
    client.say({"id": "p", "method": "ping"})
    client.say({"id": "l", "method": "tools/list"})
    assert [message["id"] for message in client.heard()] == ["p", "l"]
    assert "error" in client.result(client.wait("none"))
    world.answer(world.record())
    assert client.result(number)["status"] == "written"


def test_W3_progress_comes_every_10_seconds_while_the_call_waits_and_not_after_its_answer():
    for token in (0, "", "uuid"):
        world, client, number = a_waiting_call(token)
        world.clock.pump([10, 10, 10])
        heard = client.heard()
        assert [message["params"]["progress"] for message in heard] == [1, 2, 3]
        assert {message["params"]["progressToken"] for message in heard} == {token}
        assert all("http" not in json.dumps(message) for message in heard)
        world.answer(world.record())
        assert client.heard()[0]["id"] == number
        world.clock.pump([10] * 20)
        assert client.heard() == []


def test_W5_a_cancelled_call_gets_no_answer_and_its_request_stays_valid():
    world, client, number = a_waiting_call(token=1)
    record = world.record()
    client.say({"method": "notifications/cancelled", "params": {"requestId": number, "reason": "timeout"}})
    world.clock.pump([10] * 12)
    assert client.heard() == []
    assert record.status == "awaiting"
    assert len(record._observers) == 1  # the ledger's own alone
    world.answer(record)
    assert client.result(client.wait(record.request_id))["status"] == "written"


def test_W5_what_names_no_call_cancels_none():
    world, client, number = a_waiting_call()
    for request_id in ("unknown", str(number), None, [number], {}, True, 1.5, "init"):
        client.say({"method": "notifications/cancelled", "params": {"requestId": request_id}})
    client.say({"method": "notifications/cancelled"})
    client.say({"method": "notifications/cancelled", "params": []})
    world.answer(world.record())
    assert client.result(number)["status"] == "written"
    client.say({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert client.heard() == []


def test_a_call_given_up_while_its_origin_is_sought_frees_it():
    world = World(remote=True)
    freed: list[object] = []
    world.tunnel.pending = Deferred(freed.append)
    client = world.client()
    client.initialize()
    number = client.collect()
    client.say({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert freed
    assert client.heard() == []


def test_a_call_given_up_while_the_host_is_asked_for_folders_withdraws_the_question():
    world = World(remote=True)
    client = world.client()
    client.initialize(roots={})
    number = client.collect()
    (asked,) = client.heard()
    client.say({"method": "notifications/cancelled", "params": {"requestId": number}})
    (withdrawn,) = client.heard()
    assert withdrawn["params"]["requestId"] == asked["id"]
    client.say({"id": asked["id"], "result": {"roots": []}})
    assert client.heard() == []
    assert world.clock.getDelayedCalls() == []


@given(
    st.lists(st.sampled_from(["submit", "fail", "cancel call", "cancel request", "wait", "again", "time"]), max_size=12)
)
def test_W5_no_order_of_events_gives_two_answers_or_a_crash(events):
    world = World(remote=True)
    client = world.client()
    client.initialize()
    open_calls = {client.collect(wait_seconds=0)}
    record = world.record()
    answers: list[int] = []
    dice = random.Random(repr(events))
    for event in events:
        if event == "submit" and record.status == "awaiting":
            world.answer(record)
        elif event == "fail" and record.status == "awaiting":
            record.begin_write()
            record.fail_write(world.clock.seconds())
        elif event == "cancel call":
            request_id = dice.choice(sorted(open_calls))
            client.say({"method": "notifications/cancelled", "params": {"requestId": request_id}})
        elif event == "cancel request":
            open_calls.add(client.call("cancel_secret", {"request_id": record.request_id}))
        elif event == "wait":
            open_calls.add(client.wait(record.request_id, wait_seconds=dice.choice([0, 20, 45])))
        elif event == "again":
            open_calls.add(client.collect())
        elif event == "time":
            world.clock.advance(dice.choice([1, 30, 60, 1800]))
    world.clock.pump([50])
    answers += [message["id"] for message in client.heard() if "id" in message]
    assert len(answers) == len(set(answers))
    assert set(answers) <= open_calls
    client.protocol.connectionLost()
    assert world.clock.getDelayedCalls() == []


def test_T7_no_line_of_a_conversation_holds_what_a_person_typed(caplog):
    """The door is never handed a value: what it says of a written request are names and emoji."""
    world, client, number = a_waiting_call()
    record = world.record()
    world.answer(record)
    said = json.dumps(client.result(number))
    assert set(vars(record.result) if hasattr(record.result, "__dict__") else record.result.__slots__) == {
        "file", "file_keys", "file_keys_more", "fingerprint", "outcomes", "shell_differs",
    }  # fmt: skip
    assert record.token not in said
    assert written(record) == record.result


def test_every_kind_of_event_has_a_place():
    world = World()
    sent: list[bytes] = []
    calls = Calls("s", world.client().protocol.session, sent.append, world.factory._services)
    try:
        calls.handle(object())  # type: ignore[arg-type]
    except TypeError:
        pass
    else:
        raise AssertionError("an unknown event passed silently")


def test_a_part_of_the_program_that_is_gone_is_told_as_what_it_is():
    """An upgrade replaced the files below a session that has served calls before."""
    world = World(remote=True)
    client = world.client()
    client.initialize()
    world.state = ImportError("no module named treq")
    assert "updated or removed while it ran" in client.result(client.collect())["error"]
