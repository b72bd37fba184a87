"""A process knows whether the program on disk is still its own."""

from __future__ import annotations

import pytest

from offprompt import version
from offprompt.agent.installation import is_intact


class Loader:
    """What reads the files of a package, wherever they are."""

    def __init__(self, found: bytes | Exception) -> None:
        self._found = found

    def get_data(self, path: str) -> bytes:
        if isinstance(self._found, Exception):
            raise self._found
        return self._found


def test_the_program_of_this_test_is_intact():
    assert is_intact()


@pytest.mark.parametrize("found", [b'VERSION = "99.0.0"', b"", FileNotFoundError(), ImportError("bad archive")])
def test_another_version_or_none_is_not(monkeypatch, found):
    monkeypatch.setattr(version, "__loader__", Loader(found))
    assert not is_intact()
