"""The numbers by which code and tests cite what MCP asks of us: all of them stand in one document."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NUMBER = "[FHTWEP][0-9]+"
DOCUMENT = (ROOT / "docs" / "protocol" / "mcp.md").read_text(encoding="utf-8")
REQUIREMENTS = set(re.findall(rf"^\| ({NUMBER}) \|", DOCUMENT, re.MULTILINE))


def texts(folder: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.py")))


def test_every_requirement_has_a_test_that_is_named_after_it_and_the_reverse() -> None:
    names = re.findall(r"def test_(\w+)\(", texts("tests"))
    assert {number for name in names for number in re.findall(rf"(?<![^_])({NUMBER})_", name)} == REQUIREMENTS


def test_code_cites_no_requirement_that_is_not_there() -> None:
    assert set(re.findall(rf"docs/protocol\.md, ({NUMBER})", texts("offprompt"))) <= REQUIREMENTS
