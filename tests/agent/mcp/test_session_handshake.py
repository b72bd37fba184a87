"""How a conversation begins, in both eras, and what each version gets."""

from __future__ import annotations

import json

import pytest

from offprompt.agent.mcp.schema import NAMES
from offprompt.agent.mcp.session import MAX_SUBSCRIPTIONS
from tests.agent.peer import AWAIT, COLLECT, PREFIX, RESULT, URL, Peer, lines, meta
from tests.agent.schemas import LEGACY, MODERN

SUPPORTED = [MODERN, *reversed(LEGACY)]


@pytest.mark.parametrize("version", LEGACY)
def test_H1_each_legacy_version_is_spoken(peer: Peer, version: str) -> None:
    result = peer.initialize(version)
    assert result["protocolVersion"] == version
    assert result["capabilities"] == {"tools": {}}
    assert result["serverInfo"]["name"] == "offprompt"
    assert "resultType" not in result
    assert len(peer.ask("tools/list")["tools"]) == 3


@pytest.mark.parametrize("asked", [MODERN, "2099-01-01", "", "latest", "2025-11-25 "])
def test_H1_any_other_version_is_answered_with_our_newest_legacy_one(peer: Peer, asked: str) -> None:
    assert peer.initialize(asked)["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize(
    "params",
    [
        None, {}, [], "x", 1, {"protocolVersion": None}, {"protocolVersion": 20251125}, {"protocolVersion": ["2025"]},
        {"protocolVersion": "2025-11-25", "capabilities": []}, {"protocolVersion": "2025-11-25", "clientInfo": "codex"},
        {"protocolVersion": "2025-11-25", "_meta": 1},
    ],
)  # fmt: skip
def test_H1_initialize_without_whole_parameters_is_an_error(peer: Peer, params: object) -> None:
    assert peer.ask("initialize", params)["code"] == -32602
    assert peer.ask("tools/list")["code"] == -32602, "and no session has begun"


def test_H1_initialize_needs_no_more_than_a_version(peer: Peer) -> None:
    assert peer.ask("initialize", {"protocolVersion": "2025-06-18"})["protocolVersion"] == "2025-06-18"
    assert peer.session.client is not None
    assert (peer.session.client.name, peer.session.client.capabilities) == ("", {})


def test_H2_discover_works_first_later_and_again(peer: Peer) -> None:
    first = peer.ask("server/discover", {"_meta": meta()}, id="server-discover-probe-1")
    assert first["resultType"] == "complete"
    assert first["supportedVersions"] == SUPPORTED
    assert first["capabilities"] == {"tools": {}}
    assert first["instructions"]
    assert first["ttlMs"] >= 0
    assert first["cacheScope"] == "public"
    assert first["_meta"][PREFIX + "serverInfo"]["name"] == "offprompt"
    assert peer.ask("server/discover", {"_meta": meta()}) == first
    assert peer.initialize("2025-06-18")["protocolVersion"] == "2025-06-18", "it has created no state"
    assert peer.ask("server/discover", {"_meta": meta()}) == first


def test_H3_a_version_that_no_single_request_can_be_spoken_in_is_refused_with_those_that_can(peer: Peer) -> None:
    for requested in ("2027-01-01", "1900-01-01", "", *LEGACY):
        error = peer.ask("tools/list", {"_meta": {**meta(), PREFIX + "protocolVersion": requested}})
        assert error["code"] == -32022
        assert error["data"] == {"supported": [MODERN], "requested": requested}
        assert ("initialize" in error["message"]) is (requested in LEGACY)


def test_H3_an_endless_version_is_not_sent_back_whole(peer: Peer) -> None:
    error = peer.ask("tools/list", {"_meta": {**meta(), PREFIX + "protocolVersion": "9" * 100_000}})
    assert error["code"] == -32022
    assert len(error["data"]["requested"]) < 100


