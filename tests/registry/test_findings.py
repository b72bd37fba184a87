"""What a check finds, as the page's script has it."""

from __future__ import annotations

from offprompt.registry.findings import Line


def test_a_line_is_an_object_with_its_facts_beside_its_id() -> None:
    assert Line("length", "warn", {"min": 1}).as_object() == {"id": "length", "state": "warn", "min": 1}
    assert Line("placeholder", "warn").as_object() == {"id": "placeholder", "state": "warn"}
