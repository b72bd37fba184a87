"""What an agent gets for its calls, and when."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from offprompt import errors
from offprompt.agent.tools.services import Origin
from offprompt.request.target import TargetState
from tests.agent.world import HERE, World, written

HANDS_OFF = "Do not open the file, do not open the link."


def waiting_world() -> tuple[World, object]:
    """A world whose browser has fetched the page, and its client, which waits."""
    world = World()
    client = world.client()
    client.initialize()
    return world, client


# --- where the page is shown ------------------------------------------------------------------------------------------


def test_from_a_sandbox_the_link_comes_at_once_whatever_the_agent_would_wait():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    told = client.result(client.collect(wait_seconds=240, token=None))
    record = world.record()
    assert list(told) == ["request_id", "status", "expires_in", "names", "sink", "url", "note"]
    assert told["url"] == str(record.link(HERE.url))
    assert told["status"] == "awaiting"
    assert told["expires_in"] == 1800
    assert "4711" in told["note"]
    assert HANDS_OFF in told["note"]
    assert world.opened == []


def test_a_public_link_needs_no_port_forwarding():
    world = World(remote=True)
    world.tunnel.up("four-words.trycloudflare.com")
    client = world.client()
    client.initialize()
    told = client.result(client.collect())
    assert told["url"].startswith("https://four-words.trycloudflare.com/r/")
    assert "port" not in told["note"]


def test_the_agents_sandbox_counts_where_the_environment_cannot_tell():
    world = World()
    client = world.client()
    client.initialize()
    assert "url" in client.result(client.collect(sandbox=True))
    assert world.opened == []


def test_on_the_persons_machine_the_page_opens_by_itself_and_the_model_gets_no_link():
    world, client = waiting_world()
    number = client.collect()
    record = world.record()
    assert world.opened == [str(record.link(HERE.url))]
    record.fetched(world.clock.seconds())
    assert client.heard() == []
    world.clock.advance(44.9)
    assert client.heard() == []
    world.clock.advance(0.1)
    told = client.result(number)
    assert told["status"] == "awaiting"
    assert "url" not in told
    assert "open in the person's browser" in told["note"]


def test_a_browser_that_has_not_fetched_the_page_in_5_seconds_counts_as_not_opened():
    world, client = waiting_world()
    number = client.collect()
    world.clock.advance(4.9)
    assert client.heard() == []
    world.clock.advance(0.1)
    assert "url" in client.result(number)


def test_a_page_that_was_closed_is_opened_again_when_the_call_is_repeated():
    world, client = waiting_world()
    number = client.collect(wait_seconds=1)
    world.record().fetched(world.clock.seconds())
    world.clock.advance(1)
    client.result(number)
    world.clock.advance(20)
    world.record().polled(world.clock.seconds())
    world.clock.advance(20)
    client.collect(wait_seconds=1)
    assert len(world.opened) == 1
    world.clock.advance(30)
    client.heard()
    number = client.collect(wait_seconds=1)
    assert len(world.opened) == 2
    world.clock.advance(5)
    assert "url" in client.result(number)


def test_without_a_browser_the_link_comes_at_once():
    world, client = waiting_world()
    world.browser = False
    assert "url" in client.result(client.collect())


def test_a_port_that_was_taken_is_told():
    world, client = waiting_world()
    world.browser = False
    world.here = Origin(HERE.url, public=False, port=4711, asked_port=4710)
    assert "4710 was in use" in client.result(client.collect())["note"]


def test_await_repeats_the_link_only_where_the_agent_had_to_show_it():
    world, client = waiting_world()
    world.browser = False
    shown = client.result(client.collect())
    number = client.wait(shown["request_id"], wait_seconds=1)
    world.clock.advance(1)
    assert client.result(number)["url"] == shown["url"]
    world.record().fetched(world.clock.seconds())
    number = client.wait(shown["request_id"], wait_seconds=1)
    world.clock.advance(1)
    assert "url" not in client.result(number)


# --- how long ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "asked", "seconds"),
    [(None, None, 45), (None, 240, 45), (None, 3, 3), (0, None, 110), ("", 240, 240), ("t", 3, 3), (7, 100_000, 240)],
)
def test_W2_collect_waits_longer_only_with_a_progress_token(token, asked, seconds):
    world, client = waiting_world()
    number = client.collect(token=token, **({} if asked is None else {"wait_seconds": asked}))
    world.record().fetched(world.clock.seconds())
    world.clock.advance(seconds - 0.1)
    assert [message for message in client.heard() if message.get("id") == number] == []
    world.clock.advance(0.1)
    assert [message["id"] for message in client.heard() if "id" in message] == [number]


@pytest.mark.parametrize(("asked", "seconds"), [(None, 45), (240, 45), (0, 0), (2, 2)])
def test_W1_await_answers_within_45_seconds_with_the_same_request(asked, seconds):
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    number = client.wait(request_id, **({} if asked is None else {"wait_seconds": asked}))
    if seconds:
        world.clock.advance(seconds - 0.1)
        assert client.heard() == []
        world.clock.advance(0.1)
    told = client.result(number)
    assert told["status"] == "awaiting"
    assert told["request_id"] == request_id


def test_W4_the_answer_is_sent_in_the_moment_the_person_submits():
    world, client = waiting_world()
    number = client.collect()
    record = world.record()
    record.fetched(world.clock.seconds())
    world.answer(record)
    told = client.result(number)
    assert told["tell_user"] == "Fingerprint 🍋 🥝 🌮 🧀 (lemon, kiwi, taco, cheese)"
    assert told["status"] == "written"
    assert told["fingerprint"] == "🍋 🥝 🌮 🧀"
    assert told["file_keys"] == ["STRIPE_SECRET_KEY"]
    assert list(told) == [
        "tell_user", "request_id", "status", "names", "fingerprint", "file_keys", "sink", "note",
    ]  # fmt: skip


def test_W6_the_same_call_again_is_the_same_request_whatever_it_would_wait():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    first = client.result(client.collect(reason="r", wait_seconds=1))
    again = client.result(client.collect(reason="r", wait_seconds=2))
    other = client.result(client.collect(reason="another"))
    assert first["request_id"] == again["request_id"] != other["request_id"]
    assert world.client() is not None
    stranger = world.client()
    stranger.initialize()
    assert stranger.result(stranger.collect(reason="r"))["request_id"] != first["request_id"]


def test_W7_delivery_is_repeated_for_an_hour_after_the_end():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    world.answer(world.record())
    world.clock.advance(3599)
    assert client.result(client.wait(request_id))["status"] == "written"
    world.clock.advance(1)
    assert "over an hour ago" in client.result(client.wait(request_id))["error"]


# --- how it ends ------------------------------------------------------------------------------------------------------


def test_a_person_who_says_no_is_respected():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    number = client.wait(request_id)
    world.record().cancel("person", world.clock.seconds())
    told = client.result(number)
    assert told["status"] == "cancelled"
    assert "do not ask for this again" in told["note"]


def test_an_operator_who_cancels_is_named():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    world.record().cancel("operator", world.clock.seconds())
    assert "operator" in client.result(client.wait(request_id))["note"]


def test_a_request_that_nobody_answered_is_expired():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    world.clock.advance(1800)
    assert client.result(client.wait(request_id))["status"] == "expired"


def test_cancel_withdraws_once_and_says_when_it_came_too_late():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    told = client.result(client.call("cancel_secret", {"request_id": request_id}))
    assert told["status"] == "cancelled"
    assert "withdrawn" in told["note"]
    told = client.result(client.call("cancel_secret", {"request_id": request_id}))
    assert "nothing to withdraw" in told["note"]


def test_a_cancel_during_the_write_is_left_to_the_write():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    request_id = client.result(client.collect())["request_id"]
    record = world.record()
    record.begin_write()
    told = client.result(client.call("cancel_secret", {"request_id": request_id}))
    assert told["status"] == "awaiting"
    assert "being written" in told["note"]
    record.finish_write(written(record), world.clock.seconds())
    assert client.result(client.wait(request_id))["status"] == "written"


def test_another_sessions_request_is_not_found():
    world = World(remote=True)
    mine, theirs = world.client(), world.client()
    mine.initialize()
    theirs.initialize()
    request_id = mine.result(mine.collect())["request_id"]
    assert "error" in theirs.result(theirs.wait(request_id))
    assert "error" in theirs.result(theirs.call("cancel_secret", {"request_id": request_id}))
    assert world.record().status == "awaiting"


# --- generated values -------------------------------------------------------------------------------------------------


def generate(client, **more):
    return client.call("collect_secret", {"secrets": [{"name": "AUTH_SECRET", "generate": {}}], **more})


def test_generated_names_alone_are_written_at_once_without_a_page():
    world = World()
    client = world.client()
    client.initialize()
    told = client.result(generate(client))
    assert told["status"] == "written"
    assert "fingerprint" not in told
    assert "tell_user" not in told
    assert "offprompt made them" in told["note"]
    assert world.opened == []


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (TargetState(exists=True, git="tracked"), "Git tracks .env"),
        (TargetState(exists=True, git="unknown"), "Git gave no answer about .env"),
        (TargetState(public="public"), "Web servers serve the files of public/"),
        (TargetState(trusted="shell"), "Shells run what .env holds"),
    ],
)
def test_generated_names_alone_are_refused_where_a_person_has_to_agree(target, reason):
    world = World()
    world.state = target
    client = world.client()
    client.initialize()
    error = client.result(generate(client))["error"]
    assert reason in error
    assert "only when a person agrees" in error
    assert world.ledger.open_records() == ()


def test_a_target_that_cannot_be_written_is_refused_before_a_person_types_anything():
    world = World(remote=True)
    world.state = TargetState(writable=False)
    client = world.client()
    client.initialize()
    assert ".env" in client.result(client.collect())["error"]
    assert world.ledger.open_records() == ()


@pytest.mark.parametrize("facts", [{"git": "unknown"}, {"public": "public"}, {"trusted": "shell"}], ids=str)
def test_generated_names_alone_are_refused_wherever_a_person_has_to_agree(facts):
    world = World()
    world.state = TargetState(**facts)
    client = world.client()
    client.initialize()
    assert "error" in client.result(generate(client))
    assert world.ledger.open_records() == ()


def test_a_target_that_cannot_be_written_is_refused_before_anybody_types():
    world = World()
    world.state = TargetState(writable=False)
    client = world.client()
    client.initialize()
    assert "read-only or belongs to someone else" in client.result(client.collect("API_KEY"))["error"]
    assert world.ledger.open_records() == ()


def test_a_generated_write_that_fails_leaves_no_request_behind():
    world = World()
    world.write_fails = errors.DiskFull(path=".env")
    client = world.client()
    client.initialize()
    assert "error" in client.result(generate(client))
    assert world.ledger.open_records() == ()


@pytest.mark.parametrize("fails", [True, False])
def test_a_generated_write_whose_call_was_cancelled_leaves_no_request_that_nobody_can_answer(fails):
    world = World()
    world.write_lasts = Deferred()
    client = world.client()
    client.initialize()
    number = generate(client)
    record = world.record()
    client.say({"method": "notifications/cancelled", "params": {"requestId": number}})
    assert world.record() is record, "the write decides"
    if fails:
        record.fail_write(world.clock.seconds())
    else:
        record.finish_write(written(record, "generated"), world.clock.seconds())
    assert world.ledger.open_records() == ()
    assert record.status == ("cancelled" if fails else "written")
    world.write_lasts = None
    assert client.result(generate(client))["status"] == "written", "the next call is served at once"


def test_a_repeated_call_whose_write_failed_says_why_as_the_first_one_does():
    world = World()
    world.write_lasts = Deferred()
    client = world.client()
    client.initialize()
    first, second = generate(client), generate(client)
    record = world.record()
    writing, world.write_lasts = world.write_lasts, None
    world.write_fails = errors.DiskFull(path=".env")
    record.fail_write(world.clock.seconds())
    writing.errback(errors.DiskFull(path=".env"))
    answers = {message["id"]: message["result"]["structuredContent"] for message in client.heard()}
    assert ["disk is full" in answers[number]["error"] for number in (first, second)] == [True, True]
    assert world.ledger.open_records() == ()


def test_the_same_call_from_a_sandbox_gets_the_link_that_leads_there():
    world = World()
    world.browser = False
    world.tunnel.up("four-words.trycloudflare.com")
    client = world.client()
    client.initialize()
    assert client.result(client.collect())["url"].startswith("http://127.0.0.1")
    told = client.result(client.collect(sandbox=True))
    assert told["url"].startswith("https://four-words.trycloudflare.com/")
    assert told["expires_in"] == 1800


def test_a_generated_key_that_the_file_held_is_told_as_kept():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    secrets = [{"name": "A"}, {"name": "B", "generate": {}}]
    request_id = client.result(client.call("collect_secret", {"secrets": secrets}))["request_id"]
    world.answer(world.record(), outcome="kept")
    told = client.result(client.wait(request_id))
    assert told["kept"] == ["B"]
    assert "already had" in told["note"]


# --- the project ------------------------------------------------------------------------------------------------------


def test_P6_a_host_that_names_folders_is_asked_for_them_once_a_call_and_never_before_it_is_initialized():
    world = World(remote=True)
    client = world.client()
    client.initialize(roots={})
    number = client.collect()
    (asked,) = client.heard()
    assert asked["method"] == "roots/list"
    client.say({"id": asked["id"], "result": {"roots": [{"uri": "file:///shop"}]}})
    client.result(number)
    assert world.roots == [("/shop",)]


def test_P6_a_host_that_never_names_its_folders_holds_the_call_for_2_seconds_and_no_other():
    world = World(remote=True)
    client = world.client()
    client.initialize(roots={})
    number = client.collect()
    client.heard()
    assert "error" in client.result(client.wait("none"))
    world.clock.advance(2)
    withdrawn, answered = client.heard()
    assert withdrawn["method"] == "notifications/cancelled"
    assert answered["id"] == number
    assert world.roots == [()]


@pytest.mark.parametrize("refused", [errors.ProjectMissing(folder="/gone"), errors.TrackedTarget(path=".env")])
def test_what_the_sink_refuses_is_told_with_its_sentence(refused):
    world = World()
    world.state = refused
    client = world.client()
    client.initialize()
    assert client.result(client.collect())["error"] == str(refused)
    assert world.ledger.open_records() == ()


def test_a_fault_of_ours_is_told_without_its_inside(logged_failures):
    world = World()
    world.state = RuntimeError("inside")
    client = world.client()
    client.initialize()
    told = client.result(client.collect())
    assert "fault of its own" in told["error"]
    assert "inside" not in told["error"]
    assert len(logged_failures) == 1
    logged_failures.clear()


def test_the_ninth_open_request_is_refused_with_the_names_of_the_others():
    world = World(remote=True)
    client = world.client()
    client.initialize()
    for number in range(8):
        client.result(client.collect(f"KEY_{number}"))
    told = client.result(client.collect("KEY_9"))
    assert all(f"KEY_{number}" in told["error"] for number in range(8))


def test_an_origin_that_takes_its_time_holds_no_other_call():
    world = World(remote=True)
    world.tunnel.pending = Deferred()
    client = world.client()
    client.initialize()
    number = client.collect()
    client.say({"id": "p", "method": "ping"})
    assert client.heard() == [{"jsonrpc": "2.0", "id": "p", "result": {}}]
    world.tunnel.pending.callback("https://four-words.trycloudflare.com")
    assert "url" in client.result(number)


def test_H4_a_modern_call_gets_the_modern_form():
    world = World(remote=True)
    client = world.client()
    client.collect(modern=True)
    (message,) = client.heard()
    assert message["result"]["resultType"] == "complete"
    assert "io.modelcontextprotocol/serverInfo" in message["result"]["_meta"]
    assert world.record().order.host == "Claude Code"
