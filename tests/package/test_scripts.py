"""The set-up steps: quick when there is nothing to do, and plain about what only a person may do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the steps are shell scripts")


def run(argv: list[str | Path], folder: Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PATH": path or os.environ["PATH"]}
    return subprocess.run(argv, cwd=folder, env=environ, capture_output=True, text=True, timeout=30)


def program(folder: Path, name: str, body: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def test_a_step_runs_again_only_when_its_inputs_or_its_command_changed(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("one", encoding="utf-8")

    def step(word: str) -> str:
        return run([SCRIPTS / "once", "stamp", "lock", "--", "echo", word], tmp_path).stdout

    assert step("ran") == "ran\n"
    assert step("ran") == ""
    (tmp_path / "lock").write_text("two", encoding="utf-8")
    assert step("ran") == "ran\n"
    assert step("ran otherwise") == "ran otherwise\n"
    assert step("ran otherwise") == ""


def test_a_step_takes_inputs_and_a_place_whose_names_have_blanks_and_any_letters(tmp_path: Path) -> None:
    folder = tmp_path / "my project é * $HOME"
    folder.mkdir()
    (folder / "a lock").write_text("one", encoding="utf-8")
    step: list[str | Path] = [SCRIPTS / "once", folder / "a stamp", folder / "a lock", "--", "echo", "ran"]
    assert [run(step, folder).stdout for _ in range(2)] == ["ran\n", ""]
    (folder / "a lock").write_text("two", encoding="utf-8")
    assert run(step, folder).stdout == "ran\n"


def test_a_step_runs_again_in_a_checkout_that_was_moved(tmp_path: Path) -> None:
    """The programs of a virtual environment begin with where they were installed."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "lock").write_text("one", encoding="utf-8")
    step: list[str | Path] = [SCRIPTS / "once", "stamp", "lock", "--", "echo", "ran"]
    assert run(step, tmp_path / "old").stdout == "ran\n"
    (tmp_path / "old").rename(tmp_path / "new")
    assert run(step, tmp_path / "new").stdout == "ran\n"


def test_a_step_whose_input_is_missing_fails_and_leaves_no_stamp(tmp_path: Path) -> None:
    ran = run([SCRIPTS / "once", "stamp", "no-lock", "--", "echo", "ran"], tmp_path)
    assert ran.returncode != 0
    assert not (tmp_path / "stamp").exists()


def test_a_step_that_failed_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("one", encoding="utf-8")
    failing = [SCRIPTS / "once", "stamp", "lock", "--", "sh", "-c", "echo tried; exit 3"]
    assert [run(failing, tmp_path).returncode for _ in range(2)] == [3, 3]
    assert run(failing, tmp_path).stdout == "tried\n"


def test_what_is_there_is_not_installed(tmp_path: Path) -> None:
    asked = run([SCRIPTS / "needs", "sh=dash", "ls=coreutils"], tmp_path)
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "", "")


def test_without_root_the_one_line_to_paste_is_named_and_nothing_is_installed(tmp_path: Path) -> None:
    program(tmp_path / "bin", "id", "echo 1000")
    program(tmp_path / "bin", "apt-get", "echo called >> apt.log")
    needs = [SCRIPTS / "needs", "sh=dash", "no-such-program=some-package", "nor-this=another"]
    asked = run(needs, tmp_path, f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert asked.returncode == 1
    assert "sudo apt-get install -y some-package another" in asked.stderr
    assert not (tmp_path / "apt.log").exists()


def test_as_root_what_is_missing_is_installed_and_nothing_else(tmp_path: Path) -> None:
    program(tmp_path / "bin", "id", "echo 0")
    program(tmp_path / "bin", "apt-get", 'echo "$@" >> apt.log')
    needs = [SCRIPTS / "needs", "sh=dash", "no-such-program=some-package"]
    asked = run(needs, tmp_path, f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert asked.returncode == 0
    update, install = (tmp_path / "apt.log").read_text(encoding="utf-8").splitlines()
    assert update.startswith("update")
    assert install.startswith("install")
    assert install.endswith(" some-package")


def test_where_there_is_no_apt_the_packages_are_named(tmp_path: Path) -> None:
    for name in ("dirname", "sh"):
        program(tmp_path / "bin", name, f'exec /usr/bin/{name} "$@"')
    asked = run(["/bin/sh", SCRIPTS / "needs", "no-such-program=some-package"], tmp_path, str(tmp_path / "bin"))
    assert asked.returncode == 1
    assert "some-package" in asked.stderr


@pytest.fixture
def others() -> Iterator[Path]:
    """A folder that we may enter and not write to, whoever runs the tests."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        (Path(folder) / "it is theirs").mkdir(mode=0o555)
        shutil.copy(SCRIPTS / "writable", folder)
        yield Path(folder)


def test_what_sudo_left_is_named_with_the_line_that_mends_it(others: Path) -> None:
    us = {"user": 65534} if os.geteuid() == 0 else {}
    argv = ["./writable", "it is theirs", "it is not there"]
    ran = subprocess.run(argv, cwd=others, capture_output=True, text=True, timeout=30, **us)
    assert ran.returncode == 1
    assert ran.stderr.endswith(f"sudo chown -R {us.get('user', os.geteuid())} -- 'it is theirs'\n")


def test_what_is_ours_or_missing_is_passed_over_in_silence(tmp_path: Path) -> None:
    ran = run([SCRIPTS / "writable", ".", "it is not there"], tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_ci_forbids_skips_of_the_browser_and_the_agents_and_runs_both_halves() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "export OFFPROMPT_REQUIRE=browser,agents" in script
    assert script.rstrip().endswith("make test\nexec make test-deep")
