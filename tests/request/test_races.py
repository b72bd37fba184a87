"""A service's requests under everything that agents, persons, operators and time can do to them, in any order."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from offprompt import errors
from offprompt.request.fingerprint import fingerprint
from offprompt.request.ledger import Ledger
from offprompt.request.lifetime import LIFETIME_HERE, MEMORY
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.submission import Submission, judge, read_submission
from tests.request.made import KEY, counting, order, sealed
from tests.request.reach import reaches

MARKER = "made-up-marker-51c0"
SESSIONS = st.sampled_from(["one", "two"])
NAMES = st.sampled_from(["A", "B", "C"])


@dataclass
class Expected:
    """What the machine knows of a record without asking it."""

    record: Record
    status: str = "awaiting"
    wish: str | None = None
    cancelled_by: str | None = None
    results: list[Written] = field(default_factory=list)
    closed_at: float | None = None

    @property
    def open(self) -> bool:
        return self.status in ("awaiting", "writing")


@dataclass
class Write:
    """A write under way: it holds the values, as the thread of a sink does."""

    expected: Expected
    submission: Submission


class Requests(RuleBasedStateMachine):
    records = Bundle("records")
    writes = Bundle("writes")

    def __init__(self) -> None:
        super().__init__()
        self.ledger = Ledger(counting())
        self.now = 0.0
        self.known: list[Expected] = []

    def look(self, *looked_at: Expected) -> None:
        """What the ledger does by itself when somebody looks at these."""
        for each in looked_at:
            if each.status == "awaiting" and each.record.expires_at <= self.now:
                each.status, each.closed_at = "expired", self.now

    @rule(target=records, session=SESSIONS, name=NAMES)
    def open(self, session: str, name: str) -> Expected:
        self.look(*self.known)
        record, new = self.ledger.open(order(name, session=session), self.now)
        same = [
            each
            for each in self.known
            if each.open and each.record.expires_at > self.now and each.record.order == order(name, session=session)
        ]
        if same:
            assert (record, new) == (same[0].record, False)
            return same[0]
        assert new
        self.known.append(Expected(record))
        return self.known[-1]

    @rule(target=writes, each=records, another=st.booleans())
    def submit(self, each: Expected, another: bool) -> Write | None:
        """A person presses the button; with `another`, with the nonce of some other request."""
        self.look(each)
        record = self.ledger.by_token(each.record.token, self.now)
        if record is None:
            assert each.closed_at is not None
            assert each.closed_at + MEMORY <= self.now
            return Write(each, Submission({}, False, KEY))
        try:
            name = record.spec.names[0]
            submission = read_submission(
                record, "0" * 32 if another else record.nonce, sealed(record, {name: MARKER + name})
            )
            assert not judge(record.order, submission)
            record.begin_write()
        except errors.SealForeign:
            assert another
        except errors.RequestBusy:
            assert each.status == "writing"
        except errors.RequestClosed:
            assert not each.open
        else:
            assert each.status == "awaiting"
            each.status = "writing"
            return Write(each, submission)
        return Write(each, Submission({}, False, KEY))

    @rule(write=consumes(writes), fails=st.booleans())
    def end_write(self, write: Write, fails: bool) -> None:
        if not write.submission.values:
            return
        each, record = write.expected, write.expected.record
        if fails:
            record.fail_write(self.now)
            if each.wish:
                each.status, each.cancelled_by, each.closed_at = "cancelled", each.wish, self.now
            else:
                each.status = "awaiting"
        else:
            values = write.submission.values
            outcomes = tuple(Outcome(name, "added") for name in values)
            done = Written(fingerprint(write.submission.fingerprint_key, values), ".env", outcomes)
            record.finish_write(done, self.now)
            each.results.append(done)
            each.status, each.closed_at = "written", self.now
        each.wish = None

    @rule(each=records, by=st.sampled_from(["agent", "person", "operator"]))
    def cancel(self, each: Expected, by: str) -> None:
        done = each.record.cancel(by, self.now)  # type: ignore[arg-type]
        assert done == (each.status == "awaiting")
        if each.status == "writing":
            each.wish = each.wish or by
        elif done:
            each.status, each.cancelled_by, each.closed_at = "cancelled", by, self.now

    @rule(each=records, session=SESSIONS)
    def await_secret(self, each: Expected, session: str) -> None:
        self.look(each)
        found = self.ledger.by_id(session, each.record.request_id, self.now)
        forgotten = each.closed_at is not None and each.closed_at + MEMORY <= self.now
        assert (found is each.record) == (session == each.record.order.session and not forgotten)

    @rule(seconds=st.sampled_from([0.5, 59.0, LIFETIME_HERE - 1, LIFETIME_HERE, MEMORY - 1, MEMORY]))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def sweep(self) -> None:
        self.look(*self.known)
        self.ledger.sweep(self.now)
        due = self.ledger.next_due()
        assert due is None or due > self.now

    @invariant()
    def every_record_is_as_expected(self) -> None:
        for each in self.known:
            record = each.record
            assert record.status == each.status
            assert len(each.results) <= 1
            assert record.result == (each.results[0] if each.results else None)
            assert record.closed_at == each.closed_at
            assert record.cancelled_by == (each.cancelled_by or each.wish)
            if each.open:
                assert len(record.private_key) == 32
            else:
                with pytest.raises(errors.RequestClosed):
                    _ = record.private_key

    @invariant()
    def the_open_ones_are_listed(self) -> None:
        assert set(self.ledger.open_records()) == {each.record for each in self.known if each.open}

    @precondition(lambda self: self.known)
    @invariant()
    def no_value_is_kept(self) -> None:
        """Values live in the write alone: nothing that the ledger reaches holds one, whatever the state."""
        assert not reaches(self.ledger, MARKER)


TestRequests = Requests.TestCase
TestRequests.settings = settings(settings.default, stateful_step_count=30)
