"""Which values a dotenv file can hold, and what the person reads when it cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.sinks.dotenv import node, python
from offprompt.sinks.dotenv.forms import NO_TEXT, forms, objections
from tests.sinks.texts import values


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("sk_live_51H", "sk_live_51H"),
        ("https://user@db:5432/x", "https://user@db:5432/x"),
        ("YWJj==", "YWJj=="),
        ("", "''"),
        ("=starts", "'=starts'"),
        ("path:=x", "'path:=x'"),
        ("two words", "'two words'"),
        ("#hash", "'#hash'"),
        ("~/x", "'~/x'"),
        ('$(cmd) `cmd` "q" \\d', "'$(cmd) `cmd` \"q\" \\d'"),
        ("it's", '"it\'s"'),
    ],
)
def test_the_best_form_comes_first(value: str, form: str) -> None:
    assert next(forms(value)) == form
    assert objections("NAME", value) == ()


@pytest.mark.parametrize(
    "value",
    [
        "two\nlines",
        "-----BEGIN-----\nMII\n-----END-----\n",
        "cr\rlf",
        "cr\r\nlf\r\n",
        "back\\\\slashes",
        "ends in one\\".replace(" ", "_"),
        "a'b'\"c\"",
        'it\'s "so"',
        'it\'s "$(so)" `so`',
        'say:"it\'s"\\',
        " blanks at the ends ",
        "\ttab",
        "é🍋\u200d",
        "$HOME",
        "costs $5",
        "a$b'c",
        "${unfinished",
        "${odd:name}",
        '{"a": "b"}',
        "x" * 131072,
    ],
)
def test_these_values_are_carried(value: str) -> None:
    assert objections("NAME", value) == ()


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("${HOME}", "${…}"),
        ("x${A:-b}y", "${…}"),
        ('so: it\'s "so"', "single quotes, double quotes and blanks"),
        ("'a\"b`", "single quotes, double quotes and backticks"),
        ('it\'s "#1"', "single quotes, double quotes, number signs and blanks"),
        ("double \\\\ backslash", "backslashes and blanks"),
        ("$(so) it's", "single quotes, dollar signs and blanks"),
        ("\r'\"", "carriage returns"),
        ("NUL\0", "character"),
        ("half \ud83c", "character"),
    ],
)
def test_what_is_refused_is_refused_with_its_reason(value: str, word: str) -> None:
    lines = objections("NAME", value)
    assert word in lines[0]
    assert all(line.endswith(".") for line in lines)


@given(st.one_of(values, st.text()))
def test_no_line_repeats_a_piece_of_the_value(value: str) -> None:
    marked = f"{value}QzJx{value}"
    assert "QzJx" not in "".join(objections("NAME", marked))


@given(values)
def test_what_is_not_refused_has_a_form_that_both_readers_read(value: str) -> None:
    readable = [
        form
        for form in forms(value)
        if [found.value for found in node.statements(f"N={form}\n")] == [value]
        and [found.value for found in python.statements(f"N={form}\n")] == [value]
    ]
    if not objections("N", value):
        assert readable
        assert not python.is_filled(value)


@pytest.mark.parametrize(
    ("value", "text"), [("a", True), ("", True), ("\0", False), ("\udfff", False), ("\U0010ffff", True)]
)
def test_text_is_what_utf_8_can_hold_without_nul(value: str, text: bool) -> None:
    assert (objections("N", value) != (NO_TEXT,)) is text
