from __future__ import annotations

import gc
import tracemalloc

import pytest

from offprompt import errors
from offprompt.request import ledger as rules
from offprompt.request.ledger import MAX_OPEN_IN_SESSION, Ledger
from offprompt.request.lifetime import LIFETIME_HERE, MEMORY
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.spec import SinkSpec
from tests.request.made import counting, order

DONE = Written((), ".env", ())


def opened(ledger: Ledger, *names: str, session: str = "one", now: float = 0.0, project: str = "/made/up") -> Record:
    return ledger.open(order(*names, session=session, project=project), now)[0]


def test_a_repeated_call_gets_the_same_request() -> None:
    ledger = Ledger(counting())
    first, new = ledger.open(order("A"), 0.0)
    assert new
    assert ledger.open(order("A"), LIFETIME_HERE - 1) == (first, False)


def test_another_content_session_or_project_is_another_request() -> None:
    ledger = Ledger(counting())
    records = {
        opened(ledger, "A"),
        opened(ledger, "B"),
        opened(ledger, "A", session="two"),
        opened(ledger, "A", project="/else"),
    }
    assert len(records) == 4


def test_a_call_that_says_that_the_person_is_elsewhere_is_another_request() -> None:
    """A local link that nobody could open is not given out again for the public one that is asked for now."""
    ledger = Ledger(counting())
    here, _ = ledger.open(order("A"), 0.0)
    away, new = ledger.open(order("A", remote=True), 0.0)
    assert new
    assert away.expires_at > here.expires_at
    assert ledger.open(order("A", remote=True), 1.0) == (away, False)
    assert ledger.open(order("A"), 1.0) == (here, False)


def test_a_request_that_is_being_written_is_still_the_same() -> None:
    ledger = Ledger(counting())
    record = opened(ledger, "A")
    record.begin_write()
    assert opened(ledger, "A") is record


def test_a_closed_request_is_not_given_out_again() -> None:
    ledger = Ledger(counting())
    record = opened(ledger, "A")
    record.cancel("person", 1.0)
    assert opened(ledger, "A", now=1.0) is not record


def test_a_request_past_its_time_is_not_given_out_again() -> None:
    ledger = Ledger(counting())
    record = opened(ledger, "A")
    assert opened(ledger, "A", now=LIFETIME_HERE) is not record
    assert record.status == "expired"


def test_a_session_has_8_open_requests_at_most() -> None:
    ledger = Ledger(counting())
    records = [opened(ledger, f"KEY_{number}") for number in range(MAX_OPEN_IN_SESSION)]
    with pytest.raises(errors.TooManyOpen) as refused:
        opened(ledger, "ONE_MORE")
    for record in records:
        assert record.request_id in str(refused.value)
        assert record.token not in str(refused.value)
    assert opened(ledger, "ONE_MORE", session="two").open
    assert opened(ledger, "KEY_0") is records[0], "a repeated call is no new request"
    records[3].cancel("agent", 1.0)
    assert opened(ledger, "ONE_MORE", now=1.0).open


def test_a_service_has_1000_open_requests_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rules.MAX_OPEN == 1000
    monkeypatch.setattr(rules, "MAX_OPEN", 3)
    ledger = Ledger(counting())
    for number in range(3):
        opened(ledger, "OTHERS_KEY", session=str(number))
    with pytest.raises(errors.ServiceFull) as refused:
        opened(ledger, "A", session="new")
    assert "OTHERS_KEY" not in str(refused.value)
    assert opened(ledger, "A", session="new", now=LIFETIME_HERE).open, "expired ones make room"


def test_a_request_is_found_by_its_token_and_by_its_session_and_id() -> None:
    ledger = Ledger(counting())
    record = opened(ledger, "A")
    assert ledger.by_token(record.token, 0.0) is record
    assert ledger.by_id("one", record.request_id, 0.0) is record
    assert ledger.by_id("two", record.request_id, 0.0) is None
    assert ledger.by_id("one", record.token, 0.0) is None
    assert ledger.by_token(record.request_id, 0.0) is None
    for unknown in ("", "0" * 32, record.token.upper(), "\ud800"):
        assert ledger.by_token(unknown, 0.0) is None
        assert ledger.by_id("one", unknown, 0.0) is None


