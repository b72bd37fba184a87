"""Writes that overlap, fail, outlast their client, or break."""

from __future__ import annotations

from typing import Any

import pytest

from offprompt import errors
from offprompt.request.fingerprint import fingerprint
from tests.page.world import (
    CANARY,
    FINGERPRINT_KEY,
    KEY,
    NAVIGATION,
    World,
    press,
)


def test_while_one_is_written_another_is_told_to_wait(world: World) -> None:
    record, slow = world.record(), world.slow()
    first = world.client()
    first.send(press(record, {KEY: CANARY}))
    assert first.replies() == []
    for reply in (world.submit(record, {KEY: CANARY + "2"}), world.decline(record)):
        assert (reply.status, set(reply.json)) == (409, {"error"})
    assert world.ask("GET", f"/r/{record.token}/status").json["status"] == "awaiting"
    assert world.ask("GET", f"/r/{record.token}", NAVIGATION).status == 200
    slow.succeed()
    assert first.replies()[0].json["status"] == "written"
    late = world.submit(record, {KEY: CANARY})
    assert (late.status, late.json["fingerprint"]) == (410, ["🍋", "🥝", "🌮", "🧀"])


def test_a_write_takes_as_long_as_it_takes(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    world.clock.advance(500)
    slow.succeed()
    assert client.replies()[0].status == 200


def test_a_cancel_during_a_write_is_left_to_the_write(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    assert record.cancel("agent", world.clock.seconds()) is False
    slow.succeed()
    assert client.replies()[0].json["status"] == "written"
    assert record.status == "written"


@pytest.mark.parametrize("error", [errors.DiskFull(path=".env"), errors.TargetNotFile(path=".env")])
@pytest.mark.parametrize("end", ["cancelled", "expired"])
def test_when_the_write_fails_an_end_that_came_meanwhile_is_told(
    world: World, end: str, error: errors.OffpromptError
) -> None:
    """Also where the sink refuses: there is nothing left to mend."""
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    if end == "cancelled":
        record.cancel("agent", world.clock.seconds())
    else:
        world.clock.advance(600)
    slow.fail(error)
    (reply,) = client.replies()
    assert (reply.status, reply.json) == (410, {"status": end, "expires_in": 0})


def test_a_write_that_the_file_system_refuses_gives_the_claim_back(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    slow.fail(errors.DiskFull(path=".env"))
    (reply,) = client.replies()
    assert (reply.status, set(reply.json)) == (500, {"error"})
    assert "disk is full" in reply.error
    assert record.status == "awaiting"
    client.send(press(record, {KEY: CANARY}))
    slow.succeed()
    assert record.status == "written"


def test_a_client_that_leaves_in_the_middle_of_a_write_does_not_stop_it(world: World) -> None:
    world.threads.held = True
    record = world.record()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    assert record.status == "writing"
    client.leave()
    assert record.status == "writing"
    world.threads.let_go()
    assert record.status == "written"
    assert (world.project / ".env").read_text() == f"{KEY}={CANARY}\n"
    again = world.submit_again(record)
    assert (again.status, again.json["fingerprint"]) == (410, list(fingerprint(FINGERPRINT_KEY, {KEY: CANARY})))


def test_two_at_once_write_once(world: World) -> None:
    world.threads.held = True
    record = world.record()
    clients = [world.client() for _ in range(5)]
    for number, client in enumerate(clients):
        client.send(press(record, {KEY: f"{CANARY}{number}"}))
    world.threads.let_go()
    assert [client.replies()[0].status for client in clients] == [200, 409, 409, 409, 409]
    assert (world.project / ".env").read_text() == f"{KEY}={CANARY}0\n"


def test_a_fault_of_ours_is_500_and_the_log_has_its_place_without_its_words(world: World, logged: list[str]) -> None:
    record = world.record()

    class Broken:
        def write(self, *_: Any, **values: Any) -> Any:
            raise KeyError(CANARY)

    world.writer = Broken()
    world.build()
    reply = world.submit(record, {KEY: CANARY})
    assert (reply.status, set(reply.json)) == (500, {"error"})
    (line,) = (line for line in logged if "broke" in line)
    assert "KeyError" in line
    assert "test_app_races.py" in line