@pytest.mark.parametrize("version", [None, 1, [], {}])
def test_H3_a_version_that_is_no_string_is_malformed(peer: Peer, version: object) -> None:
    assert peer.ask("tools/list", {"_meta": {**meta(), PREFIX + "protocolVersion": version}})["code"] == -32602


@pytest.mark.parametrize("capabilities", [None, [], "x", True])
def test_H3_a_modern_request_says_what_the_client_can_do(peer: Peer, capabilities: object) -> None:
    without = {PREFIX + "protocolVersion": MODERN}
    assert peer.ask("tools/list", {"_meta": without})["code"] == -32602
    assert peer.ask("tools/list", {"_meta": {**without, PREFIX + "clientCapabilities": capabilities}})["code"] == -32602


@pytest.mark.parametrize("info", [None, {}, "codex", 1, {"name": 7, "title": []}])
def test_H3_it_need_not_say_who_it_is(peer: Peer, info: object) -> None:
    call = peer.call(modern=True, **{PREFIX + "clientInfo": info})
    assert call.client.name == ""


@pytest.mark.parametrize("method", ["tools/list", "tools/call", "server/discover", "subscriptions/listen"])
def test_H3_nothing_is_served_before_a_version_is_known_and_the_error_says_how(peer: Peer, method: str) -> None:
    for params in (None, {}, COLLECT, {"_meta": {"progressToken": 1}}):
        error = peer.ask(method, params)
        assert error["code"] == -32602
        assert "initialize" in error["message"]
        assert PREFIX + "protocolVersion" in error["message"]
    assert peer.events == []
    peer.initialize()
    assert "tools" in peer.ask("tools/list"), "and the process goes on"


def test_H4_each_request_gets_the_form_of_its_own_era(peer: Peer) -> None:
    peer.initialize("2025-06-18")
    for _ in range(2):
        assert "resultType" not in peer.ask("tools/list")
        modern = peer.ask("tools/list", {"_meta": meta()})
        assert modern["resultType"] == "complete"
        assert modern["cacheScope"] == "public"
        assert modern["_meta"][PREFIX + "serverInfo"]
    old, new = peer.call(AWAIT), peer.call(AWAIT, modern=True)
    (answer,) = peer.heard(peer.session.answer(new, RESULT))
    assert answer["result"]["resultType"] == "complete"
    (answer,) = peer.heard(peer.session.answer(old, RESULT))
    assert answer["result"] == RESULT


def test_H4_what_a_result_says_in_its_meta_stays_there(peer: Peer) -> None:
    call = peer.call(modern=True)
    (answer,) = peer.heard(peer.session.answer(call, {**RESULT, "_meta": {"x": 1}}))
    assert answer["result"]["_meta"]["x"] == 1
    assert answer["result"]["_meta"][PREFIX + "serverInfo"]


def test_H5_initialized_need_not_be_said_to_be_served(peer: Peer) -> None:
    peer.initialize(ready=False)
    assert len(peer.ask("tools/list")["tools"]) == 3
    assert peer.call().tool == "collect_secret"


def test_H5_a_second_initialize_begins_anew(peer: Peer) -> None:
    peer.initialize("2024-11-05", URL)
    assert peer.session.initialized
    assert peer.initialize("2025-11-25", ready=False)["protocolVersion"] == "2025-11-25"
    assert not peer.session.initialized
    assert not peer.session.may_list_roots(peer.call())


def test_H6_ping_is_answered_at_once_in_the_legacy_era_alone(peer: Peer) -> None:
    assert peer.ask("ping") == {}
    peer.initialize()
    peer.call()
    assert peer.ask("ping", {}) == {}
    assert peer.ask("ping", {"_meta": meta()})["code"] == -32601


