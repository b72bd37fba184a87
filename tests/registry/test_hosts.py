"""The name a page shows for the program behind the agent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.registry.hosts import MAX_HOST_NAME, UNNAMED, host_name
from offprompt.registry.tables import built


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("claude-code", "Claude Code"),
        ("  Claude-Code ", "Claude Code"),
        ("claude-ai", "Claude"),
        ("codex-mcp-client", "Codex"),
        ("cursor-vscode (via mcp-remote 0.1.37)", "Cursor"),
        ("gemini-cli-mcp-client-offprompt", "Gemini CLI"),
        ("Visual Studio Code - Insiders", "Visual Studio Code"),
        ("pi-mcp-offprompt", "Pi"),
        ("mcp", "a Python program"),
    ],
)
def test_known_programs_have_their_names(said: str, shown: str) -> None:
    assert host_name(said) == shown


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("claude-code", "Claude Code"),
        ("codex-mcp-client", "Codex"),
        ("gemini-cli-mcp-client", "Gemini CLI"),
        ("qwen-cli-mcp-client-offprompt", "Qwen Code"),
        ("qwen-cli-mcp-client-a server of mine", "Qwen Code"),
        ("opencode", "OpenCode"),
        ("inspector-cli", "MCP Inspector"),
        ("mcp", "a Python program"),
        ("fastmcp", "a Python program"),
    ],
)
def test_names_seen_on_the_wire_are_known(said: str, shown: str) -> None:
    """What these programs sent when they were run: Claude Code 2.1, Codex 0.171, Gemini CLI 0.61, Qwen Code 0.15, …"""
    assert host_name(said) == shown


@pytest.mark.parametrize("said", ["claude-something", "zedx", "mcp-server"])
def test_an_exact_name_does_not_answer_for_longer_ones(said: str) -> None:
    assert host_name(said) == said


@pytest.mark.parametrize("said", ["", "   ", "\0\x1b\n", "\u202e", " (via mcp-remote 1.0)"])
def test_a_program_without_a_name_is_an_agent(said: str) -> None:
    assert host_name(said) == UNNAMED


def test_an_unknown_name_is_shown_without_what_could_turn_the_line_around_and_cut() -> None:
    assert host_name("Evil\u202e\x1b[31m\nAgent") == "Evil[31mAgent"
    assert host_name("n" * 1000) == "n" * MAX_HOST_NAME


@given(st.text())
def test_any_name_gives_a_short_line_that_can_be_shown(said: str) -> None:
    shown = host_name(said)
    assert 0 < len(shown) <= MAX_HOST_NAME
    assert shown == shown.strip()
    assert shown.isprintable() or " " in shown
    shown.encode()  # no lone surrogate


def test_every_name_in_the_data_is_found() -> None:
    for table in (built()["hosts_exact"], built()["hosts_prefix"]):
        for match, name in table.items():
            assert host_name(match.upper()) == name
