"""Many processes, killed processes, full disks: the file is the old one or the new one, and nobody's names are lost."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from offprompt.errors import DiskFull, NoPermission, PathOutside, TargetRestless
from offprompt.sinks.sink import Change
from tests.sinks import reading
from tests.sinks.mounts import mounted
from tests.sinks.put import put

ROOT = Path(__file__).parents[2]
LEFT = ".offprompt-"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def started(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )


WRITERS = """
import sys
from offprompt.errors import FolderBusy
from offprompt.sinks.sink import Change
from tests.sinks.put import put
project, writer = sys.argv[1:]
for number in range(20):
    name = f"KEY_{writer}_{number}"
    while True:
        try:
            put(project, Change(name, f"it's {name}"), path="config/.env")
            break
        except FolderBusy:  # on a slow disk the last of 20 may wait longer than a person would
            pass
"""


def test_20_processes_that_write_20_names_each_lose_none(project: Path) -> None:
    """They also race for making the folder."""
    writers = [started(WRITERS, str(project), str(number)) for number in range(20)]
    for writer in writers:
        writer.communicate(timeout=120)
    assert [writer.returncode for writer in writers] == [0] * 20
    expected = {f"KEY_{writer}_{number}" for writer in range(20) for number in range(20)}
    values = reading.python(project / "config" / ".env")
    assert values == {name: f"it's {name}" for name in expected}
    assert len((project / "config" / ".env").read_bytes().splitlines()) == 400
    assert os.listdir(project / "config") == [".env"]


def test_an_editor_that_takes_no_lock_loses_nothing_to_us(project: Path) -> None:
    """It saves by rename, as editors do, with its own line changed; ours is there after it or before it, whole."""
    path = project / ".env"
    path.write_text("EDITED=0\n")
    writer = started(WRITERS.replace("config/.env", ".env"), str(project), "0")
    edits = 0
    while writer.poll() is None:
        text = path.read_text()
        assert text.startswith("EDITED=")
        assert text.endswith("\n")
        edits += 1
        time.sleep(0.001)
    writer.communicate()
    assert writer.returncode == 0
    assert path.read_text().splitlines()[0] == "EDITED=0"
    assert len(reading.python(path)) == 21


KILLED = """
import sys
from offprompt.sinks.sink import Change
from tests.sinks.put import put
project, kind, path = sys.argv[1:]
values = ["a" * 20000, "b" * 30000]
print("ready", flush=True)
number = 0
while True:
    number += 1
    put(project, Change("KEY", values[number % 2]), path=path, kind=kind)
"""


@pytest.mark.parametrize("kind", ["dotenv", "file"])
def test_a_writer_killed_at_any_moment_leaves_the_old_file_or_the_new_one(project: Path, kind: str) -> None:
    chance = random.Random(5521)
    path = project / ".env"
    frame = "KEY={}\n# end\n" if kind == "dotenv" else "{}"
    whole = {frame.format("a" * 20000), frame.format("b" * 30000)}
    path.write_text(frame.format("a" * 20000))
    named = 0
    for _ in range(30):
        writer = started(KILLED, str(project), kind, ".env")
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(chance.uniform(0.001, 0.03))
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        assert path.read_text() in whole
        named += sum(name.startswith(LEFT) for name in os.listdir(project))
    # A value stays behind under another name only when the kill fell between two system calls; the next write removes
    # it.
    assert named <= 3
    put(project, Change("KEY", "done"), path=".env", kind=kind)
    assert os.listdir(project) == [".env"]
    assert path.read_text() == frame.format("done")


STOPPED = """
import os, signal, sys
from offprompt.sinks import atomic
from offprompt.sinks.sink import Change
from tests.sinks.put import put
project, moment = sys.argv[1:]
calls = 0

def killing(honest):
    def call(*arguments, **options):
        global calls
        calls += 1
        if calls == int(moment):
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(*arguments, **options)
    return call

for name in ("open", "stat", "fchmod", "write", "fsync", "link", "rename", "mkdir", "close", "pread", "fstat", "dup"):
    setattr(os, name, killing(getattr(os, name)))
