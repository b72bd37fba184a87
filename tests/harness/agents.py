"""Real agents, led by the scripted model, talking to an MCP server; from a shell:

python -m tests.harness.agents claude|codex|gemini|opencode [--step 'TOOL {"arg": 1}']... -- SERVER [ARGS...]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.model_formats import Body
from tests.harness.private_network import in_private_network
from tests.harness.programs import BIN, plain_environ
from tests.harness.scripted_model import Model, Script

HERE = Path(__file__).resolve().parent
LABEL = "offprompt"
"""The server's name in the agents' configurations."""

KEY = "sk-ant-scripted-model-only"
"""What the agents believe to be their key for the model."""

HOME, PROJECT = "home", "project"
"""The agent's folders, in the conversation's own."""
TRACE, MODEL, OUTPUT = "mcp.jsonl", "model.jsonl", "output.txt"
"""The tee's records, what the model got, and what the agent printed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an agent is started in: its `home` and `project`, the `model`'s address and the `server` behind the tee.

    Without a `prompt` it is started on a screen, where somebody types one.
    """

    home: Path
    project: Path
    model: str
    server: Sequence[str]
    server_environ: Mapping[str, str]
    prompt: str


@dataclass(frozen=True, slots=True)
class Start:
    """An agent's command line and what its environment holds beside the ordinary."""

    argv: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a conversation; all of it lies in `folder` until the test's own folder goes.

    `returncode` is None when the agent had to be stopped; `text` is all it printed; `traffic` the tee's records, none
    where it did not stand between; `home` and `project` are the agent's folders; `model_log` holds what its model got.
    """

    returncode: int | None
    text: str
    traffic: list[Body]
    folder: Path
    home: Path
    project: Path
    model_log: Path

    def results(self) -> list[Body]:
        """The results of the tool calls, in the order they were given; without those that ask the client something."""
        calls = {r["msg"].get("id") for r in self.traffic if r["ev"] == "c2s" and method_of(r) == "tools/call"}
        answers = [r["msg"] for r in self.traffic if r["ev"] == "s2c" and isinstance(r.get("msg"), dict)]
        results = [answer["result"] for answer in answers if answer.get("id") in calls and "result" in answer]
        return [result for result in results if result.get("resultType") != "input_required"]

    def events(self, kind: str) -> list[Body]:
        """The tee's records of one kind, such as "exit"."""
        return [record for record in self.traffic if record["ev"] == kind]

    def model_requests(self) -> list[Body]:
        """What the agent sent to its model, request by request."""
        lines = [json.loads(line) for line in self.model_log.read_text(encoding="utf-8").splitlines()]
        return [line["body"] for line in lines if "body" in line]


def method_of(record: Body) -> object:
    """The method of the message in one of the tee's records; None where there is none."""
    message = record.get("msg")
    return message.get("method") if isinstance(message, dict) else None


def records(trace: Path) -> list[Body]:
    """The tee's records so far: a line that is being written is left for later."""
    whole, _, _ = trace.read_text(encoding="utf-8").rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]


def claude(setting: Setting) -> Start:
    """Claude Code, in print mode where there is a prompt."""
    servers = {LABEL: {"command": setting.server[0], "args": setting.server[1:], "env": dict(setting.server_environ)}}
    config = _write(setting.home / "mcp.json", json.dumps({"mcpServers": servers}))
    flags = ["--strict-mcp-config", "--allowedTools", f"mcp__{LABEL}", "--model", "scripted"]
    environ = {
        "ANTHROPIC_BASE_URL": setting.model,
        "ANTHROPIC_API_KEY": KEY,
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CONFIG_DIR": str(setting.home / ".claude"),
    }
    _write(setting.home / ".claude" / ".claude.json", json.dumps(_seen_before(setting.project)))
    prompt = ["-p", setting.prompt] if setting.prompt else []
    return Start([str(BIN / "claude"), *prompt, "--mcp-config", str(config), *flags], environ)


def _seen_before(project: Path) -> Body:
    """What Claude Code remembers of a person who has used it in this project before: it asks nothing at the start."""
    seen = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True, "allowedTools": []}
    return {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": "9.9.9",
        "theme": "dark",
        "numStartups": 5,
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(project): seen},
    }


def codex(setting: Setting) -> Start:
    """Codex CLI.

    Approval never and the sandbox its users know: only tools whose annotations allow it run (docs/protocol.md, T3). On
    a screen the person can be asked.
    """
    quoted = json.dumps  # a JSON string is a TOML string
    environ = "".join(f"{name} = {quoted(value)}\n" for name, value in setting.server_environ.items())
    _write(
        setting.home / ".codex" / "config.toml",
        f"""model = "scripted"
model_provider = "scripted"
approval_policy = {quoted("never" if setting.prompt else "on-request")}
sandbox_mode = "workspace-write"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = {quoted(setting.model + "/v1")}
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[projects.{quoted(str(setting.project))}]
trust_level = "trusted"
[mcp_servers.{LABEL}]
command = {quoted(setting.server[0])}
args = {quoted(list(setting.server[1:]))}
[mcp_servers.{LABEL}.env]
{environ}""",
    )
    once = ["exec", "--skip-git-repo-check", "-C", str(setting.project), setting.prompt]
    argv = [str(BIN / "codex"), *(once if setting.prompt else ["-C", str(setting.project)])]
    return Start(argv, {"CODEX_HOME": str(setting.home / ".codex"), "SCRIPTED_KEY": KEY})


