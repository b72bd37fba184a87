"""How a page gets in front of the person: the agent's own dialog, their browser, or a link that works."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from offprompt import errors
from tests.agent.world import HERE, MODERN, Client, World

URL = {"elicitation": {"form": {}, "url": {}}}
WITH_URL = {**MODERN, "io.modelcontextprotocol/clientCapabilities": URL}


def asking_world(version: str = "2025-11-25", *, remote: bool = False, **capabilities: object) -> tuple[World, Client]:
    world = World(remote=remote)
    client = world.client()
    client.initialize(version, **(capabilities or URL))
    return world, client


def elicited(client: Client) -> dict:
    """The question that was put to the host."""
    (asked,) = client.heard()
    assert asked["method"] == "elicitation/create"
    return asked


# --- E1 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18"])
def test_E1_a_host_that_can_show_a_url_is_asked_to_and_the_model_gets_no_link(version):
    world, client = asking_world(version)
    number = client.collect()
    asked = elicited(client)
    assert asked["params"]["mode"] == "url"
    assert asked["params"]["url"] == str(world.record().link(HERE.url))
    client.say({"id": asked["id"], "result": {"action": "accept"}})
    world.answer(world.record())
    answers = [message for message in client.heard() if message.get("id") == number]
    assert answers[0]["result"]["structuredContent"]["status"] == "written"
    assert "url" not in answers[0]["result"]["structuredContent"]
    assert world.opened == []


@pytest.mark.parametrize(
    ("version", "capabilities"),
    [
        ("2025-11-25", {"elicitation": {}}),
        ("2025-11-25", {"elicitation": {"form": {}}}),
        ("2025-11-25", {"elicitation": {"url": True}}),
        ("2025-11-25", {"elicitation": "url"}),
        ("2025-03-26", URL),
        ("2024-11-05", URL),
    ],
)
def test_E1_a_host_that_cannot_show_a_url_is_never_asked(version, capabilities):
    world, client = asking_world(version, **capabilities)
    client.collect()
    assert client.heard() == []
    assert world.opened
    world.clock.advance(5)


def test_E1_codex_shows_https_alone_so_a_page_on_this_machine_opens_in_the_browser():
    """It declines `http://127.0.0.1` by itself, which would leave the person with neither a dialog nor a page."""
    world = World()
    client = world.client()
    client.initialize("2025-06-18", "codex-mcp-client", **URL)
    client.collect()
    assert client.heard() == []
    assert world.opened == [str(world.record().link(HERE.url))]


def test_E1_codex_is_asked_to_show_a_public_page():
    world = World(remote=True)
    world.tunnel.up("four-words.trycloudflare.com")
    client = world.client()
    client.initialize("2025-06-18", "codex-mcp-client", **URL)
    client.collect()
    assert elicited(client)["params"]["url"].startswith("https://four-words.trycloudflare.com/r/")


# --- E2 ---------------------------------------------------------------------------------------------------------------


def modern_collect(client: Client, meta: dict | None = None, **params: object) -> dict:
    client.say(
        {
            "id": 7,
            "method": "tools/call",
            "params": {
                "name": "collect_secret",
                "arguments": {"secrets": [{"name": "A_KEY"}]},
                "_meta": meta or WITH_URL,
                **params,
            },
        }
    )
    (message,) = client.heard() or ({"result": None},)
    return message["result"]


def test_E2_a_modern_call_asks_by_its_result_and_resumes_the_same_request_under_a_new_id():
    world = World()
    client = world.client()
    result = modern_collect(client)
    assert result["resultType"] == "input_required"
    ((key, question),) = result["inputRequests"].items()
    assert question["method"] == "elicitation/create"
    assert set(question["params"]) == {"mode", "message", "url"}
    record = world.record()
    answer = {key: {"action": "accept"}}
    assert modern_collect(client, requestState=result["requestState"], inputResponses=answer) is None
    world.answer(record)
    (message,) = client.heard()
    assert message["id"] == 7
    assert message["result"]["structuredContent"]["request_id"] == record.request_id
    assert message["result"]["structuredContent"]["status"] == "written"


@pytest.mark.parametrize("responses", [{}, {"page": None}, {"page": []}, {"page": {"action": 1}}, {"other": {}}])
def test_E2_an_answer_that_is_none_is_no_consent(responses):
    world = World()
    client = world.client()
    state = modern_collect(client)["requestState"]
    told = modern_collect(client, requestState=state, inputResponses=responses)["structuredContent"]
    assert "url" in told


def test_E2_a_state_that_is_forged_foreign_of_other_arguments_or_expired_is_refused():
    world = World()
    client, stranger = world.client(), world.client()
    state = modern_collect(client)["requestState"]
    answer = {"page": {"action": "accept"}}

    def refused(who: Client, claimed: object, **more: object) -> bool:
        result = modern_collect(who, requestState=claimed, inputResponses=answer, **more)
        return result["isError"] and "state" in result["structuredContent"]["error"]

    assert refused(client, "0" * 32)
    assert refused(client, "")
    assert refused(stranger, state)
    assert refused(client, state, arguments={"secrets": [{"name": "ANOTHER_KEY"}]})
    world.clock.advance(600)
    assert refused(client, state)


def test_E2_a_modern_host_without_a_dialog_gets_the_browser_or_the_link():
    world = World()
    world.browser = False
    client = world.client()
    assert "url" in modern_collect(client, MODERN)["structuredContent"]


# --- E3 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("remote", [False, True])
def test_E3_after_a_decline_nothing_opens_by_itself_and_the_result_has_the_link(action, remote):
    world, client = asking_world(remote=remote)
    number = client.collect()
    asked = elicited(client)
    client.say({"id": asked["id"], "result": {"action": action}})
    told = client.result(number)
    assert told["status"] == "awaiting"
    assert told["url"] == str(world.record().link(HERE.url))
    assert world.opened == []


def test_E3_a_host_that_answers_with_an_error_has_no_dialog_so_the_browser_opens():
    world, client = asking_world()
    number = client.collect()
    asked = elicited(client)
    client.say({"id": asked["id"], "error": {"code": -32601, "message": "no"}})
    assert len(world.opened) == 1
    world.record().fetched(world.clock.seconds())
    world.answer(world.record())
    assert client.result(number)["status"] == "written"


def test_E3_silence_ends_with_the_calls_own_time_and_the_link():
    world, client = asking_world()
    number = client.collect()
    asked = elicited(client)
    world.clock.advance(44)
    assert client.heard() == []
    world.clock.advance(1)
    withdrawn, answer = client.heard()
    assert withdrawn["params"]["requestId"] == asked["id"]
    assert answer["id"] == number
    assert "url" in answer["result"]["structuredContent"]
    assert world.opened == []


def closed_by_the_agent(world: World) -> None:
    assert world.record().cancel("agent", world.clock.seconds())


def closed_by_the_operator(world: World) -> None:
    assert world.record().cancel("operator", world.clock.seconds())


def declined_on_the_page(world: World) -> None:
    assert world.record().cancel("person", world.clock.seconds())


def written_on_the_page(world: World) -> None:
    world.answer(world.record())


CLOSES = pytest.mark.parametrize(
    ("closes", "status"),
    [
        (written_on_the_page, "written"),
        (declined_on_the_page, "cancelled"),
        (closed_by_the_agent, "cancelled"),
        (closed_by_the_operator, "cancelled"),
    ],
)


@CLOSES
@pytest.mark.parametrize("remote", [False, True])
def test_W4_the_end_of_a_request_ends_a_question_that_the_host_leaves_unanswered(closes, status, remote):
    world, client = asking_world(remote=remote)
    number = client.collect()
    asked = elicited(client)
    world.clock.advance(3)
    closes(world)
    withdrawn, answer = client.heard()
    assert withdrawn["method"] == "notifications/cancelled"
    assert withdrawn["params"]["requestId"] == asked["id"]
    assert answer["id"] == number
    assert answer["result"]["structuredContent"]["status"] == status
    client.say({"id": asked["id"], "result": {"action": "accept"}})
    assert client.heard() == []
    world.ledger.sweep(1e9)
    assert world.clock.getDelayedCalls() == []


def test_W4_a_cancel_of_the_agents_own_ends_a_call_that_waits_in_the_dialog():
    world, client = asking_world()
    collecting = client.collect()
    elicited(client)
    cancelling = client.call("cancel_secret", {"request_id": world.record().request_id})
    answers = {message["id"]: message["result"]["structuredContent"] for message in client.heard() if "id" in message}
    assert answers[collecting]["status"] == answers[cancelling]["status"] == "cancelled"


@CLOSES
def test_W4_the_end_of_a_request_ends_the_wait_for_its_link(closes, status):
    world = World(remote=True)
    world.tunnel.pending = Deferred()
    client = world.client()
    client.initialize()
    number = client.collect()
    world.clock.advance(3)
    closes(world)
    assert client.result(number)["status"] == status


def test_W2_a_dialog_lasts_no_longer_than_the_agent_would_wait():
    world, client = asking_world()
    number = client.collect(wait_seconds=12)
    asked = elicited(client)
    world.clock.advance(11.9)
    assert client.heard() == []
    world.clock.advance(0.1)
    withdrawn, answer = client.heard()
    assert withdrawn["params"]["requestId"] == asked["id"]
    assert answer["id"] == number
    assert "url" in answer["result"]["structuredContent"]


@pytest.mark.parametrize("seconds", [0, 1, 2])
def test_W2_a_call_that_hardly_waits_shows_no_dialog_that_would_vanish_at_once(seconds):
    _, client = asking_world(remote=True)
    number = client.collect(wait_seconds=seconds)
    assert "url" in client.result(number)


def test_E3_with_progress_silence_ends_after_a_minute():
    world, client = asking_world()
    client.collect(token=1)
    elicited(client)
    world.clock.pump([10] * 5 + [9.9])
    assert all("progress" in message["method"] for message in client.heard())
    world.clock.advance(0.2)
    assert any("result" in message for message in client.heard())


def test_E3_an_accepted_page_is_waited_for_in_the_time_that_is_left():
    world, client = asking_world()
    number = client.collect()
    asked = elicited(client)
    world.clock.advance(20)
    client.say({"id": asked["id"], "result": {"action": "accept"}})
    world.clock.advance(24.9)
    assert client.heard() == []
    world.clock.advance(0.2)
    told = client.result(number)
    assert told["status"] == "awaiting"
    assert "url" not in told


def test_from_a_sandbox_the_link_is_in_the_result_even_when_the_dialog_was_accepted():
    world, client = asking_world(remote=True)
    number = client.collect(wait_seconds=3)
    asked = elicited(client)
    client.say({"id": asked["id"], "result": {"action": "accept"}})
    world.clock.advance(3)
    assert "url" in client.result(number)


# --- E4, E5 -----------------------------------------------------------------------------------------------------------


def test_E4_a_host_that_never_answers_blocks_only_that_call():
    world, client = asking_world(roots={}, **URL)
    client.collect()
    assert client.heard()[0]["method"] == "roots/list"
    client.say({"id": "p", "method": "ping"})
    assert client.heard()[0]["id"] == "p"
    world.clock.advance(2)
    assert [message["method"] for message in client.heard()] == ["notifications/cancelled", "elicitation/create"]
    client.say({"id": "p2", "method": "ping"})
    assert client.heard()[0]["id"] == "p2"
    client.protocol.connectionLost()
    world.ledger.sweep(1e9)
    assert world.clock.getDelayedCalls() == []


@pytest.mark.parametrize(("version", "notices"), [("2025-11-25", 1), ("2025-06-18", 0)])
def test_E5_the_host_hears_once_that_the_page_is_done(version, notices):
    world, client = asking_world(version)
    client.collect(wait_seconds=1)
    asked = elicited(client)
    client.say({"id": asked["id"], "result": {"action": "accept"}})
    world.clock.advance(1)
    client.heard()
    world.answer(world.record())
    heard = client.heard()
    assert len(heard) == notices
    for notice in heard:
        assert notice["method"] == "notifications/elicitation/complete"
        assert notice["params"] == {"elicitationId": asked["params"]["elicitationId"]}
    world.clock.advance(4000)
    assert client.heard() == []


def test_E5_the_url_says_nothing_about_the_person_or_the_value():
    world, client = asking_world()
    world.clock.advance(0)
    client.collect(reason="for jane@example.com")
    asked = elicited(client)
    assert "jane" not in asked["params"]["url"]
    assert "STRIPE" not in asked["params"]["url"]
    client.protocol.connectionLost()


# --- a tunnel that takes its time -------------------------------------------------------------------------------------


def test_a_call_never_outlives_its_time_because_a_tunnel_is_slow():
    world = World(remote=True)
    world.tunnel.pending = Deferred()
    client = world.client()
    client.initialize()
    number = client.collect(wait_seconds=0)
    world.clock.advance(44.9)
    assert client.heard() == []
    world.clock.advance(0.1)
    told = client.result(number)
    assert told["status"] == "awaiting"
    assert "url" not in told
    assert "await_secret" in told["note"]


def test_await_brings_the_link_as_soon_as_there_is_one():
    world = World(remote=True)
    world.tunnel.pending = Deferred()
    client = world.client()
    client.initialize()
    number = client.collect()
    world.clock.advance(45)
    request_id = client.result(number)["request_id"]
    world.tunnel.pending = Deferred()
    number = client.wait(request_id)
    world.clock.advance(7)
    assert client.heard() == []
    world.tunnel.pending.callback("https://late.trycloudflare.com")
    assert client.result(number)["url"].startswith("https://late.trycloudflare.com/r/")


def test_a_late_tunnel_ends_the_wait_and_its_link_replaces_the_local_one():
    world = World(remote=True)
    world.tunnel.problem = errors.NotConnected()
    client = world.client()
    client.initialize()
    shown = client.result(client.collect())
    assert shown["url"].startswith(HERE.url)
    assert "has not connected the link yet" in shown["note"]
    number = client.wait(shown["request_id"])
    world.clock.advance(3)
    world.tunnel.up("late.trycloudflare.com")
    told = client.result(number)
    assert told["url"].startswith("https://late.trycloudflare.com/r/")
    assert "replaces any earlier link" in told["note"]
    number = client.wait(shown["request_id"])
    world.clock.advance(44.9)
    assert client.heard() == []
    world.clock.advance(0.1)
    assert client.result(number)["url"] == told["url"]


def test_a_link_that_stopped_working_is_not_repeated():
    world = World(remote=True)
    world.tunnel.up("first.trycloudflare.com")
    client = world.client()
    client.initialize()
    shown = client.result(client.collect())
    number = client.wait(shown["request_id"])
    world.tunnel.up("")
    world.clock.advance(1)
    world.tunnel.up("second.trycloudflare.com")
    assert client.result(number)["url"].startswith("https://second.trycloudflare.com/r/")


def test_a_link_handed_out_was_proven_within_the_last_ten_seconds():
    world = World(remote=True)
    world.tunnel.up("first.trycloudflare.com")
    client = world.client()
    client.initialize()
    shown = client.result(client.collect())
    asked = world.tunnel.asked
    number = client.wait(shown["request_id"])
    world.clock.advance(42.9)
    assert world.tunnel.asked == asked
    world.clock.advance(0.2)
    assert world.tunnel.asked > asked
    world.clock.advance(2)
    assert client.result(number)["url"] == shown["url"]


@pytest.mark.parametrize("action", ["accept", "decline"])
def test_a_link_that_died_while_the_dialog_was_open_is_not_handed_out(action):
    world, client = asking_world(remote=True)
    world.tunnel.up("first.trycloudflare.com")
    number = client.collect()
    asked = elicited(client)
    world.clock.advance(15)
    world.tunnel.up("second.trycloudflare.com")
    client.say({"id": asked["id"], "result": {"action": action}})
    world.clock.advance(45)
    assert client.result(number)["url"].startswith("https://second.trycloudflare.com/r/")


def test_the_persons_answer_ends_every_wait_at_once():
    world = World(remote=True)
    world.tunnel.up("first.trycloudflare.com")
    client = world.client()
    client.initialize()
    shown = client.result(client.collect())
    for seconds in (1, 43.5):
        number = client.wait(shown["request_id"])
        world.clock.advance(seconds)
        if seconds > 2:
            world.answer(world.record())
            assert client.result(number)["status"] == "written"
        else:
            client.say({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert client.heard() == []


def test_what_goes_on_behind_a_call_is_its_progress():
    world = World(remote=True)
    world.tunnel.pending = Deferred()
    world.phase = "Downloading cloudflared: 40 %."
    client = world.client()
    client.initialize()
    client.collect(token=1)
    world.clock.advance(10)
    assert client.heard()[0]["params"]["message"] == "Downloading cloudflared: 40 %."
    client.protocol.connectionLost()
