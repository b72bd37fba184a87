from __future__ import annotations

from pathlib import Path

import pytest

import offprompt
from offprompt.errors import (
    ProjectMissing,
    ProjectTooWide,
    ProjectUnclear,
    RootsUnusable,
    ServiceProjectUnfit,
    StartFolderGone,
)
from offprompt.sinks import project
from offprompt.sinks.project import choose_project, narrow_project


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "users" / "ada"
    for name in ("shop", "shop/web", "blog"):
        (folder / name).mkdir(parents=True)
    return folder


def chosen(home: Path, roots: list[Path] | None = None, variable: str = "", cwd: Path | None = None) -> str:
    environ = {"CLAUDE_PROJECT_DIR": variable} if variable else {}
    return choose_project([str(root) for root in roots or []], environ, str(cwd or home / "blog"), str(home))


def test_the_host_s_one_folder_comes_first(home: Path) -> None:
    assert chosen(home, [home / "shop"], variable=str(home / "blog")) == str(home / "shop")


def test_of_several_the_one_that_holds_the_working_directory(home: Path) -> None:
    assert chosen(home, [home / "blog", home / "shop"], cwd=home / "shop" / "web") == str(home / "shop")


def test_of_nested_ones_the_innermost(home: Path) -> None:
    folders = [home / "shop", home / "shop" / "web"]
    assert chosen(home, folders, cwd=home / "shop" / "web") == str(home / "shop" / "web")
    assert chosen(home, folders[::-1], cwd=home / "shop") == str(home / "shop")


def test_one_folder_named_twice_is_one(home: Path) -> None:
    (home / "link").symlink_to(home / "shop")
    assert chosen(home, [home / "shop", home / "link", home / "shop"]) == str(home / "shop")


def test_several_without_the_working_directory_are_listed(home: Path) -> None:
    with pytest.raises(ProjectUnclear) as refused:
        chosen(home, [home / "shop", home / "shop" / "web"], cwd=home / "blog")
    assert str(home / "shop" / "web") in str(refused.value)


def test_a_neighbour_with_a_longer_name_does_not_hold_it(home: Path) -> None:
    (home / "shop2").mkdir()
    with pytest.raises(ProjectUnclear):
        chosen(home, [home / "shop", home / "blog"], cwd=home / "shop2")


def test_of_several_those_that_are_gone_do_not_count(home: Path) -> None:
    assert chosen(home, [home / "gone", home / "shop"]) == str(home / "shop")
    assert chosen(home, [home / "gone", home / "shop", home / "blog"]) == str(home / "blog")


def test_a_host_whose_folders_cannot_be_used_is_refused_and_never_answered_with_another_folder(home: Path) -> None:
    named = ["vscode-remote://ssh-remote+box/home/ada/shop", str(home / "gone"), "relative"]
    with pytest.raises(RootsUnusable) as refused:
        choose_project(named, {"CLAUDE_PROJECT_DIR": str(home / "shop")}, str(home / "blog"), str(home))
    assert all(root in str(refused.value) for root in named)
    assert choose_project([*named, str(home / "shop")], {}, str(home / "blog"), str(home)) == str(home / "shop")


def test_a_refusal_names_a_few_folders_and_counts_the_others(home: Path) -> None:
    with pytest.raises(RootsUnusable, match="/gone4 and 15 more"):
        chosen(home, [home / f"gone{number}" for number in range(20)])


def test_a_working_directory_that_is_gone_is_told_where_nothing_else_names_the_project(home: Path) -> None:
    with pytest.raises(StartFolderGone, match="is not there any more"):
        choose_project([], {}, "", str(home))
    assert choose_project([str(home / "shop")], {}, "", str(home)) == str(home / "shop")
    assert choose_project([], {"CLAUDE_PROJECT_DIR": str(home / "shop")}, "", str(home)) == str(home / "shop")
    with pytest.raises(ProjectUnclear):
        choose_project([str(home / "shop"), str(home / "blog")], {}, "", str(home))