def test_a_look_up_expires_what_is_past_its_time() -> None:
    ledger = Ledger(counting())
    record = opened(ledger, "A")
    found = ledger.by_token(record.token, LIFETIME_HERE)
    assert found is record
    assert record.status == "expired"


def test_a_closed_request_is_remembered_for_an_hour() -> None:
    ledger = Ledger(counting())
    record = opened(ledger, "A")
    record.begin_write()
    record.finish_write(DONE, 10.0)
    assert ledger.by_token(record.token, 10.0 + MEMORY - 1) is record
    assert ledger.by_id("one", record.request_id, 10.0 + MEMORY - 1) is record
    assert ledger.by_token(record.token, 10.0 + MEMORY) is None
    assert ledger.by_id("one", record.request_id, 10.0 + MEMORY) is None


def test_open_requests_are_listed_oldest_first_and_by_session() -> None:
    ledger = Ledger(counting())
    one, two, three = opened(ledger, "A"), opened(ledger, "A", session="two"), opened(ledger, "B")
    assert ledger.open_records() == (one, two, three)
    assert ledger.open_records("one") == (one, three)
    assert ledger.open_records("none") == ()
    one.cancel("agent", 1.0)
    assert ledger.open_records() == (two, three)


def test_it_says_when_there_is_something_to_do_next() -> None:
    ledger = Ledger(counting())
    assert ledger.next_due() is None
    record = opened(ledger, "A", now=5.0)
    assert ledger.next_due() == 5.0 + LIFETIME_HERE
    record.begin_write()
    assert ledger.next_due() is None
    record.finish_write(DONE, 8.0)
    assert ledger.next_due() == 8.0 + MEMORY
    ledger.sweep(8.0 + MEMORY)
    assert ledger.next_due() is None
    assert ledger.by_token(record.token, 8.0) is None


def test_a_sweep_at_every_due_time_ends_with_nothing_left() -> None:
    ledger = Ledger(counting())
    for number in range(5):
        opened(ledger, f"KEY_{number}", now=float(number))
    steps = 0
    while (due := ledger.next_due()) is not None:
        ledger.sweep(due)
        steps += 1
        assert steps <= 10, "every sweep at its due time has something to do"
    assert steps == 10


def test_watchers_hear_when_the_next_due_time_may_have_changed() -> None:
    ledger = Ledger(counting())
    due: list[float | None] = []
    ledger.on_change(lambda: due.append(ledger.next_due()))
    record = opened(ledger, "A")
    opened(ledger, "A")
    record.begin_write()
    record.fail_write(1.0)
    record.cancel("operator", 2.0)
    assert due == [LIFETIME_HERE, None, LIFETIME_HERE, 2.0 + MEMORY]


def test_closed_requests_beyond_the_limit_are_forgotten_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rules.MAX_CLOSED == 4000
    monkeypatch.setattr(rules, "MAX_CLOSED", 3)
    ledger = Ledger(counting())
    records = []
    for number in range(6):
        records.append(opened(ledger, f"KEY_{number}", now=float(number)))
        records[-1].cancel("agent", float(number))
    ledger.sweep(6.0)
    assert [ledger.by_token(record.token, 6.0) is not None for record in records] == [False] * 3 + [True] * 3


def test_a_closed_request_stays_in_under_a_kibibyte() -> None:
    """With its part of the ledger's own tables; 16 names in the file, as in a usual project."""
    ledger = Ledger(counting())
    taken = []
    for number in range(600):
        if number in (100, 600 - 1):
            gc.collect()
            taken.append(tracemalloc.get_traced_memory()[0] if taken else tracemalloc.start() or 0)
        names = [f"FIRST_KEY_{number}", f"SECOND_KEY_{number}"]
        asked, _new = ledger.open(order(*names, project=f"/home/ada/{number}", sink=SinkSpec("dotenv", ".env")), 0.0)
        asked.begin_write()
        keys = (*asked.spec.names, *(f"{number}_OLD_{other}" for other in range(14)))
        asked.finish_write(Written(("🍋", "🥝", "🌮", "🧀"), ".env", (Outcome(names[0], "added"),), keys), 0.0)
    tracemalloc.stop()
    assert (taken[1] - taken[0]) / 499 < 1024
