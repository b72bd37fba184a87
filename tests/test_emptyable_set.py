"""A set says when its last element is gone."""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred

from offprompt.emptyable_set import EmptyableSet


def fired(deferred: Deferred[None]) -> list[None]:
    heard: list[None] = []
    deferred.addCallback(heard.append)
    return heard


def test_an_empty_set_is_empty_at_once() -> None:
    assert fired(EmptyableSet[str]().when_empty()) == [None]


def test_everybody_who_waits_hears_when_the_last_is_gone() -> None:
    elements = EmptyableSet[str]()
    elements.add("a")
    elements.add("b")
    first, second = fired(elements.when_empty()), fired(elements.when_empty())
    elements.discard("a")
    assert first == []
    elements.discard("b")
    assert (first, second, len(elements)) == ([None], [None], 0)


def test_what_is_gone_may_go_again() -> None:
    elements = EmptyableSet[str]()
    elements.add("a")
    elements.discard("b")
    assert list(elements) == ["a"]
    elements.discard("a")
    elements.discard("a")
    assert "a" not in elements


def test_elements_may_go_while_they_are_gone_through() -> None:
    elements = EmptyableSet[int]()
    for number in range(3):
        elements.add(number)
    for number in elements:
        elements.discard(number)
    assert not len(elements)


def test_who_no_longer_waits_is_forgotten() -> None:
    elements = EmptyableSet[str]()
    elements.add("a")
    waiting = elements.when_empty()
    failures: list[object] = []
    waiting.addErrback(lambda failure: failures.append(failure.type))
    waiting.cancel()
    elements.discard("a")
    assert failures == [CancelledError]
