"""What we believe that python-dotenv reads is what it reads, on any text."""

from __future__ import annotations

import time
from pathlib import Path

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


def test_a_long_value_full_of_openings_is_judged_at_once() -> None:
    """64 KiB, the longest value; followed to its end from each opening it takes seconds."""
    began = time.perf_counter()
    assert not reader.is_filled("${a:-" * 13_000)
    assert not reader.is_filled("}" + "${" * 32_000)
    assert reader.is_filled("${a:-" * 13_000 + "}")
    assert time.perf_counter() - began < 1
