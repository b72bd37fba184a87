from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sinks import reading


@pytest.fixture(scope="session")
def node() -> Iterator[reading.Node]:
    with reading.started() as node:
        yield node


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "shop"
    folder.mkdir()
    return folder
