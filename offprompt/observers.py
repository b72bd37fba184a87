"""Who is told of changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Observers(Generic[P]):
    """Callables that are told of the same changes, in the order in which they came."""

    __slots__ = ("_observers",)

    def __init__(self) -> None:
        self._observers: dict[object, Callable[P, object]] = {}

    def __len__(self) -> int:
        return len(self._observers)

    def subscribe(self, observer: Callable[P, object]) -> Callable[[], None]:
        """Tell `observer` from now on. Return what ends that; calling it twice is fine."""
        subscription = object()
        self._observers[subscription] = observer

        def unsubscribe() -> None:
            self._observers.pop(subscription, None)

        return unsubscribe

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every observer that is subscribed now, also one that another unsubscribes meanwhile."""
        for observer in tuple(self._observers.values()):
            observer(*args, **kwargs)
