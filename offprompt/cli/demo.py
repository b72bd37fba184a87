"""`offprompt demo`: plays an agent that needs values, in a scratch project that is removed afterwards.

It starts a real `offprompt mcp` and speaks to it as an agent does. So what it shows is what an agent sees.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from typing import IO, Any

import click

from offprompt.sinks.dotenv.node import statements
from offprompt.version import VERSION

ASKED = {
    "secrets": [
        {"name": "DEMO_API_KEY", "caption": "Anything will do: this is a demo"},
        {"name": "MAX_RETRIES", "format": "integer", "secret": False, "caption": "A number, such as 3"},
        {"name": "AUTH_SECRET", "generate": {"bytes": 32, "encoding": "base64url"}},
    ],
    "reason": "This is **offprompt's demo**. Type made-up values: they go into a scratch project that is removed.",
}

TELLING = 3
"""Characters. A value of no more, such as a number, stands somewhere in any transcript and proves nothing."""


class Agent:
    """The agent's side of a conversation with `offprompt mcp`. It keeps all that passed."""

    def __init__(self, project: str) -> None:
        program = "import sys; sys.argv[1:] = ['mcp']; from offprompt.cli import main; sys.exit(main())"
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-c", program],
            cwd=project,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "CLAUDE_PROJECT_DIR": project},
            start_new_session=sys.platform != "win32",  # Ctrl-C is for us: we end the server in order
        )
        self._asked = 0
        self.transcript = bytearray()
        """Both directions, as an agent's host would keep them."""

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the server; return its answer."""
        self._asked += 1
        self._say({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        for line in self._pipe(self._server.stdout):
            self.transcript += line
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._asked:
                return answer
        raise SystemExit("offprompt mcp ended without an answer; what it said is above.")

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; return the object in the answer."""
        result: dict[str, Any] = self.request("tools/call", {"name": tool, "arguments": arguments})["result"]
        content: dict[str, Any] = result["structuredContent"]
        return content

    def begin(self) -> None:
        """Say who is there."""
        client = {"name": "The demo", "version": VERSION}
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def end(self) -> None:
        """Close the conversation; the server ends by itself."""
        self._pipe(self._server.stdin).close()
        try:
            self._server.wait(2)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()

    def _say(self, message: dict[str, Any]) -> None:
        line = json.dumps(message).encode() + b"\n"
        self.transcript += line
        pipe = self._pipe(self._server.stdin)
        pipe.write(line)
        pipe.flush()

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe


@click.command(
    "demo",
    help="Play an agent that needs two values. You see what the agent sees, and answer as yourself. Everything happens "
    "in a scratch project that is removed afterwards.",
    epilog="Exit status: 0 answered, and no value was in what the agent saw; 1 not answered; 130 Ctrl-C.",
)
@click.option("--keep", is_flag=True, help="Leave the scratch project, with what was typed, where it is.")
def command(keep: bool) -> int:
    """Play the demo; return 0 when it was answered and no value was in the transcript, 1 else, 130 on Ctrl-C."""
    project = tempfile.mkdtemp(prefix="offprompt-demo-")
    agent = Agent(project)
    try:
        return _play(agent, project)
    except KeyboardInterrupt:
        print("\n\nStopped. The link no longer works.")
        return 130
    finally:
        agent.end()
        if keep:
            print(f"The scratch project is {project}")
        else:
            shutil.rmtree(project, ignore_errors=True)
            print("The scratch project is removed.")


def _play(agent: Agent, project: str) -> int:
    agent.begin()
    _say("1  An agent needs values that only you have. It calls collect_secret with", ASKED)
    result = agent.call("collect_secret", ASKED)
    if result.get("url"):
        _say("2  It gets no value, but a link for you, and what to do:", result)
        print(f"\n   Open this link in your browser:\n\n{result['url']}")
    else:
        print("\n2  The page is open in your browser.")
    print("\n   Waiting for you. Ctrl-C stops the demo.", flush=True)
    while result.get("status") == "awaiting":
        shown, result = result.get("url"), agent.call("await_secret", {"request_id": result["request_id"]})
        if result.get("url", shown) != shown:
            print(f"\n   There is another link now:\n\n{result['url']}", flush=True)
    _say("3  You have answered. This is all the agent gets:", result)
    if result.get("status") != "written":
        print("\n   Nothing was written.")
        return 1
    return _proof(agent, project)


def _proof(agent: Agent, project: str) -> int:
    """Print whether a written value stands in what passed between agent and server; return 0 where none does."""
    with open(os.path.join(project, ".env"), encoding="utf-8") as file:
        values = [one.value for one in statements(file.read()) if one.value and len(one.value) > TELLING]
    found = [value for value in values if value.encode() in agent.transcript]
    size = f"{len(agent.transcript):,}"
    print(
        f"\n4  The agent's transcript has {size} bytes. Of the values in .env that are longer than {TELLING} characters"
    )
    print(f"   ({len(values)} here) it holds {'none.' if not found else 'one, which must not be.'}\n")
    return 1 if found else 0


def _say(heading: str, thing: dict[str, Any]) -> None:
    print(f"\n{heading}\n")
    for name, value in thing.items():
        inner = value if isinstance(value, list) and value and isinstance(value[0], dict) else [value]
        for number, one in enumerate(inner):
            text = json.dumps(one, ensure_ascii=False)
            label = f"{name}: " if number == 0 else " " * (len(name) + 2)
            for line in textwrap.wrap(text, _width() - len(label), break_on_hyphens=False, break_long_words=False):
                print(f"   {label}{line}")
                label = " " * len(label)
    sys.stdout.flush()


def _width() -> int:
    return max(60, min(120, shutil.get_terminal_size().columns)) - 4
