"""Spaces at the ends of a value."""

from __future__ import annotations

import pytest

from offprompt.registry.space import SPACE


@pytest.mark.parametrize("space", SPACE)
def test_every_space_is_cut_at_both_ends_and_left_inside(space: str) -> None:
    assert f"{space}{space}a{space}b{space}".strip(SPACE) == f"a{space}b"


def test_what_has_no_width_counts_as_space_and_what_is_none_stays() -> None:
    assert "\ufeff\u200bkey\u2060".strip(SPACE) == "key"
    assert "\x1c\x85\0".strip(SPACE) == "\x1c\x85\0"
    assert SPACE.strip(SPACE) == "".strip(SPACE) == ""
