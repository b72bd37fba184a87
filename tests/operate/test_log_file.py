from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from offprompt import errors
from offprompt.operate.log_file import LogFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


def test_the_file_is_its_owners_alone_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        LogFile(str(path)).close()
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    path.write_text("before\n")
    path.chmod(0o644)
    file = LogFile(str(path))
    file.write("after\n")
    file.close()
    assert path.read_text() == "before\nafter\n"
    assert path.stat().st_mode & 0o777 == 0o600


def test_it_never_grows_beyond_two_halves_and_a_line(path: Path) -> None:
    file = LogFile(str(path), half=100)
    for number in range(200):
        file.write(f"line {number}\n")
    file.close()
    older = Path(f"{path}.1")
    assert path.stat().st_size <= 110
    assert older.stat().st_size <= 110
    assert path.read_text().endswith("line 199\n")
    assert older.stat().st_mode & 0o777 == 0o600
    assert sorted(os.listdir(path.parent)) == ["log", "log.1"]


def test_two_processes_write_to_one_file_also_when_one_begins_a_new_one(path: Path) -> None:
    one, two = LogFile(str(path), half=50), LogFile(str(path), half=50)
    for number in range(20):
        one.write(f"one {number}\n")
        two.write(f"two {number}\n")
    written = Path(f"{path}.1").read_text() + path.read_text()
    assert written.splitlines()[-2:] == ["one 19", "two 19"]
    one.close()
    two.close()


def test_lines_of_many_processes_stay_whole_and_the_newest_are_kept(path: Path) -> None:
    script = (
        "import sys\n"
        "from offprompt.operate.log_file import LogFile\n"
        "file = LogFile(sys.argv[1], half=20_000)\n"
        "for number in range(2000):\n"
        "    file.write(f'{sys.argv[2]} {number} ' + 'x' * 20 + '\\n')\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), str(name)]) for name in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    older, newer = Path(f"{path}.1").read_text(), path.read_text()
    assert len(older) >= 20_000, "the older half is a whole one: nobody has moved a fresh file over it"
    assert len(older) + len(newer) < 41_000
    for line in (older + newer).splitlines():
        assert re.fullmatch(r"[0-2] [0-9]+ x{20}", line), line
    assert "1999" in newer or "1999" in older


def test_a_file_that_was_taken_away_is_made_anew(path: Path) -> None:
    file = LogFile(str(path))
    file.write("a\n")
    path.unlink()
    file.write("b\n")
    file.close()
    assert path.read_text() == "b\n"


def test_a_link_is_not_followed(path: Path) -> None:
    target = path.parent / "target"
    target.write_text("mine\n")
    path.symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"):
        LogFile(str(path))
    assert target.read_text() == "mine\n"


def test_a_pipe_is_refused_without_waiting_for_its_reader(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises((OSError, errors.NotPrivate)):
        LogFile(str(path))


def test_a_folder_that_is_not_there_is_an_error(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LogFile(str(path / "deeper"))


def test_halves_of_pairs_do_not_stop_the_log(path: Path) -> None:
    file = LogFile(str(path))
    file.write("a\ud800\n")
    file.close()
    assert path.read_text() == "a?\n"
