"""The answers of an array leave together, once."""

from __future__ import annotations

from offprompt.agent.mcp.events import Batch


def test_nothing_leaves_while_an_answer_is_open():
    batch = Batch()
    batch.open = 1
    batch.add({"id": 1})
    assert batch.flush() == b""
    batch.open = 0
    assert batch.flush() == b'[{"id":1}]\n'
    assert batch.flush() == b""


def test_a_batch_that_has_nothing_to_say_says_nothing():
    assert Batch().flush() == b""
    assert Batch().abandon() == b""


def test_an_abandoned_batch_says_what_it_has():
    batch = Batch()
    batch.open = 3
    batch.add({"id": 1})
    batch.add({"id": 2})
    assert batch.abandon() == b'[{"id":1},{"id":2}]\n'
    assert batch.abandon() == b""
