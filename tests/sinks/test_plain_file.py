"""One value as a whole file."""

from __future__ import annotations

import pytest

from offprompt.errors import NotHeld
from offprompt.sinks.plain_file import PlainFile, compose_file
from offprompt.sinks.project_file import Composition
from offprompt.sinks.sink import Change


def test_a_file_is_its_value() -> None:
    change = Change("KEY", "a\r\nb")
    assert compose_file(False, [change], (), "k") == Composition("a\r\nb", (("KEY", "added"),))
    assert compose_file(True, [change], (), "k") == Composition("a\r\nb", (("KEY", "replaced"),))
    generated = Change("KEY", "new", generated=True)
    assert compose_file(True, [generated], (), "k") == Composition(None, (("KEY", "kept"),))
    assert compose_file(False, [generated], (), "k") == Composition("new", (("KEY", "generated"),))
    assert compose_file(True, [], ("KEY",), "k") == Composition(None, ())
    with pytest.raises(NotHeld):
        compose_file(False, [], ("KEY",), "k")


def test_it_takes_any_text_that_can_be_stored() -> None:
    sink = PlainFile()
    assert sink.change("A", "${X} 'and\" all\n") == Change("A", "${X} 'and\" all\n")
    for value in ("\0", "\ud800"):
        (line,) = sink.change("A", value)  # type: ignore[misc]
        assert line == "This value holds a character that no text file can hold. Paste it again, or type it."
