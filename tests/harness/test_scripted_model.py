"""The harness keeps its own word: the script leads, the network is private."""

from __future__ import annotations

import json
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.harness.model_formats import Decision, Request
from tests.harness.private_network import available, in_private_network
from tests.harness.scripted_model import Model, Script

SCRIPT = Script(
    "offprompt",
    [{"tool": "collect_secret", "args": {"reason": "x"}}, {"tool": "await_secret", "args": {"id": "{prev:id=(\\w+)}"}}],
    "END {last}",
)
OFFERED = {"mcp__offprompt__collect_secret": {}, "mcp__offprompt__await_secret": {}}


def test_the_number_of_results_says_which_step_is_next() -> None:
    assert SCRIPT.decide(Request(OFFERED, [])) == Decision((("mcp__offprompt__collect_secret", {"reason": "x"}),))
    second = SCRIPT.decide(Request(OFFERED, ["id=r7 and more"]))
    assert second == Decision((("mcp__offprompt__await_secret", {"id": "r7"}),))
    assert SCRIPT.decide(Request(OFFERED, ["id=r7", "written"])) == Decision(text="END written")


def test_a_request_without_the_wanted_tool_gets_a_short_text_and_a_deferred_tool_is_loaded_first() -> None:
    assert SCRIPT.decide(Request({}, [])) == Decision(text="ok")
    loading = SCRIPT.decide(Request({"ToolSearch": {}}, []))
    assert loading == Decision((("ToolSearch", {"query": "select:mcp__offprompt__collect_secret"}),))
    assert "could not be loaded" in SCRIPT.decide(Request({"ToolSearch": {}}, [], loaded=True)).text


PATHS = ["/v1/messages", "/v1/responses", "/v1/chat/completions", "/v1beta/models/m:generateContent"]


@pytest.mark.parametrize("path", PATHS)
def test_every_format_says_the_last_text(path: str, tmp_path: Path) -> None:
    with Model(Script("offprompt", [], "THE END"), tmp_path / "model.jsonl") as model:
        request = urllib.request.Request(model.url + path, data=json.dumps({"model": "m"}).encode(), method="POST")
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert "THE END" in answer.read().decode()


@pytest.mark.skipif(not available(), reason="a network namespace takes root on Linux")
def test_in_the_private_network_there_is_loopback_and_nothing_else() -> None:
    def names() -> list[str]:
        with socket.create_server(("127.0.0.1", 0)) as listening, socket.create_connection(listening.getsockname()):
            return [name for _, name in socket.if_nameindex()]

    before = socket.if_nameindex()
    assert in_private_network(names) == ["lo"]
    assert socket.if_nameindex() == before
