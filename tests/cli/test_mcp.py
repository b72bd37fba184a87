"""`offprompt mcp` goes its own short way through the program."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from offprompt.agent.mcp import words
from offprompt.cli import main, mcp
from tests.agent.process import PING, ROOT, running
from tests.cli.mcp_process import REMOTE, collect, environ_in

SITE = [path for path in sys.path if path.endswith("site-packages")]
RUN = "from offprompt.cli import main; sys.exit(main())"


class Left(Exception):
    """The process would have ended here."""


def leave(code: int) -> None:
    raise Left(code)


def test_mcp_alone_goes_to_the_light_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["offprompt", "mcp"])
    monkeypatch.setattr(mcp, "main", lambda: 7)
    assert main() == 7


def test_when_the_conversation_is_over_the_process_leaves_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second signal finds no interpreter that is tidying up."""
    monkeypatch.setattr(mcp.light_loop, "run", lambda: None)
    monkeypatch.setattr(os, "_exit", leave)
    with pytest.raises(Left) as left:
        mcp.main()
    assert left.value.args == (0,)


def test_the_first_call_is_handed_on_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    handover = SimpleNamespace()
    taken = []
    monkeypatch.setattr(mcp.light_loop, "run", lambda: handover)
    monkeypatch.setattr(os, "_exit", leave)
    module = SimpleNamespace(prepare=lambda given: lambda: taken.append(given))
    monkeypatch.setitem(sys.modules, "offprompt.service.stdio", module)
    with pytest.raises(Left):
        mcp.main()
    assert taken == [handover]


def test_a_service_that_cannot_be_started_refuses_the_call_in_place_of_a_traceback(monkeypatch, capfd):
    def prepare(handover: object) -> None:
        raise PermissionError(13, "Permission denied", "/somewhere/else")

    refused = []
    monkeypatch.setattr(mcp.light_loop, "run", SimpleNamespace)
    monkeypatch.setattr(mcp.light_loop, "refuse", lambda handover, sentence: refused.append(sentence))
    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setitem(sys.modules, "offprompt.service.stdio", SimpleNamespace(prepare=prepare))
    with pytest.raises(Left):
        mcp.main()
    assert refused == [words.refuse_fault()]
    assert capfd.readouterr().err == "offprompt: The service could not be started (PermissionError).\n"


# --- what can be gone by the first call -------------------------------------------------------------------------------


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def upgrade(version: Path) -> None:
    version.write_text('VERSION = "99.0.0"\n')


@pytest.mark.parametrize(
    ("gone", "by"),
    [
        (".", remove),
        ("service", remove),
        ("page/static/bundle.js", remove),
        ("page/words", remove),
        ("version.py", upgrade),
    ],
)
def test_P8_a_program_that_was_updated_or_removed_while_it_ran_says_so_to_every_call(tmp_path, gone, by):
    library = tmp_path / "library"
    left_out = shutil.ignore_patterns("node_modules", "script", "__pycache__")
    shutil.copytree(ROOT / "offprompt", library / "offprompt", ignore=left_out)
    environ = environ_in(tmp_path, **REMOTE, PYTHONPATH=str(library), PYTHONDONTWRITEBYTECODE="1")
    argv = [sys.executable, "-P", "-S", "-c", f"import sys; sys.path += {SITE!r}; {RUN}", "mcp"]
    with running(argv, environ, cwd=tmp_path) as one:
        one.shake_hands()
        by(library / "offprompt" / gone)
        for number in (1, 2):
            one.say(collect(number))
            result = one.hear()["result"]
            assert result["isError"]
            assert "updated or removed while it ran" in result["structuredContent"]["error"]
        one.say(PING)
        assert one.hear()["id"] == PING["id"]
        one.close_stdin()
        assert one.exit()[0] == 0
        assert "Traceback" not in one.errors()
