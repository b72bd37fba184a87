from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.errors import (
    PathAddress,
    PathBlank,
    PathInGit,
    PathMixed,
    PathOutside,
    PathTooLong,
    PathUnseen,
    PathUnusable,
    SinkRefused,
)
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
    assert steps(path, "/home/ada/shop") == tuple(expected)


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "..", "/", "a/", "a/.", "a/..", "/home/ada/shop/"),
        *("a\\b", "a\nb", "a\0b", "\x7f", "half\ud800"),
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
    assert steps("~shop/.env", "/home/ada/shop") == ("~shop", ".env")


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


@pytest.mark.parametrize(
    "path", ["file:///x", "file:x", "https://example.com/.env", "vscode://file/x", "C:\\x", "C:/x", "c:.env"]
)
def test_an_address_is_refused(path: str) -> None:
    with pytest.raises(PathAddress):
        steps(path, "/home/ada/shop")


@pytest.mark.parametrize("path", [" ", "  ", ".env ", " .env", "a /.env", "a/ b/.env", "a  b/.env", ".  env", "a/ /b"])
def test_a_blank_that_nobody_sees_is_refused(path: str) -> None:
    with pytest.raises(PathBlank):
        steps(path, "/home/ada/shop")
    with pytest.raises(PathBlank):
        steps(path, "/home/ada/shop", link=".env")


@pytest.mark.parametrize(
    "letter",
    [
        *("\u3164", "\u115f", "\u1160", "\uffa0", "\u200b", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u034f"),
        *("\ufe0f", "\ufe0e", "\ufe00", "\U000e0100", "\U000e0041", "\u180e", "\u2800", "\u00a0", "\u3000", "\u2003"),
    ],
    ids=ascii,
)
def test_a_character_that_cannot_be_seen_is_refused_and_named(letter: str) -> None:
    for path in (f".env{letter}x", f"a{letter}b/.env"):
        with pytest.raises(PathUnseen, match=re.escape(f"(U+{ord(letter):04X})")) as refused:
            steps(path, "/home/ada/shop")
        assert letter not in str(refused.value)
    with pytest.raises(SinkRefused):
        steps(f".env{letter}", "/home/ada/shop")


def test_a_mark_without_a_letter_of_its_own_is_refused() -> None:
    with pytest.raises(PathUnseen):
        steps("a/\u0301.env", "/home/ada/shop")


@pytest.mark.parametrize(
    "path",
    [
        ".\u0435nv",  # Cyrillic e
        "c\u03bfnfig/.env",  # Greek omicron
        "\uff45nv",  # fullwidth e
        ".e\u0578v",  # Armenian vo
        "\U0001d41env",  # mathematical bold e
        "\u212aey.pem",  # Kelvin sign
        "\u13a5nv",  # Cherokee
        "\u043f\u03b1",  # Cyrillic and Greek
        "\u0430\u65e5",  # Cyrillic and Han
    ],
    ids=ascii,
)
def test_a_word_of_several_scripts_is_refused(path: str) -> None:
    with pytest.raises(PathMixed):
        steps(path, "/home/ada/shop")


@pytest.mark.parametrize(
    "path",
    [
        *(
            "caf\u00e9/.env",
            "cafe\u0301/.env",
            "stra\u00dfe",
            "\u043a\u043e\u043d\u0444\u0438\u0433.env",
            "\u03ba\u03bb.env",
        ),
        *(
            "\u8a2d\u5b9a/.env",
            "\u8a2d\u5b9a\u30d5\u30a1\u30a4\u30eb.env",
            "env\u30d5\u30a1\u30a4\u30eb",
            "\uc124\uc815.env",
        ),
        *("\u0625\u0639\u062f\u0627\u062f.env", "\u05e2\u05d1\u05e8", "my file.env", "\U0001f34b.env", "v2.1_b-c"),
    ],
    ids=ascii,
)
def test_a_name_in_a_person_s_own_script_is_taken(path: str) -> None:
    assert steps(path, "/home/ada/shop") == tuple(path.split("/"))


def test_a_name_that_is_too_long_is_told_so() -> None:
    assert steps("x" * 255, "/p") == ("x" * 255,)
    for path, said in (("x" * 256, "255 bytes"), ("\u00e9" * 128, "255 bytes"), ("x/" * 512 + "x", "1024 characters")):
        with pytest.raises(PathTooLong, match=said) as refused:
            steps(path, "/p")
        assert len(str(refused.value)) < 200


@given(st.text(max_size=40))
def test_any_text_is_taken_apart_or_refused(path: str) -> None:
    try:
        found = steps(path, "/p")
    except SinkRefused:
        return
    assert found
    assert not any(part in ("", ".") or "/" in part or is_git_folder(part) for part in found)
