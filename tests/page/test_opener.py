"""Pages open in the person's own browser, never in a terminal, and the browser learns nothing it does not need."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from offprompt.page.opener import GRAPHICAL, Opener, opener_command, opener_environment
from tests.interpreter import head

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://127.0.0.1:1/r/00#k=AA"


def has(*programs: str):
    return lambda name: f"/usr/bin/{name}" if name in programs else None


@pytest.mark.parametrize(
    ("platform", "browser", "programs", "command"),
    [
        ("linux", "", ["xdg-open"], ["/usr/bin/xdg-open", URL]),
        ("linux", "", [], None),
        ("darwin", "", ["open"], ["/usr/bin/open", URL]),
        ("linux", "firefox", ["firefox", "xdg-open"], ["/usr/bin/firefox", URL]),
        ("linux", "firefox", ["xdg-open"], ["/usr/bin/xdg-open", URL]),
        ("linux", "w3m:chromium", ["w3m", "chromium"], ["/usr/bin/chromium", URL]),
        ("linux", "/usr/bin/lynx", ["/usr/bin/lynx", "xdg-open"], ["/usr/bin/xdg-open", URL]),
        ("linux", "chromium --new-window %s", ["chromium"], ["/usr/bin/chromium", "--new-window", URL]),
        ("linux", "'never closed:chromium", ["chromium"], ["/usr/bin/chromium", URL]),
        ("darwin", "firefox", ["firefox", "open"], ["/usr/bin/firefox", URL]),
    ],
)
def test_the_browser_is_the_persons_choice_else_the_platforms(platform, browser, programs, command):
    assert opener_command(URL, platform, {"BROWSER": browser}, has(*programs)) == command


def test_the_browser_gets_the_desktops_variables_and_no_key_of_the_agents_host():
    environ = {"DISPLAY": ":0", "LC_ALL": "C", "ANTHROPIC_API_KEY": "k", "PATH": "/usr/bin", "PYTHONPATH": "/x"}
    passed = opener_environment(environ, has())
    assert passed == {"DISPLAY": ":0", "LC_ALL": "C", "PATH": "/usr/bin", "BROWSER": GRAPHICAL}


def test_a_text_browser_is_not_handed_on_to_the_platforms_opener():
    assert opener_environment({"BROWSER": "lynx"}, has("lynx"))["BROWSER"] == GRAPHICAL
    browsers = opener_environment({"BROWSER": "lynx:firefox -P me:missing"}, has("lynx", "firefox"))["BROWSER"]
    assert browsers == "/usr/bin/firefox -P me"


def plant(folder: Path, name: str, seen: Path) -> Path:
    """A program that writes down how it was started."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(
        f"{head('-I')}import json, os, sys\n"
        f"json.dump([sys.argv, dict(os.environ), os.getsid(0), os.getpid()], open({str(seen) + '.new'!r}, 'w'))\n"
        f"os.replace({str(seen) + '.new'!r}, {str(seen)!r})\n"
    )
    program.chmod(0o700)
    return program


def wait_for(seen: Path) -> list:
    for _ in range(1000):
        if seen.exists():
            break
        time.sleep(0.01)
    return json.loads(seen.read_text())


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_a_real_browser_is_started_in_a_session_of_its_own_with_the_address_alone(tmp_path: Path):
    browser = plant(tmp_path, "browser", tmp_path / "seen.json")
    environ = {"BROWSER": str(browser), "PATH": os.environ["PATH"], "SOME_API_KEY": "k"}
    assert Opener("linux", environ).open(URL)
    argv, passed, session, process = wait_for(tmp_path / "seen.json")
    assert argv == [str(browser), URL]
    assert "SOME_API_KEY" not in passed
    assert session == process != os.getsid(0)


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
@pytest.mark.parametrize("entry", ["{project}/node_modules/.bin", "node_modules/.bin", "{project}/../into"])
def test_the_project_opens_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str):
    """Neither as `xdg-open`, nor as `$BROWSER`, nor as what `xdg-open` would start by the PATH that it gets."""
    project = tmp_path / "project"
    planted = plant(project / "node_modules" / ".bin", "xdg-open", tmp_path / "planted.json")
    plant(planted.parent, "firefox", tmp_path / "planted.json")
    (tmp_path / "into").symlink_to(planted.parent)
    own = plant(tmp_path / "bin", "xdg-open", tmp_path / "seen.json")
    monkeypatch.chdir(project)
    folder = entry.format(project=project)
    environ = {"PATH": f"{folder}:{own.parent}", "BROWSER": f"firefox:{planted}"}
    opener = Opener("linux", environ, lambda: [str(project)])
    assert opener.program == str(own)
    assert opener.open(URL)
    argv, passed, _, _ = wait_for(tmp_path / "seen.json")
    assert argv == [str(own), URL]
    assert (passed["PATH"], passed["BROWSER"]) == (str(own.parent), GRAPHICAL)
    assert not Opener("linux", {"PATH": folder, "BROWSER": str(planted)}, lambda: [str(project)]).open(URL)
    assert not (tmp_path / "planted.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_a_browser_that_cannot_be_started_counts_as_none(tmp_path: Path):
    broken = tmp_path / "broken"
    broken.write_text("no program")
    broken.chmod(0o700)
    assert not Opener("linux", {"BROWSER": str(broken)}).open(URL)


def test_the_person_can_keep_pages_from_being_opened():
    opener = Opener("linux", {"BROWSER": "true"}, off=True)
    assert opener.off
    assert not opener.open(URL)
