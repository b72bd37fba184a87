"""The options of `twistd offprompt`."""

from __future__ import annotations

from typing import ClassVar

from twisted.python.usage import Options as UsageOptions
from twisted.python.usage import UsageError

STDIO = "stdio:"
"""How `--agent` names this process's own stdin and stdout."""


class Options(UsageOptions):
    """The options of `twistd offprompt`."""

    optParameters: ClassVar = [
        ["web", "w", None, "Where the page listens, an endpoint on loopback [default: tcp:PORT:interface=127.0.0.1]"],
        ["project", "p", None, "The folder whose files are written [default: the working directory]"],
        ["manhole", "m", None, "Where operators look inside: an endpoint, or default [default: nowhere]"],
        ["authorized-keys", None, None, "A file with the operators' public keys [default: a key made once]"],
        ["state", None, None, "The folder of the manhole's keys [default: offprompt's own in the home directory]"],
    ]

    longdesc = "Collects secrets for coding agents: a person types them on a page, agents see names and a fingerprint."

    def __init__(self) -> None:
        super().__init__()
        self.agents: list[str] = []

    def opt_agent(self, endpoint: str) -> None:
        """Where agents connect: stdio: or an endpoint such as unix:/run/offprompt.sock:mode=600; may be repeated."""
        self.agents.append(endpoint)

    opt_a = opt_agent

    def postOptions(self) -> None:
        """Refuse options that cannot be served together."""
        if self.agents.count(STDIO) > 1:
            raise UsageError("There is one stdin and one stdout: give --agent=stdio: once.")
        if not self.agents:
            self.agents = [STDIO]
