"""Who can change a path: every folder and link on the way counts."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from offprompt import ownership
from offprompt.ownership import MOST_LINKS, changeable_by_others, way

as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")


def test_the_way_names_every_folder_link_and_file_in_order(tmp_path: Path) -> None:
    real = tmp_path.resolve()
    (real / "a").mkdir()
    (real / "a" / "file").touch()
    (real / "link").symlink_to("a/../a")
    passed = [place for place, _ in way(f"{real}/./link//file")]
    assert passed[0] == "/"
    assert passed[-4:] == [f"{real}/link", f"{real}/a", f"{real}/a", f"{real}/a/file"]


def test_a_circle_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="too many links"):
        list(way(str(tmp_path / "a")))
    assert MOST_LINKS == 40


def test_what_is_ours_alone_cannot_be_changed_by_others(tmp_path: Path) -> None:
    (tmp_path / "file").touch(mode=0o600)
    assert changeable_by_others(str(tmp_path / "file")) == ""


@pytest.mark.parametrize("writable", ["folder", "folder/file"])
def test_a_place_that_everybody_can_write_is_named(tmp_path: Path, writable: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").touch()
    (tmp_path / writable).chmod(0o777)
    assert changeable_by_others(str(tmp_path / "folder" / "file")) == str(tmp_path.resolve() / writable)


def test_a_link_through_a_folder_that_everybody_can_write_is_no_safe_way(tmp_path: Path) -> None:
    for name in ("open", "safe", "end"):
        (tmp_path / name).mkdir()
    (tmp_path / "open" / "hop").symlink_to(tmp_path / "end")
    (tmp_path / "safe" / "link").symlink_to(tmp_path / "open" / "hop")
    assert changeable_by_others(str(tmp_path / "safe" / "link")) == ""
    (tmp_path / "open").chmod(0o777)
    assert changeable_by_others(str(tmp_path / "safe" / "link")) == str(tmp_path.resolve() / "open")


@as_root
def test_another_accounts_folder_link_or_file_is_named_even_where_the_mode_is_strict(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir(mode=0o700)
    (tmp_path / "folder" / "file").touch(mode=0o600)
    (tmp_path / "link").symlink_to("folder/file")
    for theirs in ("link", "folder/file", "folder"):
        os.chown(tmp_path / theirs, 12345, -1, follow_symlinks=False)
        assert changeable_by_others(str(tmp_path / "link")) == str(tmp_path.resolve() / theirs)
        os.chown(tmp_path / theirs, 0, -1, follow_symlinks=False)
    assert changeable_by_others(str(tmp_path / "link")) == ""


@as_root
def test_a_group_counts_where_this_account_is_not_in_it(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o775)
    assert changeable_by_others(str(folder)) == ""
    os.chown(folder, -1, 54321)
    assert changeable_by_others(str(folder)) == str(folder.resolve())


@as_root
@pytest.mark.parametrize(("mapped", "trusted"), [("0 100000 65536", False), ("1000 1000 1", True)])
def test_in_a_sandbox_that_has_no_root_the_files_of_root_are_those_of_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mapped: str, trusted: bool
) -> None:
    """bubblewrap maps one account; without this no program of the system could be started there."""
    said = {"/proc/self/uid_map": mapped, "/proc/sys/kernel/overflowuid": "65534"}
    monkeypatch.setattr(ownership, "open", lambda path, **how: io.StringIO(said[path]), raising=False)
    folder = tmp_path / "bin"
    folder.mkdir()
    os.chown(folder, 65534, -1)
    assert changeable_by_others(str(folder)) == ("" if trusted else str(folder.resolve()))
