"""The page's world: it is the web door through which the shared parts are tried."""

from __future__ import annotations

from tests.page.conftest import logged, world

__all__ = ["logged", "world"]