@pytest.mark.parametrize(
    "method",
    ["x/unknown", "", "resources/list", "prompts/list", "logging/setLevel", "completion/complete", "tools", "é"],
)
def test_H7_an_unknown_request_is_an_error_in_both_eras(peer: Peer, method: str) -> None:
    assert peer.ask(method)["code"] == -32601
    assert peer.ask(method, {"_meta": meta()})["code"] == -32601
    peer.initialize()
    assert peer.ask(method, {})["code"] == -32601
    assert peer.ask("server/discover")["code"] == -32601, "which the legacy era does not have"


@pytest.mark.parametrize("id", [0, -1, 1, "", "é", "1", "0", 2**53, -(2**70), "a" * 4300, "\u2028", '"\\\n'])
def test_H7_an_id_comes_back_as_it_came(peer: Peer, id: object) -> None:
    (answer,) = peer.request("x/unknown", id=id)
    assert answer["id"] == id
    assert type(answer["id"]) is type(id)


@pytest.mark.parametrize("id", [None, True, False, 1.0, 1.5, [], [1], {}, {"a": 1}, "a" * 4301])
def test_H7_anything_else_is_no_id(peer: Peer, id: object) -> None:
    message = {"jsonrpc": "2.0", "id": id, "method": "tools/list"}
    assert peer.say(message) == [], "before the handshake an error without id would drop Codex"
    assert len(peer.remarks) == 1
    peer.initialize()
    (answer,) = peer.say(message)
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


def test_H9_a_legacy_client_is_asked_only_what_it_can_and_when_it_is_ready(peer: Peer) -> None:
    peer.initialize("2025-11-25", URL, ready=False)
    call = peer.call()
    assert not peer.session.may_list_roots(call)
    assert not peer.session.may_elicit(call)
    with pytest.raises(RuntimeError):
        peer.session.ask("roots/list")
    peer.notify("notifications/initialized")
    assert peer.session.may_list_roots(call)
    assert peer.session.may_elicit(call)
    asked, data = peer.session.ask("roots/list")
    assert peer.heard(data) == [{"jsonrpc": "2.0", "id": asked, "method": "roots/list"}]


@pytest.mark.parametrize("capabilities", [{}, {"roots": None}, {"roots": True}, {"elicitation": {}}])
def test_H9_what_it_does_not_offer_it_is_not_asked(peer: Peer, capabilities: object) -> None:
    peer.initialize(capabilities=capabilities)
    call = peer.call()
    assert not peer.session.may_list_roots(call)
    assert not peer.session.may_elicit(call)


def test_H9_nobody_who_speaks_no_version_is_ever_asked(peer: Peer) -> None:
    peer.notify("notifications/initialized")
    assert not peer.session.initialized
    call = peer.call(modern=True)
    assert peer.session.may_elicit(call), "but by an input_required result"
    with pytest.raises(RuntimeError):
        peer.session.ask("roots/list")


@pytest.mark.parametrize(
    ("version", "elicitation", "may"),
    [
        ("2025-11-25", {"url": {}}, True),
        ("2025-06-18", {"form": {}, "url": {}}, True),  # Codex
        ("2025-03-26", {"url": {}}, False),
        ("2025-11-25", {}, False),
        ("2025-11-25", {"form": {}}, False),
        ("2025-11-25", {"url": None}, False),
        ("2025-11-25", {"url": True}, False),
        ("2025-11-25", None, False),
    ],
)
def test_E1_a_link_is_shown_only_by_a_client_that_says_it_can(
    peer: Peer, version: str, elicitation: object, may: bool
) -> None:
    peer.initialize(version, {"elicitation": elicitation})
    assert peer.session.may_elicit(peer.call()) is may


