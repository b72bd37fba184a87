"""What an agent is told in each state of a request."""

from __future__ import annotations

import pytest

from offprompt.agent.tools.answers import told, told_too_late
from offprompt.agent.tools.origins import Origin
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from tests.agent.world import EMOJI, HERE, World, written

HANDS_OFF = "Do not open the file, do not open the link."


def record(remote: bool = False, *names: str) -> Record:
    world = World(remote=remote)
    world.browser = False
    client = world.client()
    client.initialize()
    client.collect(*names)
    return world.record()


def fields(result: dict) -> dict:
    return result["structuredContent"]


def test_an_open_request_has_its_link_only_where_the_agent_has_to_show_it():
    asked = record()
    assert "url" not in fields(told(asked, 0.0))
    assert fields(told(asked, 0.0, HERE))["url"] == str(asked.link(HERE.url))


def test_a_request_that_is_being_written_is_awaiting_to_an_agent():
    asked = record()
    asked.begin_write()
    assert fields(told(asked, 0.0))["status"] == "awaiting"
    assert "being written" in fields(told_too_late(asked, 0.0))["note"]


def test_a_sandbox_without_a_link_waits_for_it():
    assert "being prepared" in fields(told(record(True), 0.0))["note"]


def test_a_local_link_from_a_sandbox_says_why_it_is_local_and_what_to_forward():
    origin = Origin("http://127.0.0.1:4711", False, port=4711, asked_port=4710, problem="The tunnel is down.")
    note = fields(told(record(True), 0.0, origin))["note"]
    assert "The tunnel is down. So this link leads to port 4711" in note
    assert "change 4711 in the link" in note
    assert "4710 was in use" in note


@pytest.mark.parametrize(("by", "words"), [("agent", "withdrawn"), ("person", "said no"), ("operator", "operator")])
def test_who_cancelled_is_told(by, words):
    asked = record()
    asked.cancel(by, 1.0)
    told_now = fields(told(asked, 1.0, HERE))
    assert words in told_now["note"]
    assert "url" not in told_now
    assert "expires_in" not in told_now
    assert "nothing to withdraw" in fields(told_too_late(asked, 1.0))["note"]


def test_a_written_request_tells_the_emoji_and_what_a_shell_reads_differently():
    asked = record(False, "A", "B")
    asked.begin_write()
    outcomes = (Outcome("A", "replaced"), Outcome("B", "kept"))
    asked.finish_write(Written(EMOJI, ".env", outcomes, ("OLD", "A", "B"), ("A",)), 1.0)
    told_now = fields(told(asked, 1.0))
    assert told_now["tell_user"] == "Fingerprint 🍋 🥝 🌮 🧀"
    assert told_now["file_keys"] == ["OLD", "A", "B"]
    assert "kept" not in told_now  # a field that was left as it is was not generated
    assert ".env already had B" in told_now["note"]
    assert "would read A differently" in told_now["note"]


def test_an_answer_that_left_everything_as_it_was_is_not_told_as_if_nobody_had_been_asked():
    asked = record(False, "A")
    asked.begin_write()
    asked.finish_write(Written((), ".env", (Outcome("A", "kept"),), ("A",)), 1.0)
    told_now = fields(told(asked, 1.0))
    assert told_now["note"].startswith("The person has answered and typed no new value; .env holds the values.")
    assert "fingerprint" not in told_now


def test_every_note_keeps_hands_off_file_and_link():
    notes = []
    asked = record(True)
    notes += [told(asked, 0.0), told(asked, 0.0, HERE), told_too_late(asked, 0.0)]
    asked.begin_write()
    asked.finish_write(written(asked), 1.0)
    notes += [told(asked, 1.0), told_too_late(asked, 1.0)]
    for by in ("agent", "person", "operator"):
        other = record()
        other.cancel(by, 1.0)
        notes.append(told(other, 1.0))
    expired = record()
    expired.expire(1e6)
    notes.append(told(expired, 1e6))
    assert all(HANDS_OFF in fields(result)["note"] for result in notes)
