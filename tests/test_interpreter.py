from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.interpreter import head

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")


@pytest.mark.parametrize("folder", ["plain", "my project é"])
def test_a_script_starts_by_itself_wherever_its_interpreter_lies(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir()
    python = tmp_path / folder / "python"
    python.symlink_to(sys.executable)
    script = tmp_path / "script"
    script.write_text(head("-IS", str(python)) + "import sys\nprint(sys.argv[1:], sys.flags.isolated)\n", "utf-8")
    script.chmod(0o700)
    ran = subprocess.run([script, "a b", "c"], capture_output=True, text=True, check=True)
    assert ran.stdout == "['a b', 'c'] 1\n"
