from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from offprompt import errors
from offprompt.request.lifetime import LIFETIME_HERE, LIFETIME_REMOTE, SIGHT
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.target import TargetState
from tests.request.made import counting, order, record
from tests.request.vectors import unbase64url

DONE = Written(("🍋", "🥝", "🌮", "🧀"), ".env", (Outcome("API_KEY", "added"),))


def written(asked: Record) -> None:
    asked.begin_write()
    asked.finish_write(DONE, 3.0)


def expired(asked: Record) -> None:
    assert asked.expire(600.0)


def cancelled(asked: Record) -> None:
    assert asked.cancel("person", 5.0)


def cancelled_while_written(asked: Record) -> None:
    asked.begin_write()
    assert not asked.cancel("agent", 2.0)
    asked.fail_write(4.0)


CLOSED = [written, expired, cancelled, cancelled_while_written]


def test_a_new_request_awaits_its_person() -> None:
    asked = record()
    assert (asked.status, asked.open, asked.result, asked.cancelled_by, asked.closed_at) == (
        "awaiting",
        True,
        None,
        None,
        None,
    )


def test_ids_keys_and_link_are_of_their_sizes_and_all_different() -> None:
    random = counting()
    both = [Record(order(), random, 0.0) for _ in range(2)]
    drawn = {text for asked in both for text in (asked.request_id, asked.token, asked.nonce)}
    assert len(drawn) == 6
    assert all(len(text) == 32 and int(text, 16) >= 0 for text in drawn)
    link = both[0].link("http://127.0.0.1:1")
    assert link.token == both[0].token
    assert unbase64url(link.key) == both[0].public_key
    assert both[0].private_key != both[1].private_key


@pytest.mark.parametrize(("remote", "seconds"), [(False, LIFETIME_HERE), (True, LIFETIME_REMOTE)])
def test_a_link_is_good_for_10_minutes_here_and_30_from_a_sandbox(remote: bool, seconds: float) -> None:
    asked = record(now=100.0, remote=remote)
    assert asked.expires_at == 100.0 + seconds
    assert asked.expires_in(100.0) == seconds
    assert asked.expires_in(100.5) == seconds - 1
    assert asked.expires_in(100.0 + seconds) == asked.expires_in(1e9) == 0


def test_a_write_is_claimed_once() -> None:
    asked = record()
    asked.begin_write()
    assert asked.status == "writing"
    with pytest.raises(errors.RequestBusy):
        asked.begin_write()
    asked.finish_write(DONE, 3.0)
    assert (asked.status, asked.result, asked.closed_at) == ("written", DONE, 3.0)


def test_a_failed_write_gives_the_claim_back() -> None:
    asked = record()
    asked.begin_write()
    asked.fail_write(2.0)
    assert (asked.status, asked.closed_at) == ("awaiting", None)
    written(asked)
    assert asked.result == DONE


def test_a_cancel_during_a_write_loses_against_a_write_that_succeeds() -> None:
    asked = record()
    asked.begin_write()
    assert not asked.cancel("agent", 2.0)
    assert (asked.status, asked.cancelled_by) == ("writing", "agent")
    assert not asked.cancel("person", 2.5)
    asked.finish_write(DONE, 3.0)
    assert (asked.status, asked.cancelled_by, asked.result) == ("written", None, DONE)


def test_a_cancel_during_a_write_wins_when_the_write_fails() -> None:
    asked = record()
    cancelled_while_written(asked)
    assert (asked.status, asked.cancelled_by, asked.closed_at) == ("cancelled", "agent", 4.0)


def test_a_write_under_way_does_not_expire() -> None:
    asked = record()
    asked.begin_write()
    assert not asked.expire(10_000.0)
    assert asked.status == "writing"
    assert asked.private_key
    asked.fail_write(10_001.0)
    assert asked.expire(10_002.0)


@pytest.mark.parametrize("close", CLOSED)
def test_a_closed_request_has_no_key_and_takes_nothing_more(close: Callable[[Record], None]) -> None:
    asked = record()
    close(asked)
    before = (asked.status, asked.result, asked.cancelled_by, asked.closed_at)
    with pytest.raises(errors.RequestClosed, match=asked.status):
        asked.begin_write()
    with pytest.raises(errors.RequestClosed):
        _ = asked.private_key
    assert not asked.cancel("operator", 99.0)
    assert not asked.expire(1e9)
    assert not asked.open
    assert (asked.status, asked.result, asked.cancelled_by, asked.closed_at) == before
    assert asked._core.key is None


