"""Lines that are no messages, and messages that come in pieces: the conversation goes on."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.agent.mcp.framing import MAX_LINE
from tests.agent.peer import AWAIT, RESULT, Peer, lines, meta

MARKER = "MADE-UP-SECRET-4711"

BAD_LINES = [
    (b"hello", -32700),
    (b"{", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"', -32700),
    (b"\xff\xfe\x00", -32700),
    (b'"\xe9"', -32700),
    (b"[" * 200_000, -32700),
    (b'{"id":' + b"9" * 4301 + b"}", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700),
    (b"5", -32600),
    (b'"ping"', -32600),
    (b"null", -32600),
    (b"true", -32600),
    (b"{}", -32600),
    (b"[]", -32600),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    (b'{"jsonrpc":"2.0","params":{}}', -32600),
    (b'{"jsonrpc":"1.0","method":"ping"}', -32600),
    (b'{"method":"ping"}', -32600),
    (b'{"jsonrpc":2.0,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","method":5}', -32600),
    (b'{"jsonrpc":"2.0","method":null,"id":null}', -32600),
    (b'{"jsonrpc":"2.0","method":["ping"]}', -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","method":"x","params":' + b"[" * 64 + b"]" * 64 + b"}", -32600),
    (b"x" * (MAX_LINE + 1), -32600),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code"), BAD_LINES)
def test_F6_F7_what_is_no_message_is_an_error_after_the_handshake_and_none_before(line: bytes, code: int) -> None:
    peer = Peer()
    assert peer.raw(line + b"\n") == []
    assert len(peer.remarks) == 1
    peer.initialize("2025-06-18")
    (answer,) = peer.raw(line + b"\n")
    assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert len(peer.remarks) == 1
    assert "result" not in answer
    assert "tools" in peer.ask("tools/list"), "and service goes on"


def test_F6_a_modern_client_has_shaken_hands_with_its_first_request() -> None:
    peer = Peer()
    assert peer.raw(b"x\n") == []
    peer.ask("tools/list", {"_meta": meta()})
    assert peer.raw(b"x\n")[0]["error"]["code"] == -32700


def test_F6_a_readable_id_comes_back_with_the_error() -> None:
    peer = Peer()
    peer.initialize()
    for line, id in (
        (b'{"jsonrpc":"2.0","id":"a"}', "a"),
        (b'{"jsonrpc":"2.0","id":7,"method":null}', 7),
        (b'{"id":8,"method":"ping"}', 8),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":' + b"[" * 65 + b"]" * 65 + b"}", 9),
    ):
        (answer,) = peer.raw(line + b"\n")
        assert (answer["id"], answer["error"]["code"]) == (id, -32600)


def test_F6_T7_neither_the_log_nor_an_error_repeats_what_came() -> None:
    peer = Peer()
    marker = MARKER.encode()
    everything = [marker, b'{"' + marker + b'":1}', b'{"jsonrpc":"2.0","id":1,"method":"' + marker + b'"}',
                  b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"' + marker + b'"}}',
                  b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"await_secret","arguments":"'
                  + marker + b'"}}',
                  b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"' + marker + b'"}}',
                  b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":["' + marker + b'"]}}',
                  b'{"jsonrpc":"2.0","id":["' + marker + b'"],"method":"ping"}']  # fmt: skip
    for _ in range(2):
        for line in everything:
            said = peer.raw(line + b"\n")
            assert MARKER not in json.dumps(said)
            assert not any(MARKER in remark for remark in peer.remarks)
        peer.initialize()


def test_F1_blank_lines_are_nothing() -> None:
    peer = Peer()
    peer.initialize()
    assert peer.raw(b"\n\r\n  \n\t\r\n") == []
    assert peer.events == []


def test_a_byte_order_mark_before_the_first_message_is_forgiven() -> None:
    peer = Peer()
    (answer,) = peer.raw(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n')
    assert answer["result"] == {}


def test_P3_a_last_message_may_lack_its_newline() -> None:
    peer = Peer()
    peer.raw(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    peer._take(peer.session.receive_end())
    assert [answer["id"] for answer in peer.said] == [1]
    assert peer.session.receive_end() == []


CONVERSATION = b"".join(
    json.dumps({"jsonrpc": "2.0", **message}).encode() + end
    for message, end in [
        ({"id": "p", "method": "server/discover", "params": {"_meta": meta()}}, b"\n"),
        ({"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}, b"\r\n"),
        ({"method": "notifications/initialized"}, b"\n\n"),
        ({"id": 1, "method": "tools/list", "params": {"x": "é\u2028"}}, b"\n"),
        ({"id": 2, "method": "tools/call", "params": AWAIT}, b"\n"),
        ({"id": 3, "method": "tools/call", "params": {**AWAIT, "_meta": meta(progressToken=1)}}, b"\n"),
        ({"method": "notifications/cancelled", "params": {"requestId": 2}}, b"\n"),
        ({"id": 4, "method": "nope"}, b"\n"),
    ]
)


def played(pieces: list[bytes]) -> tuple[list[object], list[str]]:
    """What came back and what happened when the conversation arrives in these pieces."""
    peer = Peer()
    said: list[object] = []
    happened: list[str] = []
    for piece in pieces:
        said += peer.raw(piece)
        happened += [type(event).__name__ for event in peer.events]
    (open_call,) = peer.session.calls
    return said + lines(peer.session.answer(open_call, RESULT)), happened


def test_F1_a_conversation_is_the_same_cut_at_every_byte() -> None:
    whole = played([CONVERSATION])
    assert whole[1] == ["CallStarted", "CallStarted", "CallCancelled"]
    assert len(whole[0]) == 5
    assert played([bytes([byte]) for byte in CONVERSATION]) == whole
    for cut in range(0, len(CONVERSATION), 7):
        assert played([CONVERSATION[:cut], CONVERSATION[cut:]]) == whole


@given(st.lists(st.integers(0, len(CONVERSATION)), max_size=8))
def test_F1_or_anywhere_else(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(CONVERSATION)]
    assert played([CONVERSATION[a:b] for a, b in pairwise(edges)]) == played([CONVERSATION])


@given(st.binary(max_size=200))
def test_F6_no_bytes_break_a_conversation(noise: bytes) -> None:
    peer = Peer()
    peer.initialize("2025-03-26")
    peer.raw(noise + b"\n")
    assert "tools" in peer.ask("tools/list")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
METHODS = ["initialize", "ping", "tools/list", "tools/call", "server/discover", "subscriptions/listen",
           "notifications/cancelled", "notifications/initialized", "x"]  # fmt: skip
FIELDS = ["_meta", "protocolVersion", "capabilities", "clientInfo", "name", "arguments", "cursor", "requestId",
          "notifications", "inputResponses", "requestState"]  # fmt: skip
wild = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2])},
    optional={
        "id": st.integers(0, 2) | json_values,
        "method": st.sampled_from(METHODS) | json_values,
        "params": json_values | st.dictionaries(st.sampled_from(FIELDS), json_values | st.just(meta()), max_size=5),
        "result": json_values,
        "error": json_values,
    },
)


@given(st.lists(wild | st.lists(wild, max_size=4), max_size=12))
def test_F6_no_message_breaks_a_conversation_and_every_answer_fits_the_schema(messages: list[object]) -> None:
    peer = Peer()
    peer.initialize("2025-03-26")
    for message in messages:
        try:
            line = json.dumps(message, allow_nan=False).encode()
        except ValueError:
            continue
        peer.session.receive(line + b"\n")
    peer.session.close()
    assert peer.session.calls == ()
