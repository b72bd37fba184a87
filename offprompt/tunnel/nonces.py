"""What only this service knows: the nonces by which a request through the tunnel is known again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Nonces:
    """The nonces of the tries under way, by the random part of their path. `random` makes bytes."""

    random: Callable[[int], bytes]
    _open: dict[str, str] = field(default_factory=dict, repr=False)

    def begin(self) -> tuple[str, str]:
        """A new path's random part and its nonce, 128 bits each in hex."""
        path, nonce = self.random(16).hex(), self.random(16).hex()
        self._open[path] = nonce
        return path, nonce

    def end(self, path: str) -> None:
        """The try is over: nothing is answered there any more."""
        self._open.pop(path, None)

    def answer(self, path: str) -> str | None:
        """What the page answers there; None is not found."""
        return self._open.get(path)
