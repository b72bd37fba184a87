"""The `offprompt` program: one file per command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command that the arguments name; return the exit code.

    Agents start `offprompt mcp` dozens of times, and mostly need nothing of it. So it is served before anything that
    reads arguments is imported.
    """
    if sys.argv[1:] == ["mcp"]:
        from offprompt.cli import mcp

        return mcp.main()
    from offprompt.cli import commands

    return commands.main(sys.argv[1:])
