"""What real agents make of the three tools: which they offer, which they run unasked, what they let their model see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agents.conftest import REMOTE, SERVER, needs
from tests.agents.watching import assert_gone, statuses
from tests.harness.agents import KEY, LABEL, play
from tests.harness.evidence import files_with

pytestmark = pytest.mark.agents

REQUEST = {"request_id": r"{prev:request_id\W+(\w+)}"}
COLLECT: dict[str, Any] = {"tool": "collect_secret", "args": {"secrets": [{"name": "WAREHOUSE_PHRASE"}]}}
AWAIT: dict[str, Any] = {"tool": "await_secret", "args": {**REQUEST, "wait_seconds": 0}}
CANCEL: dict[str, Any] = {"tool": "cancel_secret", "args": REQUEST}


def test_T3_all_three_tools_run_unasked_and_a_withdrawn_request_stays_withdrawn(agent: str, tmp_path: Path) -> None:
    """Codex runs with the sandbox workspace-write and approval never: it refuses tools without the annotations."""
    played = play(agent, SERVER, [COLLECT, AWAIT, CANCEL, AWAIT], tmp_path / agent, server_environ=REMOTE)
    assert played.returncode == 0, played.text
    assert statuses(played) == ["awaiting", "awaiting", "cancelled", "cancelled"]
    assert "The request is withdrawn" in played.text
    assert not (played.project / ".env").exists()
    assert_gone(played)


def test_T4_collect_and_await_are_in_the_first_request_that_claude_makes_of_its_model(tmp_path: Path) -> None:
    """Claude Code defers the tools of servers: cancel_secret, which does not ask to be shown, is a mere name."""
    needs("claude")
    played = play("claude", SERVER, [COLLECT], tmp_path / "claude", server_environ=REMOTE)
    first = next(request for request in played.model_requests() if request.get("tools"))
    offered = {tool["name"]: tool for tool in first["tools"] if tool.get("name", "").startswith(f"mcp__{LABEL}__")}
    assert set(offered) == {f"mcp__{LABEL}__collect_secret", f"mcp__{LABEL}__await_secret"}
    assert "secrets" in offered[f"mcp__{LABEL}__collect_secret"]["input_schema"]["properties"]
    assert f"mcp__{LABEL}__cancel_secret" in json.dumps(first["messages"]) + json.dumps(first["system"])
    assert "Never ask for such a value in the chat" in json.dumps(first)  # the server's instructions


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode"])
def test_T5_the_link_and_the_next_step_are_in_what_the_model_sees(agent: str, tmp_path: Path) -> None:
    """Claude Code and Codex hand their model `structuredContent`, the others `content`; both say the same."""
    needs(agent)
    final = r'Please open {last:"url":\s*"([^"]+)"} now. {last:"note":\s*"([^"]+)"}'
    played = play(agent, SERVER, [COLLECT], tmp_path / agent, final=final, server_environ=REMOTE)
    assert played.returncode == 0, played.text
    (result,) = played.results()
    told = result["structuredContent"]
    assert f"Please open {told['url']} now. {told['note']}" in played.text
    assert told["url"] in result["content"][0]["text"]


def test_codex_puts_the_answer_into_the_workspace_it_was_started_in(tmp_path: Path) -> None:
    """It names no roots; what counts is the folder that it starts its servers in."""
    needs("codex")
    made = {"tool": "collect_secret", "args": {"secrets": [{"name": "AUTH_SECRET", "generate": {}}]}}
    played = play("codex", SERVER, [made], tmp_path / "codex", server_environ=REMOTE)
    assert statuses(played) == ["written"]
    (names,) = (record["env"] for record in played.events("spawn"))
    assert set(names) - set(REMOTE) <= {"HOME", "LANG", "PATH", "SHELL", "TERM", "USER"}
    value = (played.project / ".env").read_text().partition("=")[2].strip("'\"\n")
    assert len(value) == 43
    assert files_with(played.folder, value) == {"project/.env"}


@pytest.mark.parametrize(("display", "minutes"), [(":9", 10), ("", 30)])
def test_whether_codex_has_a_display_is_asked_of_codex(display: str, minutes: int, tmp_path: Path) -> None:
    """It hands its servers six variables, none of which tells: its own environment does, and a link lasts longer
    where the person is elsewhere."""
    needs("codex")
    final = r"EXPIRES<{last:expires_in\W+(\d+)}>"
    environ = {"DISPLAY": display}
    off = {"OFFPROMPT_TUNNEL": "off"}
    played = play(
        "codex", SERVER, [COLLECT], tmp_path / "codex", final=final, environ=environ, server_environ=off, tee=False
    )
    assert played.returncode == 0, played.text
    seconds = int(played.text.rpartition("EXPIRES<")[2].partition(">")[0])
    assert minutes * 60 - 30 < seconds <= minutes * 60


def test_P5_the_key_that_claude_hands_to_its_servers_goes_no_further(tmp_path: Path) -> None:
    """Claude Code gives a server all of its environment, its own key with the model too."""
    needs("claude")
    folder = tmp_path / "claude"
    log = folder / "offprompt.log"
    played = play("claude", SERVER, [COLLECT, AWAIT], folder, server_environ={**REMOTE, "OFFPROMPT_LOG": str(log)})
    (names,) = (record["env"] for record in played.events("spawn"))
    assert "ANTHROPIC_API_KEY" in names
    assert log.exists()
    assert not {"mcp.jsonl", "offprompt.log", "output.txt", "model.jsonl"} & files_with(folder, KEY)
