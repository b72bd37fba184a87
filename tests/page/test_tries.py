"""Twenty tries a minute and link."""

from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.page.tries import Tries
from tests.page.world import World


def test_the_twenty_first_try_in_a_minute_is_told_when_to_come_back(world: World) -> None:
    tries, record = Tries(), world.record()
    for number in range(20):
        tries.count(record, number / 10)
    with pytest.raises(errors.TooOften, match="in 58 seconds") as caught:
        tries.count(record, 2.1)
    assert caught.value.details == {"seconds": 58}


def test_the_window_slides_and_refused_tries_do_not_count(world: World) -> None:
    tries, record = Tries(), world.record()
    for _ in range(20):
        tries.count(record, 0.0)
    for now in range(1, 60):
        with pytest.raises(errors.TooOften):
            tries.count(record, float(now))
    for _ in range(20):
        tries.count(record, 60.0)
    with pytest.raises(errors.TooOften):
        tries.count(record, 60.0)


def test_one_link_does_not_use_up_anothers_tries(world: World) -> None:
    tries, one, other = Tries(), world.record(session="a"), world.record(session="b")
    for _ in range(20):
        tries.count(one, 0.0)
    tries.count(other, 0.0)


def test_nothing_is_kept_of_a_link_that_was_not_tried_for_a_minute(world: World) -> None:
    """A closed request is remembered for an hour, and its tries are not."""
    tries, last = Tries(), world.record(session="last")
    for number in range(5):
        tries.count(world.record(session=str(number)), float(number))
    tries.count(last, 63.5)
    assert len(tries) == 2
    tries.count(last, 64.0)
    assert len(tries) == 1
