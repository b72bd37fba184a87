"""What the tests of commands start."""

from __future__ import annotations

from tests.cli.conftest import start

__all__ = ["start"]
