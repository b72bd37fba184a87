from __future__ import annotations

from offprompt.request.target import TargetState


def test_a_target_of_which_nothing_is_known_is_new_and_unknown_to_git() -> None:
    """What cannot be found out counts as untracked: the page then says "not known to git"."""
    unknown = TargetState()
    assert not any((unknown.exists, unknown.tracked, unknown.ignored, unknown.git, unknown.readable_by_others))
    assert unknown.keys == ()
