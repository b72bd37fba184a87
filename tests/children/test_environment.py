"""A child gets what it needs of our environment, and no way back into the project."""

from __future__ import annotations

from pathlib import Path

from offprompt.children.environment import child_environment
from offprompt.programs import SYSTEM_PATH


def test_a_child_gets_what_is_named_and_no_key_of_the_agents_host() -> None:
    environ = {
        "PATH": "/usr/bin", "LANG": "C", "LC_ALL": "C", "TMPDIR": "/tmp", "DISPLAY": ":0", "HOME": "/root",
        "ANTHROPIC_API_KEY": "k", "PYTHONPATH": "/x", "LD_PRELOAD": "/x.so", "GIT_DIR": "/x",
    }  # fmt: skip
    usual = {"PATH": "/usr/bin", "LANG": "C", "LC_ALL": "C", "TMPDIR": "/tmp"}
    assert child_environment(environ) == usual
    assert child_environment(environ, {"DISPLAY"}) == usual | {"DISPLAY": ":0"}


def test_a_childs_path_leads_neither_into_the_project_nor_to_a_relative_folder(tmp_path: Path) -> None:
    planted = tmp_path / "node_modules" / ".bin"
    planted.mkdir(parents=True)
    path = f"{planted}:.:node_modules/.bin:/usr/bin"
    assert child_environment({"PATH": path}, projects=[str(tmp_path)]) == {"PATH": "/usr/bin"}
    assert child_environment({"PATH": str(planted)}, projects=[str(tmp_path)]) == {"PATH": SYSTEM_PATH}
    assert child_environment({}) == {"PATH": SYSTEM_PATH}


def test_a_desktop_learns_of_no_browser_in_the_project(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    environ = {
        "PATH": "/usr/bin",
        "XDG_DATA_DIRS": f"{tmp_path}/share:/usr/share",
        "XDG_DATA_HOME": f"{tmp_path}/share",
    }
    passed = child_environment(environ, {"XDG_DATA_DIRS", "XDG_DATA_HOME"}, [str(tmp_path)])
    assert passed == {"PATH": "/usr/bin", "XDG_DATA_DIRS": "/usr/share"}
