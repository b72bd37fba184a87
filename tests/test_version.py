"""The version: one constant, read by setup.cfg and by the light path."""

from __future__ import annotations

import re

from offprompt.version import VERSION


def test_the_version_is_three_numbers() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
