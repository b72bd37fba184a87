"""The commands of the program: found by name, helpful where the name is wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace

import click
import pytest

from offprompt.cli import commands, main
from offprompt.version import VERSION


@pytest.mark.parametrize("argv", [["-h"], ["--help"], ["help"]])
def test_help_names_every_command_and_what_it_does(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(argv) == 0
    told = capsys.readouterr().out
    for name, what in commands.COMMANDS.items():
        assert f"  {name} " in told
        assert what in " ".join(told.split())


def test_nothing_asked_for_is_told_the_same_and_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([]) == 2
    assert "Usage: offprompt [OPTIONS] COMMAND" in capsys.readouterr().out


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


@pytest.mark.parametrize("name", list(commands.COMMANDS))
def test_every_command_tells_its_usage(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([name, "--help"]) == 0
    captured = capsys.readouterr()
    assert "takes no arguments" in captured.err if name == "mcp" else f"Usage: offprompt {name}" in captured.out


@pytest.mark.parametrize("name", sorted(set(commands.COMMANDS) - {"mcp"}))
def test_an_option_that_a_command_does_not_have_is_a_mistake(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main([name, "--no-such-option"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"offprompt {name}: No such option")
    assert f"offprompt {name} --help says more." in said


@pytest.mark.parametrize("argv", [["serve", "--agent"], ["fill", "a", "b"], ["registry"], ["attach", "--at"]])
def test_a_command_line_that_makes_no_sense_says_whose_it_is_and_where_to_read_more(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands.main(argv) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"offprompt {argv[0]}: ")
    assert said.endswith(f"\noffprompt {argv[0]} --help says more.\n")


def test_an_option_of_no_command_is_refused_with_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["--bad"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("No such option")
    assert "Usage: offprompt" in said


def test_the_help_imports_no_command() -> None:
    """So that it is there at once; a command pays for its own libraries alone."""
    program = (
        "import sys; from offprompt.cli import commands; commands.main(['--help']); print(*sys.modules, sep=chr(10))"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    imported = {name for name in ran.stdout.split() if name.startswith(("offprompt.", "twisted.", "nacl"))}
    assert imported <= {"offprompt.cli", "offprompt.cli.commands", "offprompt.version"}


@pytest.fixture
def made_up_fill(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[..., int]], None]:
    """Puts a made-up command in the place of `fill`, which takes words and --decline."""

    def put(callback: Callable[..., int]) -> None:
        made = click.command("fill")(click.option("--decline", is_flag=True)(click.argument("link")(callback)))
        monkeypatch.setitem(sys.modules, "offprompt.cli.fill.command", SimpleNamespace(command=made))

    return put


def test_a_command_gets_the_rest_of_the_line_and_its_code_is_the_program_s(
    made_up_fill: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    made_up_fill(lambda link, decline: given.append((link, decline)) or 7)
    monkeypatch.setattr(sys, "argv", ["offprompt", "fill", "a link", "--decline"])
    assert main() == 7
    assert given == [("a link", True)]


def test_ctrl_c_ends_a_command_as_a_shell_expects(
    made_up_fill: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(link: str, decline: bool) -> int:
        raise KeyboardInterrupt

    made_up_fill(interrupted)
    assert commands.main(["fill", "x"]) == 130
    assert capsys.readouterr().err == "\n"
