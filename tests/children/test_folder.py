"""R26: what a killed service has left is cleared away by the next one, and nothing else is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from offprompt.children import folder as module
from offprompt.children.folder import MARK, clear_abandoned, make, note_child, process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a process's start is read from /proc")

PREFIX = "offprompt-made-up-"

ABANDON = f"""
import sys
from offprompt.children.folder import make, note_child
folder = make({PREFIX!r})
print(folder, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def abandoned() -> Path:
    """The folder of a process that was killed."""
    owner = subprocess.Popen([sys.executable, "-c", ABANDON], stdin=-1, stdout=-1, text=True)
    with owner:
        assert owner.stdout is not None
        folder = Path(owner.stdout.readline().strip())
        owner.kill()
    assert folder.is_dir()
    return folder


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A process that leads its own group."""
    running = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    yield running
    running.kill()
    running.wait()


def mark(folder: Path, **changes: Any) -> None:
    path = folder / MARK
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_folder_is_private_and_says_whose_it_is(temporary: Path) -> None:
    folder = Path(make(PREFIX))
    assert folder.parent == temporary
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / MARK).stat().st_mode & 0o777 == 0o600
    note_child(str(folder), os.getpid())
    said = json.loads((folder / MARK).read_text())
    assert said["owner"] == said["child"] == process(os.getpid())
    assert os.listdir(folder) == [MARK]


def test_the_folder_of_a_killed_service_is_removed_and_that_of_a_living_one_stays(abandoned: Path) -> None:
    living = make(PREFIX)
    clear_abandoned(PREFIX)
    assert not abandoned.exists()
    assert os.path.isdir(living)


def test_a_child_that_was_left_is_killed(abandoned: Path, child: subprocess.Popen[bytes]) -> None:
    mark(abandoned, child=process(child.pid))
    clear_abandoned(PREFIX)
    assert child.wait() == -signal.SIGKILL
    assert not abandoned.exists()


def test_a_stranger_with_the_same_number_lives(abandoned: Path, child: subprocess.Popen[bytes]) -> None:
    """Numbers are used again; the start tells them apart."""
    number, start = process(child.pid)
    for other in (str(int(start) - 1), "", None):
        mark(abandoned, child=[number, other])
        clear_abandoned(PREFIX)
        assert child.poll() is None
        assert not abandoned.exists()
        abandoned.mkdir(mode=0o700)
        (abandoned / MARK).write_text(json.dumps({"where": module._where(), "owner": [2**22 + 1, "1"]}))


def test_the_owners_number_used_again_does_not_keep_the_folder(abandoned: Path) -> None:
    number, start = process(os.getpid())
    mark(abandoned, owner=[number, str(int(start) - 1)])
    clear_abandoned(PREFIX)
    assert not abandoned.exists()


def test_a_process_that_leads_no_group_is_not_killed(abandoned: Path) -> None:
    member = subprocess.Popen(["/bin/sleep", "60"])
    try:
        mark(abandoned, child=process(member.pid))
        clear_abandoned(PREFIX)
        assert member.poll() is None
    finally:
        member.kill()
        member.wait()


@pytest.mark.parametrize("where", ["", "another computer's start pid:[1]"])
def test_what_another_container_or_computer_has_marked_stays(
    abandoned: Path, child: subprocess.Popen[bytes], where: str
) -> None:
    mark(abandoned, where=where, child=process(child.pid))
    clear_abandoned(PREFIX)
    assert abandoned.is_dir()
    assert child.poll() is None


@pytest.mark.parametrize(
    "said", ["", "no JSON", "[]", "{}", '{"owner": 5}', "\xff", '{"owner": ["x", "y"]}', "[" * 900]
)
def test_a_folder_that_says_nothing_readable_stays(abandoned: Path, said: str) -> None:
    (abandoned / MARK).write_text(said, encoding="latin-1")
    clear_abandoned(PREFIX)
    assert abandoned.is_dir()


def test_what_is_not_this_accounts_alone_stays(abandoned: Path, temporary: Path) -> None:
    abandoned.chmod(0o755)
    (temporary / f"{PREFIX}link").symlink_to(abandoned)
    (temporary / f"{PREFIX}file").write_text("x")
    clear_abandoned(PREFIX)
    assert abandoned.is_dir()
    assert {path.name for path in temporary.iterdir()} == {abandoned.name, f"{PREFIX}link", f"{PREFIX}file"}
    if os.geteuid() == 0:
        abandoned.chmod(0o700)
        os.chown(abandoned, 12345, -1)
        clear_abandoned(PREFIX)
        assert abandoned.is_dir()


def test_a_process_that_has_ended_has_no_start(child: subprocess.Popen[bytes]) -> None:
    assert process(child.pid)[1].isdigit()
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert process(child.pid) == [child.pid, None], "a zombie"
    child.wait()
    assert process(child.pid) == [child.pid, None]
