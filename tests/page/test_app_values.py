"""Values: what is told of under a field or on the form, and what becomes of what can be written."""

from __future__ import annotations

import pytest

from offprompt.request.fields import Field, describe
from offprompt.request.spec import Entry, SinkSpec
from offprompt.request.target import TargetState
from tests.page.world import (
    CANARY,
    GENERATED,
    KEY,
    World,
)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {KEY: ""},
        {KEY: CANARY + "\0"},
        {KEY: CANARY + "\ud800"},
        {KEY: CANARY + "x" * 65_536},
        {KEY: CANARY + "'\"`\n\\n"},
    ],
)
def test_a_value_that_cannot_be_is_told_of_under_its_field(world: World, values: dict[str, str]) -> None:
    record = world.record()
    reply = world.submit(record, values)
    assert reply.status == 422
    assert reply.json["form"] == []
    assert {name for name, told in reply.json["errors"].items() if told} == {KEY}
    assert CANARY.encode() not in reply.body
    assert record.status == "awaiting"


@pytest.mark.parametrize("value", [CANARY, "{" + CANARY])
def test_a_value_that_cannot_work_is_told_of_whatever_the_page_thought(world: World, value: str) -> None:
    """The page's script is a convenience: the service holds the same checks against what arrives."""
    record = world.record(describe(Entry("LIMITS", format="json")))
    reply = world.submit(record, {"LIMITS": value})
    assert reply.status == 422
    (line,) = reply.json["errors"]["LIMITS"]
    assert "JSON text" in line
    assert CANARY.encode() not in reply.body
    world.written(record, LIMITS=f'{{"a": "{CANARY}"}}')


@pytest.mark.parametrize(
    ("name", "value"), [(KEY, CANARY), ("DATABASE_URL", CANARY), ("NEXT_PUBLIC_OPENAI_API_KEY", CANARY)]
)
def test_a_value_that_is_only_doubtful_is_written(world: World, name: str, value: str) -> None:
    """A warning is between the page and its person; nothing in a submission says that they insist."""
    world.written(world.record(describe(Entry(name))), **{name: value})


def test_a_name_that_was_not_asked_for_is_told_of_on_the_form(world: World) -> None:
    record = world.record()
    reply = world.submit(record, {KEY: CANARY, "PATH": CANARY})
    assert reply.status == 422
    assert len(reply.json["form"]) == 1
    assert CANARY.encode() not in reply.body
    assert not (world.project / ".env").exists()


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (TargetState(git="unknown"), "Git gave no answer about .env."),
        (TargetState(public="public", lands="public/env.txt"), "Web servers serve the files of public/ to everyone"),
        (TargetState(trusted="shell"), "Shells run what .env holds."),
    ],
    ids=str,
)
def test_a_file_that_others_read_or_run_takes_a_tick(world: World, target: TargetState, said: str) -> None:
    if target.lands:
        (world.project / "public").mkdir()
        (world.project / ".env").symlink_to(target.lands)
    record = world.record(target=target)
    reply = world.submit(record, {KEY: CANARY})
    assert reply.status == 422
    (line,) = reply.json["form"]
    assert said in line
    assert line.endswith("Tick the box to write anyway.")
    assert not (world.project / ".env").exists()
    reply = world.submit(record, {KEY: CANARY}, allow_tracked=True)
    assert (reply.status, reply.json["file"]) == (200, target.shown(".env"))


def test_a_tracked_file_takes_a_tick(world: World) -> None:
    record = world.record(target=TargetState(exists=True, git="tracked"))
    (line,) = world.submit(record, {KEY: CANARY}).json["form"]
    assert "Git tracks .env" in line
    assert world.submit(record, {KEY: CANARY}, allow_tracked=True).status == 200


def test_a_value_that_was_to_be_kept_and_is_gone_is_asked_for_again(world: World) -> None:
    (world.project / ".env").write_text("KEPT=1\n")
    record = world.record(Field("KEPT"), Field("NEW"), target=TargetState(exists=True, keys=("KEPT",)))
    (world.project / ".env").write_text("OTHER=1\n")
    reply = world.submit(record, {"NEW": CANARY})
    assert reply.status == 422
    assert "no longer holds it" in reply.json["errors"]["KEPT"][0]
    assert (world.project / ".env").read_text() == "OTHER=1\n"
    assert record.status == "awaiting"
    world.written(record, KEPT=CANARY, NEW=CANARY)


def test_keeping_everything_writes_nothing_and_has_no_fingerprint(world: World) -> None:
    (world.project / ".env").write_text("KEPT=1\n")
    record = world.record(Field("KEPT"), target=TargetState(exists=True, keys=("KEPT",)))
    reply = world.submit(record, {})
    assert (reply.status, reply.json["fingerprint"]) == (200, [])
    assert reply.json["keys"] == [{"name": "KEPT", "outcome": "kept"}]
    assert (world.project / ".env").read_text() == "KEPT=1\n"


def test_a_generated_name_the_file_holds_by_now_is_kept_and_the_sent_value_thrown_away(world: World) -> None:
    record = world.record(GENERATED)
    (world.project / ".env").write_text("AUTH_SECRET=theirs\n")
    reply = world.submit(record, {"AUTH_SECRET": CANARY})
    assert reply.json["keys"] == [{"name": "AUTH_SECRET", "outcome": "kept"}]
    assert (world.project / ".env").read_text() == "AUTH_SECRET=theirs\n"


def test_a_file_is_the_value(world: World) -> None:
    record = world.record(Field("KEY_PEM", multiline=True), sink=SinkSpec("file", "deep/key.pem"))
    reply = world.written(record, KEY_PEM=f"-----BEGIN-----\n{CANARY}\n")
    assert reply.json["file"] == "deep/key.pem"
    assert (world.project / "deep" / "key.pem").read_text() == f"-----BEGIN-----\n{CANARY}\n"


def test_where_a_shell_reads_a_value_otherwise_the_page_says_so(world: World) -> None:
    record = world.record()
    reply = world.written(record, STRIPE_SECRET_KEY=f"{CANARY}'\n$y")
    assert [KEY in note and CANARY not in note for note in reply.json.get("notes", [])] == [True]
