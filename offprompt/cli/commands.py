"""The commands of the `offprompt` program, but for `mcp`, which is light."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

from offprompt.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "mcp": "speak MCP on stdin and stdout: what an agent's configuration starts",
    "fill": "answer a request from this terminal: offprompt fill LINK",
    "registry": "what is known of a variable, a provider or a format: offprompt registry NAME",
    "doctor": "would a person get a page from here, and if not, why",
    "serve": "run the service in the foreground, for agents on a socket",
    "demo": "play an agent that needs two values, to see both sides",
    "attach": "look inside a running service: its manhole",
}
"""Each is a module of this room with `main(argv) -> int`, or a folder whose `command` is one."""

USAGE = "usage: offprompt COMMAND [ARGUMENTS]\n       offprompt COMMAND --help"


def main(argv: Sequence[str]) -> int:
    """Run the command that `argv` (without the program's name) begins with; answers with the exit code.

    0 is success, 2 a command line that cannot be understood; the rest is each command's own.
    """
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(_help())
        return 0 if argv else 2
    if argv[0] in ("-V", "--version", "version"):
        print(f"offprompt {VERSION}")
        return 0
    if argv[0] not in COMMANDS:
        print(f"offprompt has no command {argv[0]!r}.\n\n{_help()}", file=sys.stderr)
        return 2
    if argv[0] == "mcp":
        print("offprompt mcp takes no arguments.\n\nIt speaks MCP on stdin and stdout, as agents do.", file=sys.stderr)
        return 0 if argv[1:] in (["-h"], ["--help"]) else 2
    command = importlib.import_module(module_of(argv[0]))
    try:
        return int(command.main(argv[1:]))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130  # as a shell reports a program that SIGINT has ended


def module_of(command: str) -> str:
    """The dotted name of the module that serves `command`."""
    return "offprompt.cli.fill.command" if command == "fill" else f"offprompt.cli.{command}"


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {what}" for name, what in COMMANDS.items()]
    return "\n".join(["offprompt keeps secrets off the prompt.", "", USAGE, "", *lines])
