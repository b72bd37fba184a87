"""What we believe that node and Python read is what they read, on any text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from offprompt.sinks.dotenv import node as node_reader
from offprompt.sinks.dotenv import python as python_reader
from offprompt.sinks.dotenv.statement import Statement
from tests.sinks import reading
from tests.sinks.texts import contents, noise

often = settings(
    max_examples=10 * settings.default.max_examples,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
texts = st.one_of(contents(), noise, st.lists(noise, max_size=4).map("\nKEY=".join))


def by_name(found: list[Statement]) -> dict[str, str | None]:
    return {statement.name: statement.value for statement in found}


@often
@example("A=\n'b'\n")
@example("A='x\\' # it's\n")
@example("\ufeffA=1")
@example("A='a' 'b'\u2028B=2")
@example('A="a\\nb\\r\\t"')
@example("A=`a\nB=2`")
@given(texts)
def test_node_reads_what_we_believe(node: reading.Node, text: str) -> None:
    version_18, version_17, _ = node.read([text.encode()])[0]
    expected = by_name(list(node_reader.statements(text)))
    expected.pop("__proto__", None)
    assert version_18 == expected
    assert version_17 == expected


@often
@example("A='x\\\\'\nB=1")
@example("A='open\nB=1")
@example('A="x" junk\nB=1')
@example("'A'=1\n'B\nC'=2")
@example("A=\r\nB= # c\rC=#d")
@example("export\nA=1\nexport  B=2")
@given(texts)
def test_python_reads_what_we_believe(tmp_path: Path, text: str) -> None:
    path = tmp_path / ".env"
    path.write_bytes(text.encode())
    assert by_name(list(python_reader.statements(text))) == reading.python(path, interpolate=False)


@often
@given(texts)
def test_python_fills_in_exactly_the_values_we_believe(tmp_path: Path, text: str) -> None:
    path = tmp_path / ".env"
    path.write_bytes(text.encode())
    plain = reading.python(path, interpolate=False)
    filled = reading.python(path)
    for name, value in plain.items():
        if value is not None and not python_reader.is_filled(value):
            assert filled[name] == value


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
