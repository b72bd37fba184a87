"""The options of `twistd offprompt`."""

from __future__ import annotations

import pytest
from twisted.python.usage import UsageError

from offprompt.service.options import STDIO, Options


def options(*argv: str) -> Options:
    given = Options()
    given.parseOptions(list(argv))
    return given


def test_agents_are_on_stdio_unless_others_are_named() -> None:
    assert options().agents == [STDIO]
    two = options("--agent=unix:/run/a.sock:mode=600", "-a", "unix:/run/b.sock:mode=600")
    assert two.agents == ["unix:/run/a.sock:mode=600", "unix:/run/b.sock:mode=600"]
    assert options("--agent=stdio:", "--agent=unix:/run/a.sock:mode=600").agents[0] == STDIO


def test_there_is_one_stdin() -> None:
    with pytest.raises(UsageError, match="one stdin and one stdout"):
        options("--agent=stdio:", "--agent=stdio:")
