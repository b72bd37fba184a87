"""The commands of the program: found by name, helpful where the name is wrong."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace

import pytest

from offprompt.cli import commands, main
from offprompt.version import VERSION


@pytest.mark.parametrize("argv", [["-h"], ["--help"], ["help"]])
def test_help_names_every_command_and_what_it_does(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(argv) == 0
    told = capsys.readouterr().out
    for name, what in commands.COMMANDS.items():
        assert f"  {name} " in told
        assert what in told


def test_nothing_asked_for_is_told_the_same_and_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([]) == 2
    assert "usage: offprompt COMMAND" in capsys.readouterr().out


@pytest.mark.parametrize("argv", [["-V"], ["--version"], ["version"]])
def test_the_version_is_told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(argv) == 0
    assert capsys.readouterr().out == f"offprompt {VERSION}\n"


@pytest.mark.parametrize("name", ["serv", "", "../mcp", "conversation", "mcp\n"])
def test_what_is_no_command_is_refused_with_what_there_is(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of this room that is no command is not run either."""
    assert commands.main([name]) == 2
    captured = capsys.readouterr()
    assert f"offprompt has no command {name!r}" in captured.err
    assert "serve" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(("argv", "code"), [(["--help"], 0), (["-h"], 0), (["now"], 2), (["--help", "x"], 2)])
def test_mcp_takes_no_arguments_and_leaves_stdout_to_its_protocol(
    argv: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.main(["mcp", *argv]) == code
    captured = capsys.readouterr()
    assert "takes no arguments" in captured.err
    assert captured.out == ""


@pytest.mark.parametrize("name", sorted(set(commands.COMMANDS) - {"mcp"}))
def test_every_command_is_a_module_with_a_main(name: str) -> None:
    assert callable(importlib.import_module(commands.module_of(name)).main)


def test_a_command_gets_the_rest_of_the_line_and_its_code_is_the_program_s(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []
    module = SimpleNamespace(main=lambda argv: given.append(argv) or 7)
    monkeypatch.setitem(sys.modules, "offprompt.cli.fill.command", module)
    monkeypatch.setattr(sys, "argv", ["offprompt", "fill", "a link", "--decline"])
    assert main() == 7
    assert given == [["a link", "--decline"]]


def test_ctrl_c_ends_a_command_as_a_shell_expects(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(argv: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "offprompt.cli.fill.command", SimpleNamespace(main=interrupted))
    assert commands.main(["fill"]) == 130
    assert capsys.readouterr().err == "\n"
