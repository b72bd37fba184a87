"""The commands of the `offprompt` program. `mcp` itself is served before this file is imported."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import click

from offprompt.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "mcp": "Speak MCP on stdin and stdout. An agent's configuration starts this.",
    "fill": "Answer a request from this terminal.",
    "registry": "Tell what is known of a variable, a provider or a format.",
    "doctor": "Say whether a person would get a page from here, and if not, why.",
    "serve": "Run the service in the foreground, for agents on a socket.",
    "demo": "Play an agent that needs two values, to see both sides.",
    "attach": "Look inside a running service through its manhole.",
}
"""Each is a `click.Command` called `command`, in a module of this room that is imported when it is asked for."""

INTERRUPTED = 130
"""The exit status of a program that SIGINT has ended, as shells report it."""
MISUSED = 2
"""The exit status for a command line that cannot be understood."""
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """The program: a group whose commands are imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command; None where there is none of that name."""
        if cmd_name == "mcp":
            return mcp
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(module_of(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; the words `help` and `version` are taken for the options."""
        if args[0] in ("help", "version"):
            args = [f"--{args[0]}"]
            self.parse_args(ctx, args)
        if args[0] not in COMMANDS:
            raise click.UsageError(f"offprompt has no command {args[0]!r}.", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command("mcp", add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def mcp(words: tuple[str, ...]) -> int:
    """Say that it takes no arguments, on stderr: stdout is the protocol's."""
    print("offprompt mcp takes no arguments.\n\nIt speaks MCP on stdin and stdout, as agents do.", file=sys.stderr)
    return 0 if words in (("-h",), ("--help",)) else MISUSED


@click.group(
    cls=Commands,
    help="offprompt keeps secrets off the prompt: an agent asks, a person types, and no value passes through the chat.",
    epilog="offprompt COMMAND --help says more about each.",
    context_settings=SETTINGS,
    subcommand_metavar="COMMAND [ARGUMENTS]",
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.version_option(VERSION, "-V", "--version", message="%(prog)s %(version)s")
@click.pass_context
def program(context: click.Context) -> int | None:
    """Print the help where no command is named, which is a mistake."""
    if context.invoked_subcommand is not None:
        return None
    print(context.get_help())
    return MISUSED


def main(argv: Sequence[str]) -> int:
    """Run the command that `argv` (without the program's name) begins with; return the exit code.

    0 is success, 2 a command line that cannot be understood, 130 Ctrl-C; the rest is each command's own.
    """
    try:
        return int(program.main(list(argv), prog_name="offprompt", standalone_mode=False) or 0)
    except click.Abort:  # Ctrl-C; click has ended the line
        return INTERRUPTED
    except click.ClickException as error:
        print(_complaint(error, argv[0]), file=sys.stderr)
        return error.exit_code


def module_of(command: str) -> str:
    """Return the dotted name of the module that holds `command`."""
    return "offprompt.cli.fill.command" if command == "fill" else f"offprompt.cli.{command}"


def _complaint(error: click.ClickException, name: str) -> str:
    """Return what is wrong with a command line, and where to read more; `name` is its first word."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is not None and context.parent is None:
        return f"{error.format_message()}\n\n{context.get_help()}"
    path = f"offprompt {name}"  # click does not name the command of an option without its value
    usage = f"{context.get_usage()}\n" if context else ""
    return f"{path}: {error.format_message()}\n\n{usage}{path} --help says more."
