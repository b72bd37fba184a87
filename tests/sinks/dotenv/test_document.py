"""A name is set, and every other byte stays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import assume, given

from offprompt.errors import TargetInTheWay
from offprompt.sinks.dotenv import document as document_module
from offprompt.sinks.dotenv.document import Document
from offprompt.sinks.dotenv.forms import Carried, carry
from offprompt.sinks.dotenv.statement import Statement
from tests.sinks.texts import contents, values


def put(document: Document, name: str, value: str) -> Document:
    carried = carry(name, value)
    assert isinstance(carried, Carried), carried
    return document_module.put(document, carried, ".env")


def places(statements: Sequence[Statement]) -> list[int]:
    return [found.at for found in statements if "KEY" in found.name]


def after(text: str, value: str = "new", name: str = "KEY") -> str:
    return put(Document(text), name, value).text


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", "KEY=new\n"),
        ("A=1\n", "A=1\nKEY=new\n"),
        ("A=1", "A=1\nKEY=new\n"),
        ("A=1\r\n", "A=1\r\nKEY=new\r\n"),
        ("A=1\r\nB=2\n", "A=1\r\nB=2\nKEY=new\n"),
        ("A=1\nB=2\r\nC=3", "A=1\nB=2\r\nC=3\r\nKEY=new\r\n"),
        ("A=1\rB=2\r", "A=1\rB=2\rKEY=new\r"),
        ("\ufeff", "\ufeffKEY=new\n"),
        ("\ufeffKEY=old\n", "\ufeffKEY=new\n"),
        ("KEY=old", "KEY=new"),
        ("KEY=\nA=1\n", "KEY=new\nA=1\n"),
        ("A=1\nKEY=old\nB=2\n", "A=1\nKEY=new\nB=2\n"),
        ("  KEY = old  # why\n", "  KEY=new  # why\n"),
        ("KEY= # fill me\n", "KEY=new # fill me\n"),
        ("KEY=old#part\n", "KEY=new\n"),
        ("export KEY='old'\r\n", "export KEY=new\r\n"),
        ('KEY="two\nlines" # why\nA=1\n', "KEY=new # why\nA=1\n"),
        ("KEY: old\n", "KEY=new\n"),
        ("'KEY'=old\n", "KEY=new\n"),
        ("KEY\n", "KEY=new\n"),
        ("# KEY=old\n", "# KEY=old\nKEY=new\n"),
        ("MYKEY=1\nKEY2=2\nkey=3\n", "MYKEY=1\nKEY2=2\nkey=3\nKEY=new\n"),
        ("A='KEY=inside'\n", "A='KEY=inside'\nKEY=new\n"),
        ("A='\nKEY=inside\n'\n", "A='\nKEY=inside\n'\nKEY=new\n"),
        ("KEY=old\n\n# end\n", "KEY=new\n\n# end\n"),
    ],
)
def test_a_name_takes_its_first_place_or_a_new_last_line(before: str, expected: str) -> None:
    assert after(before) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("KEY=1\nA=1\nKEY=2\n", "KEY=new\nA=1\n"),
        ("KEY=1\nKEY=2\nKEY=3", "KEY=new\n"),
        ("KEY=1\r\nexport KEY='2'  # gone\r\nA=1\r\n", "KEY=new\r\nA=1\r\n"),
        ("KEY=1\n  KEY='two\nlines'\nA=1\n", "KEY=new\nA=1\n"),
        ("KEY=1\n# stays\nKEY=2\n\n# stays too\n", "KEY=new\n# stays\n\n# stays too\n"),
        ("KEY=1\nKEY\n", "KEY=new\n"),
    ],
)
def test_later_places_of_a_name_are_dropped(before: str, expected: str) -> None:
    assert after(before) == expected


@pytest.mark.parametrize(
    ("before", "value", "expected"),
    [
        ("A=1\r\n", "x\ny", "A=1\r\nKEY='x\r\ny'\r\n"),
        ("A=1\n", "x\r\ny", 'A=1\nKEY="x\\r\ny"\n'),
        ("KEY=old # it's\n", "x\\", "KEY=x\\ # # it's\n"),
        ("KEY=old   \n", "x\\", "KEY=x\\ #   \n"),
        ("KEY=old\n", 'it\'s "so"', "KEY=it's \"so\" #'\n"),
        ("KEY=it's \"so\" #'\n", "new", "KEY=new\n"),
        ("KEY=old # it's\n", 'it\'s "so"', "KEY=it's \"so\" #' # it's\n"),
        ("KEY=old\n", "a\"it's", 'KEY=a"it\'s #"\n'),
        ("MOTTO=it's\n", "plain-123", "MOTTO=it's\nKEY=plain-123\n"),
        ("U=<yours>\n", "$(cmd)", "U=<yours>\nKEY='$(cmd)'\n"),
        ("B=${C:-x}\n", "a b", "B=${C:-x}\nKEY='a b'\n"),
        ("\ufeffKEY=old\n", "a b", "\ufeffKEY='a b'\n"),
        ("\u00a0KEY=old\n", "a b", "\u00a0KEY='a b'\n"),
        ("KEY='old'# c\n", "new", "KEY=new # c\n"),
        ("KEY='old'# c\n", "a b", "KEY='a b' # c\n"),
        ('KEY="old"#c\n', "a b", "KEY='a b' #c\n"),
        ("KEY='old'\f# c\n", "new", "KEY=new # c\n"),
        ("KEY='old'\f\n", "new", "KEY=new\n"),
    ],
)
def test_the_form_suits_the_place(before: str, value: str, expected: str) -> None:
    assert after(before, value) == expected


@pytest.mark.parametrize(
    ("text", "value", "exact"),
    [
        ("", "$(cmd)", True),
        ("", "a\\\\b", False),
        ("", "costs $5, it's", False),
        ("A=1\r\n", "x", False),
        ("U=<yours>\n", "x", False),
        ("MOTTO=it's\n", "x", False),
        ("MSG=hello world\n", "x", True),
        ("B=${C:-x}\n", "plain123", True),
        ("B=${C:-x}\n", "a b", True),
        ("B=${KEY:=x}\n", "a b", True),
        ("\ufeffKEY=old\n", "a b", False),
        ("\ufeffA=1\n", "a b", True),
    ],
)
def test_it_is_known_where_a_shell_differs(text: str, value: str, exact: bool) -> None:
    assert put(Document(text), "KEY", value).sourced("KEY", value).exact is exact


@pytest.mark.parametrize(
    ("text", "value", "line"),
    [
        ("A=1\nMOTTO=it's\n", "two words", 2),
        ("A=1\n\nB=`a\nKEY=inside`\nKEY=old\nC=`x\nKEY=y`\n", "x", 3),
        ("A=$'x'\n", "$(cmd)", 1),
        ("B=a\\", "a b", 1),
        ("B=a\\\n", "a b", 1),
        ("A=1\r\nB=a\\\r\nC=$(it's)\r\nD=1\r\n", "a b", 3),
        ('A=1\nB="open', "a b", 2),
    ],
)
def test_a_line_in_the_way_is_named(text: str, value: str, line: int) -> None:
    with pytest.raises(TargetInTheWay) as refused:
        put(Document(text), "KEY", value)
    assert refused.value.details == {"name": "KEY", "path": ".env", "line": line}


@given(contents(), values)
def test_a_value_that_was_put_is_put_again_without_a_change(text: str, value: str) -> None:
    assume(isinstance(carry("KEY", value), Carried))
    before = Document(text)  # where the readers differ about the places, the first time mends what they differ about
    assume(
        [found.at for found in before.node if "KEY" in found.name] == [f.at for f in before.python if "KEY" in f.name]
    )
    try:
        once = put(Document(text), "KEY", value)
    except TargetInTheWay:
        return
    assert put(once, "KEY", value).text == once.text


@given(contents(), values)
def test_only_lines_of_the_name_change(text: str, value: str) -> None:
    assume(isinstance(carry("KEY", value), Carried))
    try:
        new = put(Document(text), "KEY", value).text
    except TargetInTheWay:
        return
    if "KEY" not in text:
        assert new.startswith(text)
        return
    # Everything up to the first line that names it, and every later line that does not, is there in its order.
    at = 0
    for line in text.splitlines(keepends=True):
        if "KEY" not in line and "'" not in line and '"' not in line and line.strip() and "lines" not in line:
            at = new.index(line.rstrip("\r\n"), at)


def test_names_that_both_readers_find_come_in_their_order_once() -> None:
    document = Document("B=1\nA=\n'C'=3\nD: 4\nB=5\n_x=1\nA-B=1\nN=`x\nM=1`\n")
    assert document.names() == ("B", "A", "_x", "A-B", "N")
    assert [document.holds(name) for name in ("B", "A", "C", "D", "Z")] == [True, False, True, True, False]


def test_a_document_does_not_show_its_text() -> None:
    document = Document("KEY=marker-5521\n")
    assert "5521" not in repr(document)
    assert "5521" not in repr(document.node)
    assert "5521" not in repr(put(document, "B", "marker-5521"))
