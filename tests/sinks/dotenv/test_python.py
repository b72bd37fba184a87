"""What we believe that python-dotenv reads is what it reads, on any text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings

from offprompt.sinks.dotenv import python as reader
from tests.sinks import reading
from tests.sinks.texts import texts

often = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


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
    assert {found.name: found.value for found in reader.statements(text)} == reading.python(path, interpolate=False)


@often
@given(texts)
def test_python_fills_in_exactly_the_values_we_believe(tmp_path: Path, text: str) -> None:
    path = tmp_path / ".env"
    path.write_bytes(text.encode())
    plain = reading.python(path, interpolate=False)
    filled = reading.python(path)
    for name, value in plain.items():
        if value is not None and not reader.is_filled(value):
            assert filled[name] == value


@pytest.mark.parametrize(
    ("value", "filled"),
    [
        ("${a}", True),
        ("${}", True),
        ("${a:-b}", True),
        ("${a:-${b}", True),
        ("${${a}", True),
        ("${$a}", True),
        ("$${a}", True),
        ("${a:b}", False),
        ("${a:", False),
        ("${a:-", False),
        ("}${a", False),
        ("$a", False),
        ("${" * 100 + ":x}", False),
        ("${" * 100 + ":-x}", True),
    ],
)
def test_what_is_filled_in_is_what_the_package_fills_in(tmp_path: Path, value: str, filled: bool) -> None:
    path = tmp_path / ".env"
    path.write_text(f"A='{value}'\n")
    assert reader.is_filled(value) is filled
    assert (reading.python(path)["A"] != value) is filled
