"""The forms of JSON-RPC."""

from __future__ import annotations

import json

import pytest

from offprompt.agent.mcp.events import Batch
from offprompt.agent.mcp.rpc import MAX_ID, Invalid, an_object, error_of, is_id, notification, request, result_of


@pytest.mark.parametrize("id", [0, -1, 2**80, "", "a", "é", "a" * MAX_ID])
def test_H7_strings_and_integers_are_ids(id: object):
    assert is_id(id)


@pytest.mark.parametrize("id", [None, True, False, 0.0, 1.5, [], {}, "a" * (MAX_ID + 1), b"a"])
def test_H7_nothing_else_is(id: object):
    assert not is_id(id)


def test_an_object_may_be_missing_but_is_nothing_else():
    assert an_object(None, "params") == {}
    assert an_object({"a": 1}, "params") == {"a": 1}
    for wrong in ([], "", 0, False, 1.5):
        with pytest.raises(Invalid, match="params is an object"):
            an_object(wrong, "params")


def test_an_answer_leaves_alone_or_with_its_batch():
    assert json.loads(result_of("1", {"a": 1})) == {"jsonrpc": "2.0", "id": "1", "result": {"a": 1}}
    batch = Batch()
    batch.open = 1
    assert result_of(1, {}, batch) == b""
    batch.open = 0
    answers = json.loads(error_of(2, Invalid(-32601, "No."), batch))
    assert [answer["id"] for answer in answers] == [1, 2]


def test_an_error_says_what_belongs_to_it():
    assert json.loads(error_of(None, Invalid(-32700, "No."))) == {
        "jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "No."},
    }  # fmt: skip
    assert json.loads(error_of(0, Invalid(-32022, "No.", {"supported": []})))["error"]["data"] == {"supported": []}


def test_our_own_messages():
    assert json.loads(notification("n", {"a": 1})) == {"jsonrpc": "2.0", "method": "n", "params": {"a": 1}}
    assert json.loads(request("x-1", "roots/list", None)) == {"jsonrpc": "2.0", "id": "x-1", "method": "roots/list"}
    assert json.loads(request("x-1", "m", {}))["params"] == {}
