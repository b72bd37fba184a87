"""The search for a value finds it however it was written down."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path

import pytest

from tests.harness.evidence import files_with

TEXT = "made-up-value-7Qz"


@pytest.mark.parametrize("before", ["", "x", "xy", "xyz"])
def test_a_text_is_found_in_plain_in_hex_and_in_base64_at_every_alignment(tmp_path: Path, before: str) -> None:
    whole = f"{before}{TEXT} and more"
    written = {
        "plain": whole.encode(),
        "json": json.dumps({"value": whole}).encode(),
        "utf-16": whole.encode("utf-16"),
        "hex": whole.encode().hex().encode(),
        "backwards": whole[::-1].encode(),
        "base64": base64.b64encode(whole.encode()),
        "base64url": base64.urlsafe_b64encode(whole.encode()),
    }
    for name, data in written.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / f"{TEXT}.txt").touch()
    (tmp_path / "something else").write_text("made-up-value-7Qy")
    assert files_with(tmp_path, TEXT) == {*written, f"below/{TEXT}.txt"}


def test_a_file_that_cannot_be_searched_is_told(tmp_path: Path) -> None:
    (tmp_path / "log.gz").write_bytes(gzip.compress(TEXT.encode()))
    with pytest.raises(AssertionError, match=r"log\.gz cannot be searched"):
        files_with(tmp_path, TEXT)
