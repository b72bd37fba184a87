from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.errors import PathInGit, PathOutside, PathUnusable, SinkRefused
from offprompt.sinks.path import is_git_folder, steps


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".env", [".env"]),
        ("./.env", [".env"]),
        ("a//b/./c", ["a", "b", "c"]),
        ("a/../.env", ["a", "..", ".env"]),
        ("/home/ada/shop/a/.env", ["a", ".env"]),
        ("with blank/é🍋", ["with blank", "é🍋"]),
        ("...", ["..."]),
        (".github/x", [".github", "x"]),
        (".gitignore", [".gitignore"]),
    ],
)
def test_a_path_is_taken_apart(path: str, expected: list[str]) -> None:
    assert steps(path, "/home/ada/shop") == expected


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "..", "/", "a/", "a/.", "a/..", "/home/ada/shop/", "x" * 1025),
        *("a\\b", "C:\\x", "a\nb", "a\0b", "\x7f", "half\ud800"),
    ],
)
def test_a_path_that_names_no_file_is_refused(path: str) -> None:
    with pytest.raises(PathUnusable) as refused:
        steps(path, "/home/ada/shop")
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("path", ["/etc/passwd", "/home/ada/shop2/.env", "/home/ada", "//etc/x", "/home/ada/Shop/.env"])
def test_an_absolute_path_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(PathOutside):
        steps(path, "/home/ada/shop")


@pytest.mark.parametrize("path", ["~/.env", "~/shop/.env", "~"])
def test_the_home_directory_as_shells_write_it_is_elsewhere(path: str) -> None:
    with pytest.raises(PathOutside):
        steps(path, "/home/ada/shop")
    assert steps("~shop/.env", "/home/ada/shop") == ["~shop", ".env"]


@pytest.mark.parametrize(
    "name",
    [
        *(".git", ".GIT", ".Git", ".git.", ".git ", ".git . .", "git~1", "GIT~1"),
        *(".git::$INDEX_ALLOCATION", ".g\u200cit", "\ufeff.git"),
    ],
)
def test_git_s_own_folder_is_known_by_every_name_it_opens_by(name: str) -> None:
    assert is_git_folder(name)
    for path in (f"{name}/config", f"sub/{name}/hooks/x", f"a/../{name}/x", name):
        with pytest.raises((PathInGit, PathUnusable)):  # some characters are refused before
            steps(path, "/home/ada/shop")


@pytest.mark.parametrize("name", ["git", ".gitt", "x.git", ".git2", "git~2", "..git", "ɢit"])
def test_other_names_are_not(name: str) -> None:
    assert not is_git_folder(name)


@given(st.text(max_size=40))
def test_any_text_is_taken_apart_or_refused(path: str) -> None:
    try:
        found = steps(path, "/p")
    except SinkRefused:
        return
    assert found
    assert not any(part in ("", ".") or "/" in part or is_git_folder(part) for part in found)
