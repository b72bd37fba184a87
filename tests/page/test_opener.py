"""Pages open in the person's own browser, never in a terminal, and the browser learns nothing it does not need."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from offprompt.page.opener import GRAPHICAL, Opener, opener_command, opener_environment

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
        ("linux", "firefox", ["firefox", "xdg-open"], ["firefox", URL]),
        ("linux", "firefox", ["xdg-open"], ["/usr/bin/xdg-open", URL]),
        ("linux", "w3m:chromium", ["w3m", "chromium"], ["chromium", URL]),
        ("linux", "/usr/bin/lynx", ["/usr/bin/lynx", "xdg-open"], ["/usr/bin/xdg-open", URL]),
        ("linux", "chromium --new-window %s", ["chromium"], ["chromium", "--new-window", URL]),
        ("linux", "'never closed:chromium", ["chromium"], ["chromium", URL]),
        ("darwin", "firefox", ["firefox", "open"], ["firefox", URL]),
    ],
)
def test_the_browser_is_the_persons_choice_else_the_platforms(platform, browser, programs, command):
    assert opener_command(URL, platform, {"BROWSER": browser}, has(*programs)) == command


def test_the_browser_gets_the_desktops_variables_and_no_key_of_the_agents_host():
    environ = {"DISPLAY": ":0", "LC_ALL": "C", "ANTHROPIC_API_KEY": "k", "PATH": "/bin", "PYTHONPATH": "/x"}
    assert opener_environment(environ) == {"DISPLAY": ":0", "LC_ALL": "C", "PATH": "/bin", "BROWSER": GRAPHICAL}


def test_a_text_browser_is_not_handed_on_to_the_platforms_opener():
    assert opener_environment({"BROWSER": "lynx"}) == {"BROWSER": GRAPHICAL}
    assert opener_environment({"BROWSER": "lynx:firefox -P me"}) == {"BROWSER": "firefox -P me"}


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_a_real_browser_is_started_in_a_session_of_its_own_with_the_address_alone(tmp_path: Path):
    seen = tmp_path / "seen.json"
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable} -I\nimport json, os, sys\n"
        f"json.dump([sys.argv[1:], sorted(os.environ), os.getsid(0), os.getpid()], open({str(seen)!r}, 'w'))\n"
    )
    browser.chmod(0o700)
    environ = {"BROWSER": str(browser), "PATH": os.environ["PATH"], "SOME_API_KEY": "k"}
    assert Opener("linux", environ, lambda name: name).open(URL)
    for _ in range(500):
        if seen.exists() and seen.read_text():
            break
        time.sleep(0.01)
    argv, names, session, process = json.loads(seen.read_text())
    assert argv == [URL]
    assert "SOME_API_KEY" not in names
    assert session == process != os.getsid(0)


def test_a_browser_that_cannot_be_started_counts_as_none(tmp_path: Path):
    broken = tmp_path / "broken"
    broken.write_text("no program")
    assert not Opener("linux", {"BROWSER": str(broken)}, lambda name: name).open(URL)


def test_the_person_can_keep_pages_from_being_opened():
    opener = Opener("linux", {"BROWSER": "true"}, lambda name: name, off=True)
    assert opener.off
    assert not opener.open(URL)
