"""Observers hear of changes for as long as they wish."""

from __future__ import annotations

from offprompt.observers import Observers


def test_all_are_told_in_their_order() -> None:
    heard: list[tuple[str, int]] = []
    observers: Observers[[int]] = Observers()
    observers.subscribe(lambda number: heard.append(("first", number)))
    observers.subscribe(lambda number: heard.append(("second", number)))
    observers.tell(7)
    assert heard == [("first", 7), ("second", 7)]


def test_one_that_has_left_hears_nothing_and_may_leave_twice() -> None:
    heard: list[int] = []
    observers: Observers[[int]] = Observers()
    leave = observers.subscribe(heard.append)
    leave()
    leave()
    observers.tell(7)
    assert (heard, len(observers)) == ([], 0)


def test_the_same_observer_may_subscribe_twice_and_ends_each_alone() -> None:
    heard: list[int] = []
    observers: Observers[[int]] = Observers()
    leave = observers.subscribe(heard.append)
    observers.subscribe(heard.append)
    leave()
    observers.tell(7)
    assert heard == [7]


def test_leaving_while_others_are_told_changes_nothing_for_them() -> None:
    heard: list[str] = []
    observers: Observers[[]] = Observers()

    def once() -> None:
        heard.append("once")
        leave()

    leave = observers.subscribe(once)
    observers.subscribe(lambda: heard.append("always"))
    observers.tell()
    observers.tell()
    assert heard == ["once", "always", "always"]
