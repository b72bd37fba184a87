"""What is kept of a closed request."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from offprompt.request import archive
from offprompt.request.outcome import Outcome, Written
from offprompt.request.spec import SinkSpec
from offprompt.request.target import TargetState
from tests.request.made import order

TEXT = st.text(st.characters(exclude_categories=()), min_size=1, max_size=20)
NAMES = st.lists(st.from_regex(r"[A-Z][A-Z0-9_]{0,20}", fullmatch=True), min_size=1, max_size=12, unique=True)


@given(NAMES, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20), TEXT)
def test_names_place_and_result_come_back_as_they_were(names: list[str], path: str, lands: str) -> None:
    asked = order(*names, generated=tuple(names[::2]), sink=SinkSpec("dotenv", path), target=TargetState(lands=lands))
    result = Written(("🍋",), lands, tuple(Outcome(name, "kept") for name in names), (*names, "é"), (names[0],), 7)
    packed = archive.pack(asked, result)
    kept = archive.unpack_order(packed, "one")
    assert (kept.spec.names, kept.spec.sink, kept.target.lands) == (tuple(names), asked.spec.sink, lands)
    assert [entry.generate is None for entry in kept.spec.entries] == [
        entry.generate is None for entry in asked.spec.entries
    ]
    assert archive.unpack_result(packed) == result
    assert archive.unpack_result(archive.pack(asked, None)) is None
    assert archive.asked_for(packed, asked.spec)


def test_reason_fields_and_the_target_s_keys_are_not_kept() -> None:
    packed = archive.pack(order("A", target=TargetState(keys=("THEIRS",))), None)
    assert b"Because" not in packed
    assert b"THEIRS" not in packed
