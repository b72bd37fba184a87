"""The page reads a `.env` as the sinks do: the script's reader, under node, beside ours in Python."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from offprompt.errors import SinkRefused
from offprompt.sinks.dotenv import python
from offprompt.sinks.dotenv.document import Document, put
from offprompt.sinks.dotenv.forms import Carried, carry
from tests.node.program import node
from tests.sinks.texts import LINES, PIECES, texts

READER = Path(__file__).parent / "script" / "read_dotenv.mjs"
FILES = 10_000

pytestmark = pytest.mark.browser


class Reader:
    """The page's reader, in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def read(self, given: list[str]) -> list[list[dict[str, str | None]]]:
        """For each text what node's reader finds, what Python's does, and what the page takes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        found: list[list[Any]] = json.loads(self._process.stdout.readline())
        return [[dict(pairs) for pairs in one] for one in found]


@pytest.fixture(scope="module")
def page() -> Iterator[Reader]:
    with subprocess.Popen([node(), str(READER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Reader(process)
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def ours(text: str) -> list[dict[str, str | None]]:
    """The same, by the sinks' readers."""
    document = Document(text)
    names = document.by_node.keys() | document.by_python.keys()
    agreed = {}
    for name in names:
        value = document.by_node.get(name)
        sure = value is not None and value == document.by_python.get(name) and not python.is_filled(value)
        agreed[name] = value if sure else None
    return [dict(document.by_node), dict(document.by_python), agreed]


def file(chance: random.Random) -> str:
    """A file's text: lines as people write them and noise, with any line ending, some with a byte order mark."""
    ending = chance.choice(["\n", "\n", "\r\n", "\r"])
    lines = [
        chance.choice(LINES) if chance.random() < 0.6 else "".join(chance.choices(PIECES, k=chance.randrange(10)))
        for _ in range(chance.randrange(9))
    ]
    mark = "\ufeff" if chance.random() < 0.1 else ""
    return mark + ending.join(line.replace("\n", ending) for line in lines) + chance.choice(["", ending])


def value(chance: random.Random) -> str:
    alphabet = chance.choice(["abcXYZ019_-", "ab c'\"\\$`#\n\r{}", "".join(map(chr, range(32, 127)))])
    return "".join(chance.choices(alphabet, k=chance.randrange(1, 30)))


def test_ten_thousand_random_files_read_alike_in_the_page_and_in_the_sink(page: Reader) -> None:
    chance = random.Random(5521)
    given = [file(chance) for _ in range(FILES)]
    for text, found in zip(given, page.read(given), strict=True):
        assert found == ours(text), repr(text)


def test_what_the_sink_writes_into_ten_thousand_files_the_page_reads(page: Reader) -> None:
    chance = random.Random(7340)
    given, typed = [], []
    while len(given) < FILES:
        one = value(chance)
        carried = carry("KEY", one)
        if not isinstance(carried, Carried):
            continue
        try:
            given.append(put(Document(file(chance)), carried, ".env").text)
        except SinkRefused:
            continue
        typed.append(one)
    for text, one, (_, _, agreed) in zip(given, typed, page.read(given), strict=True):
        assert agreed["KEY"] == one, repr(text)


@settings(max_examples=200)
@given(texts)
def test_any_text_at_all_reads_alike(page: Reader, text: str) -> None:
    assert page.read([text]) == [ours(text)]
