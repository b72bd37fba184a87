"""The nonces by which this service knows its own request when it comes back through the tunnel.

A file apart from the proof, which loads TLS and HTTP clients: the page asks for nonces without a tunnel too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Nonces:
    """The nonces of the tries under way, by the random part of their path. `random` makes bytes."""

    random: Callable[[int], bytes]
    _open: dict[str, str] = field(default_factory=dict, repr=False)

    def begin(self) -> tuple[str, str]:
        """Return a new path's random part and its nonce, 128 bits each in hex."""
        path, nonce = self.random(16).hex(), self.random(16).hex()
        self._open[path] = nonce
        return path, nonce

    def end(self, path: str) -> None:
        """Forget a path: the try is over."""
        self._open.pop(path, None)

    def answer(self, path: str) -> str | None:
        """Return what the page answers there; None is not found."""
        return self._open.get(path)
