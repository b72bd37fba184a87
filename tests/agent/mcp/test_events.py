"""Who calls, what is called, and what an event shows of it."""

from __future__ import annotations

import pytest

from offprompt.agent.mcp.events import MAX_CLIENT_NAME, Answered, Call, CallCancelled, CallStarted, Client, Remark, Send

CLIENT = Client("2025-06-18", False, {"name": "codex-mcp-client", "title": "Codex"}, {"roots": {}})


def test_what_a_call_does_not_bring_along_is_empty():
    call = Call(1, "await_secret", {}, CLIENT)
    assert (call.progress_token, call.input_responses, call.request_state, call.reported) == (None, {}, None, 0)


def test_the_same_bytes_and_the_same_remark_are_the_same_event():
    assert Send(b"a") == Send(b"a") != Send(b"b")
    assert Remark("a") == Remark("a") != Remark("b")
    assert len({Send(b"a"), Send(b"a"), Remark("a"), Remark("a")}) == 2
    assert Send(b"a") != Remark("a")


def test_an_event_shows_what_it_is_and_neither_arguments_nor_a_link():
    call = Call(7, "collect_secret", {"reason": "PRIVATE"}, CLIENT)
    events = [
        Send(b"http://127.0.0.1/r/PRIVATE"),
        CallStarted(call),
        CallCancelled(call),
        Answered("offprompt-1", {"action": "PRIVATE"}, None),
        Remark("This line is not JSON in UTF-8."),
    ]
    assert [repr(event) for event in events] == [
        "Send(26 bytes)",
        "CallStarted(<Call collect_secret 7>)",
        "CallCancelled(<Call collect_secret 7>)",
        "Answered('offprompt-1', result)",
        "Remark('This line is not JSON in UTF-8.')",
    ]


@pytest.mark.parametrize("name", [None, 5, True, [], {}, ""])
def test_a_name_that_is_none_is_empty(name: object):
    client = Client("2025-06-18", False, {"name": name, "title": name}, {})
    assert client.name == ""


def test_a_name_is_cut():
    assert len(Client("2025-06-18", False, {"name": "x" * 1000}, {}).name) == MAX_CLIENT_NAME
