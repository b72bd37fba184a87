"""A set that says when its last element is gone: connections, sessions, writes under way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from twisted.internet.defer import Deferred

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

T = TypeVar("T", bound="Hashable")


class EmptyableSet(Generic[T]):
    """Elements in the order in which they came, each at most once."""

    def __init__(self) -> None:
        self._elements: dict[T, None] = {}
        self._waiting: list[Deferred[None]] = []

    def __len__(self) -> int:
        return len(self._elements)

    def __iter__(self) -> Iterator[T]:
        """Iterate over a copy, so that elements may come and go meanwhile."""
        return iter(tuple(self._elements))

    def __contains__(self, element: object) -> bool:
        return element in self._elements

    def add(self, element: T) -> None:
        """Add `element`."""
        self._elements[element] = None

    def discard(self, element: T) -> None:
        """Remove `element` if it is there, and fire what waits if it was the last."""
        self._elements.pop(element, None)
        if not self._elements:
            waiting, self._waiting = self._waiting, []
            for deferred in waiting:
                deferred.callback(None)

    def when_empty(self) -> Deferred[None]:
        """Return a Deferred that fires with None when no element is left: at once when there is none."""
        empty: Deferred[None] = Deferred(self._forget)
        if self._elements:
            self._waiting.append(empty)
        else:
            empty.callback(None)
        return empty

    def _forget(self, deferred: Deferred[None]) -> None:
        if deferred in self._waiting:  # cancelled: nobody waits any more
            self._waiting.remove(deferred)
