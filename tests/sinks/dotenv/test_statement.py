"""What holds for the statements of both readers."""

from __future__ import annotations

import pytest
from hypothesis import given

from offprompt.sinks.dotenv import node as node_reader
from offprompt.sinks.dotenv import python as python_reader
from offprompt.sinks.dotenv.statement import Statement, newlines_made_plain
from tests.sinks.texts import texts


def test_every_line_end_is_made_lf() -> None:
    assert newlines_made_plain("a\r\nb\rc\nd\n\r\r\n") == "a\nb\nc\nd\n\n\n"


def test_a_statement_does_not_show_its_value() -> None:
    assert "marker-5521" not in repr(Statement("KEY", "marker-5521", 0, 15))


@given(texts)
def test_a_statement_stands_where_it_says(text: str) -> None:
    for reader in (node_reader, python_reader):
        last = 0
        for found in reader.statements(text):
            assert last <= found.at < found.end <= len(text)
            assert text[found.at :].removeprefix("'").startswith(found.name) or "\r" in text
            last = found.end


@pytest.mark.parametrize(
    "text", ["\n" * 200_000, "A='" * 20_000, " " * 200_000 + "=", "A=" + "\\'" * 100_000, "A:\n" * 5000]
)
def test_long_texts_are_read_in_a_moment(text: str) -> None:
    """A file of an unlucky shape must not hold a thread: 200 KB of each are read well within the test's time."""
    assert len(list(node_reader.statements(text))) <= 20_000
    assert len(list(python_reader.statements(text))) <= 20_000
