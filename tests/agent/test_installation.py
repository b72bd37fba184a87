"""A process knows whether the program on disk is still its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from offprompt import version
from offprompt.agent.installation import is_cause_of, is_intact


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


def test_a_file_of_the_program_that_is_gone_is_told_from_one_that_is_not_ours(tmp_path):
    ours = Path(version.__file__).parent / "page" / "gone.js"
    assert is_cause_of(FileNotFoundError(2, "No such file or directory", str(ours)))
    assert is_cause_of(ModuleNotFoundError("treq"))
    assert is_cause_of(SyntaxError())
    assert not is_cause_of(FileNotFoundError(2, "No such file or directory", str(tmp_path)))
    assert not is_cause_of(FileNotFoundError(2, "No such file or directory"))  # os.getcwd() names no file
    assert not is_cause_of(AttributeError("a fault of ours"))