def test_H10_a_subscription_is_acknowledged_empty_and_completed_at_the_end(peer: Peer) -> None:
    filter = {"toolsListChanged": True, "resourceSubscriptions": ["file:///x"]}
    (acknowledged,) = peer.request("subscriptions/listen", {"_meta": meta(), "notifications": filter}, id="listen-1")
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged["params"] == {"_meta": {PREFIX + "subscriptionId": "listen-1"}, "notifications": {}}
    assert "tools" in peer.ask("tools/list", {"_meta": meta()}), "it holds nothing else up"
    (completed,) = peer.heard(peer.session.close())
    assert completed["id"] == "listen-1"
    assert completed["result"]["resultType"] == "complete"
    assert completed["result"]["_meta"][PREFIX + "subscriptionId"] == "listen-1"
    assert peer.session.close() == b"", "once"


def test_H10_a_cancelled_subscription_is_not_completed(peer: Peer) -> None:
    for id in (1, "1"):
        peer.request("subscriptions/listen", {"_meta": meta(), "notifications": {}}, id=id)
    peer.cancel(1)
    assert [message["id"] for message in lines(peer.session.close())] == ["1"]


@pytest.mark.parametrize("notifications", [None, [], True, "all"])
def test_H10_a_subscription_names_what_it_wants(peer: Peer, notifications: object) -> None:
    params = {"_meta": meta(), "notifications": notifications}
    assert peer.ask("subscriptions/listen", params)["code"] == -32602
    assert peer.ask("subscriptions/listen", {"_meta": meta()})["code"] == -32602
    assert peer.session.close() == b""


def test_H10_subscriptions_have_a_limit(peer: Peer) -> None:
    params = {"_meta": meta(), "notifications": {}}
    for _ in range(MAX_SUBSCRIPTIONS):
        (acknowledged,) = peer.request("subscriptions/listen", params)
        assert "params" in acknowledged
    assert peer.ask("subscriptions/listen", params)["code"] == -32603


def test_H10_the_legacy_era_has_no_subscriptions(peer: Peer) -> None:
    peer.initialize()
    assert peer.ask("subscriptions/listen", {"notifications": {}})["code"] == -32601


def test_unknown_notifications_and_answers_to_nothing_are_ignored(peer: Peer) -> None:
    for _ in range(2):
        for message in (
            {"method": "notifications/x-unknown", "params": {"a": 1}},
            {"method": "notifications/roots/list_changed"},
            {"method": "tools/list"},
            {"method": "notifications/cancelled", "params": [1]},
            {"id": 7, "result": {}},
            {"id": None, "error": {"code": -1, "message": "x"}},
            {"result": 5},
        ):
            assert peer.say({"jsonrpc": "2.0", **message}) == []
            assert peer.events == []
        peer.initialize()


def test_a_client_that_speaks_after_the_end_is_not_heard(peer: Peer) -> None:
    peer.initialize()
    peer.session.close()
    assert peer.request("tools/list") == []
    assert peer.session.receive_end() == []
    with pytest.raises(RuntimeError):
        peer.session.ask("roots/list")


def test_T1_tools_list_is_the_same_whatever_is_asked_with_it(peer: Peer) -> None:
    peer.initialize("2025-06-18")
    line = b'{"jsonrpc":"2.0","id":5,"method":"tools/list"'
    answers = set()
    for params in (b"", b',"params":{}', b',"params":null', b',"params":{"_meta":{"progressToken":0}}',
                   b',"params":{"cursor":null}', b',"params":{"_meta":null}'):  # fmt: skip
        peer.raw(line + params + b"}\n")
        answers.add(json.dumps(peer.said))
    (answer,) = answers
    (message,) = json.loads(answer)
    assert [tool["name"] for tool in message["result"]["tools"]] == list(NAMES)
    assert "nextCursor" not in message["result"]


@pytest.mark.parametrize("cursor", ["", "x", 0, 1, [], {}, False])
def test_T1_there_is_no_second_page(peer: Peer, cursor: object) -> None:
    peer.initialize()
    assert peer.ask("tools/list", {"cursor": cursor})["code"] == -32602
    assert peer.ask("tools/list", {"_meta": meta(), "cursor": cursor})["code"] == -32602
