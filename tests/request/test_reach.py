from __future__ import annotations

from offprompt.request.ledger import Ledger
from tests.request.made import counting, order
from tests.request.reach import reaches

MARKER = "made-up-marker-51c0"


def test_the_search_for_values_finds_one_where_there_is_one() -> None:
    record = Ledger(counting()).open(order("A"), 0.0)[0]
    assert not reaches(record, MARKER)
    record.closed_at = {"deep": [("within", f"x{MARKER}x".encode())]}  # type: ignore[assignment]
    assert reaches(record, MARKER)