put(project, Change("KEY", "new"), path="a/.env", agreed=True)
os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.mark.parametrize("there", [True, False])
def test_a_writer_killed_before_each_of_its_system_calls(project: Path, there: bool) -> None:
    """Before every call in turn, until the write comes to its end."""
    path = project / "a" / ".env"
    outcomes = set()
    for moment in range(1, 200):
        if there:
            path.parent.mkdir(exist_ok=True)
            path.write_text("KEY=old\n")
        else:
            path.unlink(missing_ok=True)
            if path.parent.exists():
                for name in os.listdir(path.parent):
                    (path.parent / name).unlink()
                path.parent.rmdir()
        writer = started(STOPPED, str(project), str(moment))
        writer.communicate()
        outcomes.add(path.read_text() if path.exists() else None)
        if writer.returncode == -signal.SIGTERM:
            break
        assert writer.returncode == -signal.SIGKILL
    else:
        pytest.fail("the write never came to its end")
    assert moment > 20
    assert outcomes == {"KEY=old\n" if there else None, "KEY=new\n"}
    put(project, Change("KEY", "new"), path="a/.env")
    assert os.listdir(path.parent) == [".env"]


@as_root
@pytest.mark.parametrize("path", [".env", "new/.env"])
def test_a_full_disk_leaves_the_old_file(project: Path, path: str) -> None:
    disk = project.parent / "disk"
    with mounted("tmpfs", disk, "size=64k"):
        (disk / ".env").write_text("A=old\n")
        filler = disk / "filler"
        filler.write_bytes(b"x" * 48 * 1024)
        before = sorted(os.listdir(disk))
        with pytest.raises(DiskFull):
            put(disk, Change("KEY", "x" * 60000), path=path)
        assert (disk / ".env").read_text() == "A=old\n"
        assert sorted(os.listdir(disk)) == before
        filler.unlink()
        put(disk, Change("KEY", "x" * 20000), path=path)


@as_root
def test_a_disk_without_a_free_inode(project: Path) -> None:
    disk = project.parent / "disk"
    with mounted("tmpfs", disk, "nr_inodes=4"):
        (disk / ".env").write_text("A=old\n")
        for number in range(2):
            (disk / f"filler{number}").touch()
        with pytest.raises(DiskFull):
            put(disk, Change("KEY", "x"), path=".env")
        assert (disk / ".env").read_text() == "A=old\n"


@as_root
def test_a_disk_that_is_read_only(project: Path) -> None:
    disk = project.parent / "disk"
    with mounted("tmpfs", disk, "size=64k"):
        (disk / ".env").write_text("A=old\n")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for path in (".env", "new/.env"):
            with pytest.raises(NoPermission):
                put(disk, Change("KEY", "x"), path=path)
        assert os.listdir(disk) == [".env"]


READ_ONLY = """
import os, sys
from offprompt.errors import FolderClosed, NoPermission
from offprompt.sinks.sink import Change
from tests.sinks.put import put
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
for path, refusal in ((".env", NoPermission), ("new/.env", NoPermission), ("closed/.env", FolderClosed)):
    try:
        put(sys.argv[1], Change("KEY", "x"), path=path)
    except refusal as error:
        print(type(error).__name__, flush=True)
"""


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    # Where the user that is left of root can get to: pytest's own folders are closed to it.
    folder = Path(os.path.realpath(subprocess.check_output(["mktemp", "-d"], text=True).strip()))
    try:
        (folder / ".env").write_text("A=old\n")
        (folder / ".env").chmod(0o644)
        (folder / "closed").mkdir(mode=0)
        folder.chmod(0o555)
        writer = started(READ_ONLY, str(folder))
        said, _ = writer.communicate()
        assert said.decode().split() == ["NoPermission", "NoPermission", "FolderClosed"]
        assert writer.returncode == 0
        assert (folder / ".env").read_text() == "A=old\n"
        assert sorted(os.listdir(folder)) == [".env", "closed"]
    finally:
        folder.chmod(0o700)
        (folder / "closed").chmod(0o700)
        subprocess.run(["rm", "-r", str(folder)], check=True)


SWAPPING = """
import os, sys
project, outside = sys.argv[1:]
link, folder = os.path.join(project, "link"), os.path.join(project, "folder")
print("ready", flush=True)
while True:
    for target in (folder, outside):
        os.symlink(target, link + ".new")
        os.rename(link + ".new", link)
"""


def test_a_link_that_another_process_swaps_all_the_time_never_leads_out(project: Path) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (project / "folder").mkdir()
    (project / "link").symlink_to("folder")
    swapper = started(SWAPPING, str(project), str(outside))
    assert swapper.stdout is not None
    swapper.stdout.readline()
    written = refused = 0
    try:
        begun = time.monotonic()
        while (took := time.monotonic() - begun) < 2 or not ((written and refused) or took > 60):
            try:
                put(project, Change("KEY", str(written)), path="link/.env")
                written += 1
            except (PathOutside, TargetRestless):
                refused += 1
    finally:
        swapper.kill()
        swapper.communicate()
    assert os.listdir(outside) == []
    assert written
    assert refused
    assert (project / "folder" / ".env").read_text() == f"KEY={written - 1}\n"
