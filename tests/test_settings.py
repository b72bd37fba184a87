"""The settings: what each value means, and that one which cannot be used is never passed over in silence."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from offprompt.settings import BROWSER, LOG, NAMES, PORT, TUNNEL, Settings

ROOT = Path(__file__).resolve().parents[1]


def test_nothing_set_is_the_defaults_and_no_problem() -> None:
    expected = Settings(port=0, tunnel=True, browser=True, log="", problems=())
    assert Settings.read({}) == expected
    assert Settings.read(dict.fromkeys(NAMES, "")) == expected


@pytest.mark.parametrize(("text", "port"), [("1", 1), ("7421", 7421), ("65535", 65_535), ("007421", 7421)])
def test_a_port_is_taken(text: str, port: int) -> None:
    assert Settings.read({PORT: text}) == Settings(port=port)


@pytest.mark.parametrize(
    "text",
    ["70000", "65536", "abc", "-1", " 7421 ", "7421 ", "0", "0x1d", "7_421", "7421.0", "٧٤٢١", "1" * 5000, "7421\n"],
)
def test_what_is_no_port_is_said_and_any_free_port_is_used(text: str) -> None:
    settings = Settings.read({PORT: text})
    assert settings.port == 0
    assert settings.problems == ("OFFPROMPT_PORT is not a number from 1 to 65535, so the page uses any free port.",)


@pytest.mark.parametrize("text", ["off", "OFF", "Off"])
def test_off_switches_off_in_any_case(text: str) -> None:
    assert Settings.read({TUNNEL: text, BROWSER: text}) == Settings(tunnel=False, browser=False)
    assert Settings.read({TUNNEL: "on", BROWSER: "ON"}) == Settings()


@pytest.mark.parametrize("text", ["no", "false", "0", "none", " off ", "firefox", "true"])
def test_an_unknown_word_never_makes_a_public_link_and_lets_pages_open_and_both_are_said(text: str) -> None:
    settings = Settings.read({TUNNEL: text, BROWSER: text})
    assert (settings.tunnel, settings.browser) == (False, True)
    assert settings.problems == (
        "OFFPROMPT_TUNNEL is neither on nor off, so no public link is made.",
        "OFFPROMPT_BROWSER is neither on nor off, so pages open by themselves.",
    )


def test_a_log_file_is_taken_new_or_old_and_looking_makes_nothing(tmp_path: Path) -> None:
    old, new = tmp_path / "old.log", tmp_path / "new.log"
    old.write_text("", encoding="utf-8")
    assert Settings.read({LOG: str(old)}) == Settings(log=str(old))
    assert Settings.read({LOG: str(new)}) == Settings(log=str(new))
    assert not new.exists()


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("offprompt.log", "is not an absolute path"),
        ("~/offprompt.log", "is not an absolute path"),
        ("/no-such-folder/offprompt.log", "is in a folder that does not exist"),
        ("/" + "x" * 300, "cannot be reached"),
        ("/tmp/a\0b", "cannot be reached"),
    ],
)
def test_a_log_file_that_cannot_be_is_said_and_there_is_none(path: str, fault: str) -> None:
    settings = Settings.read({LOG: path})
    assert settings.log == ""
    assert settings.problems == (f"OFFPROMPT_LOG {fault}, so no log file is written.",)


def test_a_folder_a_link_and_a_pipe_are_no_log_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "link", tmp_path / "pipe"):
        assert Settings.read({LOG: str(path)}).problems == (
            "OFFPROMPT_LOG is not a regular file, so no log file is written.",
        )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_a_log_file_without_the_right_to_write_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "offprompt.log"
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root, who may run the tests, may write anywhere
    assert "a folder that offprompt may not write to" in Settings.read({LOG: str(file)}).problems[0]
    file.write_text("", encoding="utf-8")
    assert "a file that offprompt may not write to" in Settings.read({LOG: str(file)}).problems[0]
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert "belongs to another account" in Settings.read({LOG: str(file)}).problems[0]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("OFFPROMPT_TUNEL", TUNNEL),
        ("OFFPROMPT_TUNNELS", TUNNEL),
        ("OFFPROMPT_PROT", PORT),
        ("OFFPROMPT_BROWSERS", BROWSER),
    ],
)
def test_a_misspelt_name_is_said(name: str, meant: str) -> None:
    assert Settings.read({name: "off"}) == Settings(problems=(f"{name} is not a setting; {meant} is.",))


@pytest.mark.parametrize(
    "name", ["OFFPROMPT_REQUIRE", "OFFPROMPT_SOMETHING_ELSE", "OFFPROMPT_", "TUNNEL", "offprompt_port"]
)
def test_a_name_that_is_like_none_is_somebody_else_s(name: str) -> None:
    assert Settings.read({name: "off"}) == Settings()


def test_no_problem_repeats_a_value() -> None:
    """Somebody may have pasted a secret into the wrong variable."""
    value = "sk-made-up-value-7f3a"
    settings = Settings.read(dict.fromkeys(NAMES, value))
    assert len(settings.problems) == len(NAMES)
    assert value not in repr(settings.problems)
    for name, problem in zip(NAMES, settings.problems, strict=True):
        assert problem.startswith(f"{name} ")
        assert problem.endswith(".")


def names_read_in(source: Path) -> Iterator[str]:
    """The string constants that are nothing but a setting's name: what a lookup takes."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\AOFFPROMPT_[A-Z_]*\Z", node.value)


def test_no_other_module_reads_a_setting() -> None:
    sources = [path for path in (ROOT / "offprompt").rglob("*.py") if "node_modules" not in path.parts]
    found = {str(path.relative_to(ROOT)): sorted(set(names_read_in(path))) for path in sources}
    assert {path: names for path, names in found.items() if names} == {"offprompt/settings.py": sorted(NAMES)}


def test_the_readme_has_a_row_for_every_setting_and_no_other() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("\n## Settings\n")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `(OFFPROMPT_[A-Z_]+)`", table, re.MULTILINE)) == sorted(NAMES)
    assert set(re.findall(r"OFFPROMPT_[A-Z_]+", readme)) <= set(NAMES)
