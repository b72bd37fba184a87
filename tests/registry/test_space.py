"""Spaces at the ends of a value."""

from __future__ import annotations

import pytest

from offprompt.registry.space import SPACE, trim


@pytest.mark.parametrize("space", SPACE)
def test_every_space_is_cut_at_both_ends_and_left_inside(space: str) -> None:
    assert trim(f"{space}{space}a{space}b{space}") == f"a{space}b"


def test_what_has_no_width_counts_as_space_and_what_is_none_stays() -> None:
    assert trim("\ufeff\u200bkey\u2060") == "key"
    assert trim("\x1c\x85\0") == "\x1c\x85\0"
    assert trim(SPACE) == trim("") == ""
