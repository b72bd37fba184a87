"""`offprompt mcp` goes its own short way through the program."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

import pytest

from offprompt.cli import main, mcp


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
    module = SimpleNamespace(take_over=lambda given: taken.append(given) or 3)
    monkeypatch.setitem(sys.modules, "offprompt.service.stdio", module)
    assert mcp.main() == 3
    assert taken == [handover]
