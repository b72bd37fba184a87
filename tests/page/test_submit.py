"""What the sink refuses only when it writes, by where the page shows it."""

from __future__ import annotations

import pytest

from offprompt import errors
from tests.page.world import CANARY, KEY, World, press


@pytest.mark.parametrize(
    ("error", "names", "form"),
    [
        (errors.NotHeld(name=KEY, path=".env"), [KEY], 0),
        (errors.ValueNotCarried(name=KEY), [KEY], 0),
        (errors.TrackedTarget(path=".env"), [], 1),
        (errors.TargetLinked(path=".env"), [], 1),
        (errors.PathOutside(path="x"), [], 1),
        (errors.TargetInTheWay(name=KEY, path=".env", line=3), [], 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_refusal_by_the_sink_is_shown_and_the_request_stays_open(
    world: World, error: errors.SinkRefused, names: list[str], form: int
) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    slow.fail(error)
    (reply,) = client.replies()
    assert reply.status == 422
    assert list(reply.json["errors"]) == names
    assert len(reply.json["form"]) == form
    assert [str(error)] == [line for lines in (*reply.json["errors"].values(), reply.json["form"]) for line in lines]
    assert record.status == "awaiting"


@pytest.mark.parametrize("error", [errors.FolderBusy(path=".env", seconds=5), errors.ProjectMissing(folder="/x")])
def test_what_is_no_fault_of_the_values_is_500(world: World, error: Exception) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    slow.fail(error)
    (reply,) = client.replies()
    assert (reply.status, reply.error) == (500, str(error))
    assert record.status == "awaiting"


def test_the_values_go_to_the_writer_as_they_were_typed(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: f" {CANARY} \n🍋"}))
    assert slow.values == {KEY: f" {CANARY} \n🍋"}
    slow.succeed()
