from __future__ import annotations

from typing import Any

import pytest

from offprompt.request.target import TargetState


def test_a_target_of_which_nothing_is_known_is_a_new_file_outside_of_any_repository() -> None:
    new = TargetState()
    assert (new.exists, new.git, new.tracked, new.ignored, new.readable_by_others) == (False, "none", *[False] * 3)
    assert (new.keys, new.lands, new.public, new.trusted, new.writable) == ((), "", "", "", True)


@pytest.mark.parametrize(
    "facts", [{"git": "tracked"}, {"git": "unknown"}, {"public": "public"}, {"trusted": "runs"}], ids=str
)
def test_the_person_has_to_agree_to_a_target_that_others_read_or_run(facts: dict[str, Any]) -> None:
    assert TargetState(**facts).needs_consent


@pytest.mark.parametrize(
    "facts",
    [{}, {"git": "untracked"}, {"exists": True}, {"readable_by_others": True}, {"lands": "x"}, {"writable": False}],
    ids=str,
)
def test_nobody_has_to_agree_to_any_other_target(facts: dict[str, Any]) -> None:
    assert not TargetState(**facts).needs_consent


def test_only_what_git_tracks_is_tracked() -> None:
    assert TargetState(git="tracked").tracked
    assert not TargetState(git="unknown").tracked
