"""Programs that we start come from neither the project nor a place that others can change."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from offprompt.programs import SYSTEM_PATH, clean_path, find_program, find_programs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="scripts are no programs there")

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")


def plant(folder: Path, name: str = "tool") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


@pytest.fixture
def system(tmp_path: Path) -> Path:
    return plant(tmp_path / "usr" / "bin")


def test_the_first_program_on_the_path_is_found(tmp_path: Path, system: Path, project: Path) -> None:
    later = plant(tmp_path / "opt")
    path = f"{tmp_path}/none:{system.parent}:{later.parent}"
    assert find_program("tool", path) == str(system)
    assert find_program("tool", path, str(project)) == str(system)
    assert find_program("other", path) is None
    assert find_programs("tool", path, ()) == [str(system), str(later)]


def test_what_is_no_program_is_passed_over(tmp_path: Path, system: Path) -> None:
    plant(tmp_path / "plain").chmod(0o644)
    (tmp_path / "folder" / "tool").mkdir(parents=True)
    assert find_program("tool", f"{tmp_path}/plain:{tmp_path}/folder:{system.parent}") == str(system)


@pytest.mark.parametrize("entry", ["node_modules/.bin", ".", "", "~/bin"])
def test_a_relative_entry_supplies_no_program(
    system: Path, project: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    plant(project / entry)
    monkeypatch.chdir(project)
    assert find_program("tool", f"{entry}:{system.parent}") == str(system)
    assert find_program("tool", entry) is None
    assert clean_path(f"{entry}:{system.parent}", ()) == str(system.parent)


def ways_into(project: Path) -> dict[str, str]:
    """PATH entries that lead to a planted program by way of the project."""
    plant(project / "bin")
    outside = plant(project.parent / "outside").parent
    (project / "out").symlink_to(outside)
    (project.parent / "alias").symlink_to(project)
    (project.parent / "into").symlink_to(project / "bin")
    linked = project.parent / "linked"
    linked.mkdir()
    (linked / "tool").symlink_to(project / "bin" / "tool")
    (project / "hop").symlink_to(outside / "tool")
    through = project.parent / "through"
    through.mkdir()
    (through / "tool").symlink_to(project / "hop")
    return {
        "in the project": f"{project}/bin",
        "a folder in the project that is a link to outside": f"{project}/out",
        "the project by another name": f"{project.parent}/alias/bin",
        "a link from outside to a folder of the project": f"{project.parent}/into",
        "dots": f"{project.parent}/outside/../project/bin",
        "a program that is a link to the project's": str(linked),
        "a program that is a link through the project": str(through),
    }


@pytest.mark.parametrize(
    "way",
    [
        "in the project",
        "a folder in the project that is a link to outside",
        "the project by another name",
        "a link from outside to a folder of the project",
        "dots",
        "a program that is a link to the project's",
        "a program that is a link through the project",
    ],
)
def test_the_project_supplies_no_program(system: Path, project: Path, way: str) -> None:
    entry = ways_into(project)[way]
    assert find_program("tool", entry) == f"{entry}/tool"  # it would be found
    assert find_program("tool", f"{entry}:{system.parent}", str(project)) == str(system)
    assert find_program("tool", entry, str(project)) is None
    assert find_program(f"{entry}/tool", "", str(project)) is None
    (project.parent / "asked").symlink_to(project)
    assert find_program("tool", entry, str(project.parent / "asked")) is None
    if not way.startswith("a program"):
        assert clean_path(f"{entry}:{system.parent}", [str(project)]) == str(system.parent)


@pytest.mark.parametrize("mode", [0o777, 0o1777])
@pytest.mark.parametrize("changeable", ["shared/bin", "shared/bin/tool"])
def test_a_place_that_everybody_can_write_supplies_no_program(
    tmp_path: Path, system: Path, changeable: str, mode: int
) -> None:
    program = plant(tmp_path / "shared" / "bin")
    entry = str(program.parent)
    assert find_program("tool", entry) == str(program)
    (tmp_path / changeable).chmod(mode)
    assert find_program("tool", f"{entry}:{system.parent}") == str(system)
    cleaned = clean_path(f"{entry}:{system.parent}", ())
    assert cleaned == (str(system.parent) if changeable == "shared/bin" else f"{entry}:{system.parent}")


def test_a_folder_below_one_that_everybody_can_write_counts_only_with_the_sticky_bit(tmp_path: Path) -> None:
    program = plant(tmp_path / "shared" / "mine")
    (tmp_path / "shared").chmod(0o777)
    assert find_program("tool", str(program.parent)) is None
    (tmp_path / "shared").chmod(0o1777)
    assert find_program("tool", str(program.parent)) == str(program)


@as_root
@pytest.mark.parametrize("theirs", ["bin", "bin/tool", "link"])
def test_what_belongs_to_another_account_supplies_no_program(tmp_path: Path, theirs: str) -> None:
    plant(tmp_path / "bin")
    (tmp_path / "link").symlink_to("bin")
    entry = str(tmp_path / "link")
    assert find_program("tool", entry) == f"{entry}/tool"
    os.chown(tmp_path / theirs, 12345, -1, follow_symlinks=False)
    assert find_program("tool", entry) is None


@as_root
def test_a_group_of_others_that_can_write_the_folder_rules_it_out(tmp_path: Path) -> None:
    program = plant(tmp_path / "bin")
    program.parent.chmod(0o775)
    assert find_program("tool", str(program.parent)) == str(program)
    os.chown(program.parent, -1, 54321)
    assert find_program("tool", str(program.parent)) is None


def test_an_absolute_path_is_judged_as_one_that_is_found(system: Path, project: Path) -> None:
    assert find_program(str(system), "") == str(system)
    assert find_program(str(plant(project)), "", str(project)) is None
    assert find_program("bin/tool", str(project)) is None


def test_a_child_whose_path_has_nothing_left_gets_the_systems_folders() -> None:
    """An empty PATH would have it look in its working directory."""
    assert clean_path("", ()) == SYSTEM_PATH
    assert clean_path(".:node_modules/.bin:/does/not/exist", ()) == SYSTEM_PATH


def test_the_folders_of_a_usual_path_stay_for_a_child() -> None:
    usual = [folder for folder in ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin") if os.path.isdir(folder)]
    assert clean_path(":".join(usual), ["/no/such/project"]) == ":".join(usual)


@pytest.mark.parametrize(("release", "kept"), [("5.15.153.1-microsoft-standard-WSL2", True), ("6.1.0-18-amd64", False)])
def test_in_wsl_the_folder_of_windows_stays_and_no_other_of_its_drives(
    system: Path, project: Path, monkeypatch: pytest.MonkeyPatch, release: str, kept: bool
) -> None:
    """xdg-open starts Windows's programs there; every folder of Windows looks as if everybody could write it."""
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release=release))
    windows = "/mnt/c/Windows/System32"
    hop = f"/mnt/c/Windows/../../..{plant(project).parent}"
    path = f"{windows}:/mnt/c/Users/me/bin:{hop}:{system.parent}"
    assert clean_path(path, [str(project)]) == (f"{windows}:{system.parent}" if kept else str(system.parent))
