"""Who calls, as far as it says so."""

from __future__ import annotations

import pytest

from offprompt.agent.mcp.events import MAX_CLIENT_NAME, Call, Client


def test_a_call_speaks_for_its_client():
    client = Client("2025-06-18", False, {"name": "codex-mcp-client", "title": "Codex"}, {"roots": {}})
    call = Call(1, "await_secret", {}, client)
    assert (call.client_name, call.version, call.modern, call.capabilities) == (
        "codex-mcp-client", "2025-06-18", False, {"roots": {}},
    )  # fmt: skip
    assert (call.progress_token, call.input_responses, call.request_state, call.reported) == (None, {}, None, 0)


@pytest.mark.parametrize("name", [None, 5, True, [], {}, ""])
def test_a_name_that_is_none_is_empty(name: object):
    client = Client("2025-06-18", False, {"name": name, "title": name}, {})
    assert client.name == ""


def test_a_name_is_cut():
    assert len(Client("2025-06-18", False, {"name": "x" * 1000}, {}).name) == MAX_CLIENT_NAME
