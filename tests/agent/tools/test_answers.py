"""What an agent is told in each state of a request."""

from __future__ import annotations

from typing import Any

import pytest

from offprompt.agent.tools import answers
from offprompt.agent.tools.services import Origin
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.target import TargetState
from tests.agent.world import EMOJI, HERE, World, written

HANDS_OFF = "Do not open the file, do not open the link."


def record(remote: bool = False, *names: str, **target: Any) -> Record:
    world = World(remote=remote)
    world.state = TargetState(**target)
    world.browser = False
    client = world.client()
    client.initialize()
    client.collect(*names)
    return world.record()


def link(asked: Record, origin: Origin) -> str:
    return str(asked.link(origin.url))


def fields(result: dict) -> dict:
    return result["structuredContent"]


def test_an_open_request_has_its_link_only_where_the_agent_has_to_show_it():
    asked = record()
    assert "url" not in fields(answers.of(asked, 0.0))
    assert fields(answers.of(asked, 0.0, HERE, link(asked, HERE)))["url"] == str(asked.link(HERE.url))


def test_a_request_that_is_being_written_is_awaiting_to_an_agent():
    asked = record()
    asked.begin_write()
    assert fields(answers.of(asked, 0.0))["status"] == "awaiting"
    assert "being written" in fields(answers.too_late(asked, 0.0))["note"]


def test_a_sandbox_without_a_link_waits_for_it():
    assert "being prepared" in fields(answers.of(record(True), 0.0))["note"]


def test_a_local_link_from_a_sandbox_says_why_it_is_local_and_what_to_forward():
    origin = Origin("http://127.0.0.1:4711", False, port=4711, asked_port=4710, problem="The tunnel is down.")
    note = fields(answers.of(record(True), 0.0, origin, ""))["note"]
    assert "The tunnel is down. So this link leads to port 4711" in note
    assert "change 4711 in the link" in note
    assert "4710 was in use" in note


@pytest.mark.parametrize(("by", "words"), [("agent", "withdrawn"), ("person", "said no"), ("operator", "operator")])
def test_who_cancelled_is_told(by, words):
    asked = record()
    asked.cancel(by, 1.0)
    told_now = fields(answers.of(asked, 1.0, HERE, link(asked, HERE)))
    assert words in told_now["note"]
    assert "url" not in told_now
    assert "expires_in" not in told_now
    assert "nothing to withdraw" in fields(answers.too_late(asked, 1.0))["note"]


def test_a_written_request_tells_the_emoji_and_what_a_shell_reads_differently():
    asked = record(False, "A", "B")
    asked.begin_write()
    outcomes = (Outcome("A", "replaced"), Outcome("B", "kept"))
    asked.finish_write(Written(EMOJI, ".env", outcomes, ("OLD", "A", "B"), ("A",)), 1.0)
    told_now = fields(answers.of(asked, 1.0))
    assert told_now["tell_user"] == "Fingerprint 🍋 🥝 🌮 🧀 (lemon, kiwi, taco, cheese)"
    assert told_now["fingerprint"] == "🍋 🥝 🌮 🧀"
    assert told_now["file_keys"] == ["OLD", "A", "B"]
    assert "kept" not in told_now  # a field that was left as it is was not generated
    assert ".env already had B" in told_now["note"]
    assert "would read A differently" in told_now["note"]


def test_an_answer_that_left_everything_as_it_was_is_not_told_as_if_nobody_had_been_asked():
    asked = record(False, "A")
    asked.begin_write()
    asked.finish_write(Written((), ".env", (Outcome("A", "kept"),), ("A",)), 1.0)
    told_now = fields(answers.of(asked, 1.0))
    assert told_now["note"].startswith("The person has answered and typed no new value; .env holds the values.")
    assert "fingerprint" not in told_now


def test_every_note_keeps_hands_off_file_and_link():
    notes = []
    asked = record(True)
    notes += [answers.of(asked, 0.0), answers.of(asked, 0.0, HERE, link(asked, HERE)), answers.too_late(asked, 0.0)]
    asked.begin_write()
    asked.finish_write(written(asked), 1.0)
    notes += [answers.of(asked, 1.0), answers.too_late(asked, 1.0)]
    for by in ("agent", "person", "operator"):
        other = record()
        other.cancel(by, 1.0)
        notes.append(answers.of(other, 1.0))
    expired = record()
    expired.expire(1e6)
    notes.append(answers.of(expired, 1e6))
    assert all(HANDS_OFF in fields(result)["note"] for result in notes)


def test_every_field_stands_in_its_order_and_what_is_empty_is_absent():
    asked = record(False, "A", lands="public/env.txt")
    assert list(fields(answers.of(asked, 0.0, HERE, link(asked, HERE)))) == [
        "request_id", "status", "expires_in", "names", "sink", "url", "note",
    ]  # fmt: skip
    asked.begin_write()
    asked.finish_write(Written(EMOJI, ".env", (Outcome("A", "added"),), ("OLD", "A"), (), 3), 1.0)
    assert list(fields(answers.of(asked, 1.0))) == [
        "tell_user", "request_id", "status", "names", "fingerprint", "file_keys", "file_keys_more", "sink", "note",
    ]  # fmt: skip


def test_no_second_left_is_said_all_the_same():
    assert fields(answers.of(record(), 600.0))["expires_in"] == 0


def test_names_that_are_left_out_are_counted():
    asked = record(False, "A")
    asked.begin_write()
    asked.finish_write(Written(EMOJI, ".env", (Outcome("A", "added"),), ("A",), (), 41), 1.0)
    assert fields(answers.of(asked, 1.0))["file_keys_more"] == 41


def test_a_value_that_lands_elsewhere_is_said_before_and_after():
    asked = record(False, "A", lands="public/env.txt")
    told = fields(answers.of(asked, 0.0, HERE, link(asked, HERE)))
    assert told["sink"] == {"kind": "dotenv", "path": ".env", "lands": "public/env.txt"}
    assert ".env leads to public/env.txt" in told["note"]
    asked.begin_write()
    asked.finish_write(written(asked), 1.0)
    told = fields(answers.of(asked, 1.0))
    assert told["sink"]["lands"] == "public/env.txt"
    assert ".env → public/env.txt holds the values" in told["note"]


def test_a_value_that_lands_where_it_was_asked_for_is_said_once():
    assert fields(answers.of(record(), 0.0))["sink"] == {"kind": "dotenv", "path": ".env"}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ({"git": "tracked"}, "Git tracks .env"),
        ({"git": "unknown"}, "Git gave no answer about .env"),
        ({"public": "public"}, "public/"),
        ({"trusted": "shell"}, "Shells run what .env holds"),
    ],
)
def test_while_a_target_needs_the_persons_yes_the_agent_knows_why(target, reason):
    asked = record(False, "A", **target)
    note = fields(answers.of(asked, 0.0))["note"]
    assert reason in note
    assert "asks the person to agree first" in note
    asked.cancel("agent", 1.0)
    assert reason not in fields(answers.of(asked, 1.0))["note"]


def test_a_setting_that_cannot_be_used_is_said_in_the_note():
    problem = "OFFPROMPT_PORT is not a number from 1 to 65535, so the page uses any free port."
    assert fields(answers.of(record(), 0.0, problems=(problem,)))["note"].endswith(problem)
