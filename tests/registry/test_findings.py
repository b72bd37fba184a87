"""What checks say."""

from __future__ import annotations

from offprompt.registry.findings import Checked, Line, Summary


def test_a_line_and_a_summary_are_objects_with_their_facts() -> None:
    line = Line("length", "warn", {"min": 1, "n": 0})
    assert line.as_object() == {"id": "length", "state": "warn", "min": 1, "n": 0}
    assert Line("placeholder", "warn").as_object() == {"id": "placeholder", "state": "warn"}
    assert Summary("is", {"format": "json"}).as_object() == {"id": "is", "format": "json"}


def test_one_line_that_fails_blocks_and_one_that_warns_warns() -> None:
    fine, waits, doubts, fails = (Line("x", state) for state in ("pass", "pending", "warn", "fail"))
    told = [Checked(lines, None) for lines in ((), (fine, waits), (fine, doubts), (fails, fine), (doubts, fails))]
    assert [(each.blocks, each.warns) for each in told] == [
        (False, False), (False, False), (False, True), (True, False), (True, True),
    ]  # fmt: skip