def gemini(setting: Setting) -> Start:
    """Gemini CLI, not interactive."""
    server = {"command": setting.server[0], "args": setting.server[1:], "env": dict(setting.server_environ)}
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"disableAutoUpdate": True, "enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "mcpServers": {LABEL: {**server, "trust": True}},
    }
    _write(setting.home / ".gemini" / "settings.json", json.dumps(settings))
    environ = {
        "GOOGLE_GEMINI_BASE_URL": setting.model,
        "GEMINI_API_KEY": KEY,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }
    return Start([str(BIN / "gemini"), "-m", "gemini-2.5-flash", "-y", "-p", setting.prompt], environ)


def opencode(setting: Setting) -> Start:
    """OpenCode, not interactive."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": f"{setting.model}/v1", "apiKey": KEY},
        "models": {"scripted": {"name": "scripted", "tool_call": True}},
    }
    environ = dict(setting.server_environ)
    server = {"type": "local", "command": list(setting.server), "environment": environ, "enabled": True}
    settings = {
        "model": "scripted/scripted",
        "autoupdate": False,
        "share": "disabled",
        "provider": {"scripted": provider},
        "mcp": {LABEL: server},
    }
    _write(setting.project / "opencode.json", json.dumps(settings))
    off = ("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_LSP_DOWNLOAD", "OPENCODE_DISABLE_MODELS_FETCH")
    return Start([str(BIN / "opencode"), "run", setting.prompt], dict.fromkeys(off, "1"))


AGENTS: Mapping[str, Callable[[Setting], Start]] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "opencode": opencode,
}


def play(
    agent: str,
    server: Sequence[str],
    steps: Sequence[Body],
    folder: Path,
    *,
    final: str = "FINAL<{last}>",
    prompt: str = "Please call the tool.",
    environ: Mapping[str, str] | None = None,
    server_environ: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
    meanwhile: Callable[[Path], object] | None = None,
    tee: bool = True,
    timeout: float = 120,
) -> Played:
    """One conversation of `agent` with `server`, in `folder` (empty, or not there).

    `environ` and `server_environ` are added to what the agent and, by its configuration, the server get. The project is
    a git repository that holds `files`. `meanwhile` is called with the tee's file once the agent runs, in the same
    private network: it may play the person. Without the `tee` the server is the agent's own child. `timeout` is in
    seconds; an agent that takes longer is killed.
    """
    trace = prepare(folder, files or {})
    started = behind_tee(server, trace) if tee else server

    def converse() -> int | None:
        with Model(Script(LABEL, list(steps), final), folder / MODEL) as model:
            setting = Setting(folder / HOME, folder / PROJECT, model.url, started, server_environ or {}, prompt)
            start = AGENTS[agent](setting)
            everything = {**plain_environ(setting.home), **start.environ, **(environ or {})}
            return _run(start.argv, folder, everything, timeout, lambda: meanwhile and meanwhile(trace))

    returncode = in_private_network(converse)
    return played(folder, returncode, (folder / OUTPUT).read_text(encoding="utf-8", errors="replace"))


def prepare(folder: Path, files: Mapping[str, str]) -> Path:
    """Makes the folders of a conversation, and the tee's file."""
    (folder / PROJECT).mkdir(parents=True)
    (folder / HOME).mkdir()
    subprocess.run(["git", "init", "-q", folder / PROJECT], check=True)
    for name, text in files.items():
        _write(folder / PROJECT / name, text)
    return _write(folder / TRACE, "")


def behind_tee(server: Sequence[str], trace: Path) -> list[str]:
    """The command of a server whose traffic is written to `trace`."""
    return [sys.executable, str(HERE / "tee.py"), str(trace), *server]


def played(folder: Path, returncode: int | None, text: str) -> Played:
    """What came of the conversation in `folder`."""
    traffic = records(folder / TRACE)
    return Played(returncode, text, traffic, folder, folder / HOME, folder / PROJECT, folder / MODEL)


def _run(
    argv: Sequence[str], folder: Path, environ: Mapping[str, str], timeout: float, meanwhile: Callable[[], object]
) -> int | None:
    with (folder / OUTPUT).open("wb") as output:
        agent = subprocess.Popen(
            argv,
            cwd=folder / PROJECT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        deadline = time.monotonic() + timeout
        try:
            meanwhile()
            return agent.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None
        finally:
            if agent.poll() is None:
                os.killpg(agent.pid, signal.SIGKILL)
                agent.wait()


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def main() -> int:
    """One conversation from the shell; its files stay where the last line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.harness.agents")
    parser.add_argument("agent", choices=AGENTS)
    parser.add_argument("--step", action="append", default=[], help='TOOL {"argument": …}; may be repeated')
    parser.add_argument("server", nargs="+")
    given = parser.parse_args()
    words = [step.partition(" ") for step in given.step]
    steps = [{"tool": tool, "args": json.loads(arguments or "{}")} for tool, _, arguments in words]
    folder = Path(tempfile.mkdtemp(prefix="harness-"))
    played = play(given.agent, given.server, steps, folder)
    print(played.text)
    print(f"exit {played.returncode}; traffic, model and home in {folder}")
    return 0 if played.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
