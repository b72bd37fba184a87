"""Reading and writing a file takes time that grows with its length and no faster, whatever it holds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from offprompt.errors import TargetInTheWay
from offprompt.sinks.dotenv import document, forms, shell
from offprompt.sinks.dotenv.document import Document
from offprompt.sinks.dotenv.file_keys import reported_keys
from tests.growth import LINEAR, growth

Pattern = tuple[str, str, str]

FILES: list[Pattern] = [
    ("A=x", " ", "y"),  # blanks in a value, which a comment might follow
    ("A=", "'x\u2028", ""),  # quotes that start lines of a value, and none that ends it
    ("A='", "\\'", ""),
    ('A="', '\\"', "x"),
    ("", "A='x\n", ""),
    ("", "A=\\`\n", ""),
    ("", "A='x'\u2028", ""),  # many assignments in what is one line to others
    ("", "KEY=1\n", ""),
    ("", "KEY: 1\n", ""),
    ("", "KEY: 1\n'KEY'=1\nA=1\n", ""),
    ("", "B=1\n'C'=1\nD: 1\n", ""),
    ("", "A=\n", ""),
    ("", "ABCDEFGH=\n", ""),
    ("A=", "\n", "x"),
    ("A", "\n", "x"),
    ("export", " ", "x"),
    ("", "A B\n", ""),
    ("A=", "${", "x"),
    ("A=", "${B:-", ""),
    ("A=", "$(", ""),
    ("A=", "`", ""),
    ("", ";", ""),
    ("a", " a", ";"),
    ("", "#'\r", ""),
]


def put(text: str) -> None:
    carried = forms.carry("KEY", "a b")
    assert isinstance(carried, forms.Carried)
    with suppress(TargetInTheWay):
        document.put(Document(text), carried, ".env")


READERS: dict[str, Callable[[str], object]] = {
    "shell": shell.script,
    "put": put,
    "reported_keys": lambda text: reported_keys(Document(text)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("pattern", FILES, ids=repr)
def test_a_long_file_takes_as_long_as_its_length(reader: str, pattern: Pattern) -> None:
    before, piece, after = pattern
    assert growth(lambda n: before + piece * n + after, READERS[reader]) < LINEAR


@pytest.mark.parametrize(
    "pattern",
    [
        ("", "${", ":x}"),  # each might begin what the brace ends
        ("", "${a:-", ""),
        ("", "${a:-", "}"),
        ("}", "${", ""),
        ("", "$", "{}"),
        ("", "\\", "'\""),
        ("", "'", '"'),
        ("", "a:=", ""),
        ("", "a\n", "'"),
    ],
    ids=repr,
)
def test_a_long_value_takes_as_long_as_its_length(pattern: Pattern) -> None:
    before, piece, after = pattern
    assert growth(lambda n: before + piece * n + after, lambda value: forms.carry("KEY", value)) < LINEAR
