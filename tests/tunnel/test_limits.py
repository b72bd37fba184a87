"""The times of a public link fit into each other."""

from __future__ import annotations

from offprompt.tunnel.limits import Limits


def test_a_service_stops_within_the_four_seconds_that_it_has() -> None:
    """R24: TERM, then KILL, then the pipes."""
    limits = Limits()
    assert limits.grace + limits.drain < 4


def test_callers_are_told_before_hosts_cut_their_calls_at_sixty_seconds() -> None:
    """A download has a minute of its own, and is not counted."""
    limits = Limits()
    assert limits.version + limits.answer + limits.one_try < 60


def test_every_way_to_the_name_is_tried_in_the_callers_time() -> None:
    limits = Limits()
    assert list(limits.over_https_at) == sorted(limits.over_https_at)
    assert limits.first_question < limits.over_https_at[0] < limits.over_https_at[-1] < limits.system_at < limits.answer