@pytest.mark.parametrize("by", ["agent", "person", "operator"])
def test_it_is_remembered_who_cancelled(by: str) -> None:
    asked = record()
    assert asked.cancel(by, 1.0)  # type: ignore[arg-type]
    assert asked.cancelled_by == by


def test_watchers_hear_of_every_change_and_every_fetch() -> None:
    asked = record()
    seen: list[tuple[str, bool]] = []
    stop = asked.subscribe(lambda changed: seen.append((changed.status, changed.page_fetched)))
    asked.fetched(1.0)
    asked.fetched(1.0)
    asked.begin_write()
    asked.fail_write(1.0)
    stop()
    stop()
    asked.cancel("agent", 2.0)
    assert seen == [("awaiting", True), ("awaiting", True), ("writing", True), ("awaiting", True)]


def test_a_page_is_open_while_it_asks_and_for_a_while_behind_that() -> None:
    asked = record()
    assert not asked.page_is_open(0.0)
    asked.fetched(1.0)
    asked.polled(11.0)
    assert asked.page_is_open(11.0 + SIGHT)
    assert not asked.page_is_open(11.1 + SIGHT)


def test_a_watcher_may_end_its_watch_while_it_is_called() -> None:
    """One that leaves does not make the next one miss the change."""
    asked = record()
    seen: list[str] = []

    def once(changed: Record) -> None:
        seen.append("once")
        stop()

    stop = asked.subscribe(once)
    asked.subscribe(lambda changed: seen.append("always"))
    asked.begin_write()
    asked.fail_write(1.0)
    assert seen == ["once", "always", "always"]


def test_refused_changes_tell_nobody() -> None:
    asked = record()
    asked.begin_write()
    seen: list[str] = []
    asked.subscribe(lambda changed: seen.append(changed.status))
    with pytest.raises(errors.RequestBusy):
        asked.begin_write()
    asked.expire(1e9)
    asked.cancel("agent", 2.0)
    assert seen == []


def test_present_are_the_requested_names_that_the_file_holds() -> None:
    asked = record("A", "B", target=TargetState(exists=True, keys=("B", "OTHER")))
    assert asked.present == {"B"}


@pytest.mark.parametrize("close", CLOSED)
def test_a_closed_request_keeps_what_its_agent_and_a_late_page_are_told(close: Callable[[Record], None]) -> None:
    target = TargetState(exists=True, git="tracked", keys=("B",), lands="config/.env")
    asked = record("API_KEY", "B", generated=("B",), session="two", remote=True, target=target)
    spec, ids = asked.spec, (asked.request_id, asked.token)
    close(asked)
    assert (asked.request_id, asked.token) == ids
    assert (asked.session, asked.order.remote, asked.spec.names) == ("two", True, ("API_KEY", "B"))
    assert [entry.generate is not None for entry in asked.spec.entries] == [False, True]
    assert (asked.spec.sink, asked.target.shown(".env")) == (spec.sink, ".env → config/.env")
    assert asked.asked_for(spec)
    assert not asked.asked_for(replace(spec, reason="Another."))


def test_a_closed_request_keeps_its_whole_result() -> None:
    asked = record("A", "B")
    outcomes = (Outcome("A", "kept"), Outcome("B", "added"))
    result = Written(("🍋", "🥝", "🌮", "🧀"), "café", outcomes, ("A", "B"), ("A",), 3)
    asked.begin_write()
    asked.finish_write(result, 1.0)
    assert asked.result == result


@pytest.mark.parametrize("close", CLOSED)
def test_a_closed_request_has_no_nonce_and_nobody_to_tell(close: Callable[[Record], None]) -> None:
    asked = record()
    nonce, seen = asked.nonce, []
    assert asked.has_nonce(nonce)
    assert not asked.has_nonce("0" * 32)
    asked.subscribe(lambda changed: seen.append(changed.status))
    close(asked)
    told = len(seen)
    assert seen[-1] == asked.status
    assert not asked.has_nonce(nonce)
    assert not asked.has_nonce("")
    asked.subscribe(lambda changed: seen.append("late"))()
    asked.fetched(99.0)
    assert len(seen) == told


def test_a_write_counts_as_awaiting_for_those_outside() -> None:
    asked = record()
    asked.begin_write()
    assert (asked.status, asked.public_status) == ("writing", "awaiting")
    asked.finish_write(DONE, 1.0)
    assert asked.public_status == "written"


def test_a_repr_shows_no_token_no_nonce_and_no_key() -> None:
    asked = record("A", "B")
    shown = repr(asked) + repr(asked._core) + str(asked)
    for secret in (asked.token, asked.nonce, asked.request_id, repr(asked.private_key), asked.private_key.hex()):
        assert secret not in shown
    assert "A B" in shown
