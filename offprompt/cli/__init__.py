"""The `offprompt` program: one file per command."""

from __future__ import annotations

import sys


def main() -> int:
    """Runs the command that the arguments name; returns the exit code.

    `offprompt mcp` is what agents start, dozens of times and mostly for nothing, so it is looked for before anything
    that reads arguments properly is imported.
    """
    if sys.argv[1:] == ["mcp"]:
        from offprompt.cli import mcp

        return mcp.main()
    from offprompt.cli import commands

    return commands.main(sys.argv[1:])
