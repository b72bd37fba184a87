"""Several changes at once, as they come out in the text."""

from __future__ import annotations

from typing import cast

import pytest

from offprompt.errors import NotHeld, TargetInTheWay
from offprompt.sinks.dotenv_file import DotenvChange, DotenvFile, compose_dotenv
from offprompt.sinks.project_file import Composition
from offprompt.sinks.sink import Change
from tests.sinks.put import judged


def dotenv(text: str, *changes: Change, held: tuple[str, ...] = ()) -> Composition:
    return compose_dotenv(text, [cast("DotenvChange", judged(change)) for change in changes], held, ".env")[0]


def test_outcomes_come_in_the_order_of_the_changes() -> None:
    text = "OLD=1\nSALT=kept-one\nEMPTY=\n"
    composed = dotenv(
        text,
        Change("NEW", "a"),
        Change("SALT", "unused", generated=True),
        Change("OLD", "b"),
        Change("EMPTY", "c"),
        Change("PEPPER", "d", generated=True),
    )
    assert composed.outcomes == (
        ("NEW", "added"),
        ("SALT", "kept"),
        ("OLD", "replaced"),
        ("EMPTY", "added"),
        ("PEPPER", "generated"),
    )
    assert composed.text == "OLD=b\nSALT=kept-one\nEMPTY=c\nNEW=a\nPEPPER=d\n"


def test_a_place_with_nothing_in_it_is_filled_by_a_generated_value() -> None:
    """A copied .env.example has AUTH_SECRET= with nothing behind it."""
    composed = dotenv("AUTH_SECRET=\n", Change("AUTH_SECRET", "made", generated=True))
    assert (composed.text, composed.outcomes) == ("AUTH_SECRET=made\n", (("AUTH_SECRET", "generated"),))


def test_nothing_to_write_leaves_the_text_alone() -> None:
    assert dotenv("A=1\n", Change("A", "x", generated=True)).text is None
    assert dotenv("A=1\n", held=("A",)) == Composition(None, ())
    assert dotenv("A=1\n", Change("A", "1")).text is None


def test_what_was_to_be_kept_must_be_there() -> None:
    for text in ("", "B=1\n", "A=\n", "# A=1\n"):
        with pytest.raises(NotHeld) as refused:
            dotenv(text, Change("B", "x"), held=("A",))
        assert refused.value.details == {"name": "A", "path": ".env"}


def test_a_later_change_is_seen_in_what_a_shell_reads_of_an_earlier_one() -> None:
    composed = dotenv("\r\nT", Change("T", "x"), Change("KEY", "y"))
    assert composed.text == "\r\nT=x\r\nKEY=y\r\n"
    assert composed.shell_differs == ("T", "KEY")


def test_a_later_change_cannot_open_an_earlier_one() -> None:
    """The two apostrophes close each other for a shell until the second one is replaced."""
    text = "MOTTO=it's\nSECOND=it's\nFIRST=old\n"
    with pytest.raises(TargetInTheWay) as refused:
        dotenv(text, Change("FIRST", "$(canary)"), Change("SECOND", "x"))
    assert refused.value.details["line"] == 1
    assert dotenv(text, Change("SECOND", "x"), Change("FIRST", "y")).shell_differs == ("SECOND", "FIRST")


def test_nothing_shows_a_value() -> None:
    marker = "marker-5521"
    composed = dotenv("", Change("A", marker))
    assert marker in (composed.text or "")
    assert marker not in repr(composed) + repr(Change("A", marker))


def test_a_value_that_no_dotenv_file_holds_is_told_in_lines_without_it() -> None:
    sink = DotenvFile()
    lines = sink.change("A", "${marker-5521}")
    assert isinstance(lines, tuple)
    assert lines
    assert "marker" not in "".join(lines)
    assert isinstance(sink.change("A", "fine"), Change)