def test_a_home_directory_that_nobody_knows_refuses_nothing(home: Path) -> None:
    assert choose_project([str(home / "shop")], {}, "", "~") == str(home / "shop")


def test_else_the_variable(home: Path) -> None:
    assert chosen(home, variable=str(home / "shop")) == str(home / "shop")


def test_else_the_working_directory(home: Path) -> None:
    assert chosen(home) == str(home / "blog")
    assert choose_project([], {"CLAUDE_PROJECT_DIR": ""}, str(home / "blog"), "") == str(home / "blog")


def test_links_are_resolved(home: Path) -> None:
    (home / "link").symlink_to(home / "shop")
    assert chosen(home, [home / "link"]) == str(home / "shop")
    assert chosen(home, cwd=home / "link") == str(home / "shop")


@pytest.mark.parametrize("folder", ["gone", "a-file", "relative"])
def test_a_folder_that_is_not_there_is_refused(home: Path, folder: str) -> None:
    (home / "a-file").touch()
    path = folder if folder == "relative" else str(home / folder)
    with pytest.raises(ProjectMissing):
        choose_project([path], {}, str(home / "blog"), str(home))
    with pytest.raises(ProjectMissing):
        choose_project([], {"CLAUDE_PROJECT_DIR": path}, str(home / "blog"), str(home))


def test_a_path_with_nul_or_line_breaks_is_refused_in_one_line(home: Path) -> None:
    for path in ("/a\0b", "/a\nb"):
        with pytest.raises(ProjectMissing) as refused:
            choose_project([path], {}, str(home), str(home))
        assert str(refused.value).isprintable()


@pytest.mark.parametrize("by", ["root", "variable", "cwd"])
def test_folders_that_are_no_project_are_refused_whoever_names_them(home: Path, by: str) -> None:
    (home.parent / "to-home").symlink_to(home)
    package = Path(offprompt.__file__).resolve().parent
    refused = [
        (Path("/"), "root of the disk"),
        (home, "home directory"),
        (home.parent / "to-home", "home directory"),
        (home.parent, "holds your home"),
        (package, "offprompt itself"),
        (package.parent, "offprompt itself"),
        (package / "sinks", "offprompt itself"),
    ]
    for folder, word in refused:
        roots = [folder] if by == "root" else []
        variable = str(folder) if by == "variable" else ""
        with pytest.raises(ProjectTooWide) as error:
            chosen(home, roots, variable, folder if by == "cwd" else None)
        assert word in str(error.value)
        assert "CLAUDE_PROJECT_DIR" in str(error.value)


def test_a_folder_in_offprompt_s_checkout_that_is_not_its_package_is_one(tmp_path: Path) -> None:
    """A virtual environment lies inside a project: what is beside the package may be one."""
    beside = Path(offprompt.__file__).resolve().parent.parent / "tests"
    assert choose_project([], {}, str(beside), "/nonexistent") == str(beside)


@pytest.mark.parametrize("folder", ["users/ADA", "USERS"])
def test_another_spelling_of_the_home_directory_is_refused_where_the_disk_ignores_case(
    home: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = home.parent.parent
    monkeypatch.setattr(project, "_is_folder", lambda path: True)
    monkeypatch.setattr(project.os.path, "samefile", lambda one, other: str(one).lower() == str(other).lower())
    with pytest.raises(ProjectTooWide, match="home directory"):
        chosen(home, [top / folder])


def test_a_service_for_no_project_says_how_it_is_started_right(home: Path) -> None:
    for folder, word in ((home / "gone", "not there"), (home, "home directory"), (Path("/"), "root of the disk")):
        with pytest.raises(ServiceProjectUnfit, match=word) as refused:
            narrow_project(str(folder), [], str(home))
        assert "--project" in str(refused.value)
        assert "CLAUDE_PROJECT_DIR" not in str(refused.value)
