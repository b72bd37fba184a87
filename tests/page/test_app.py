"""The routes, from the first byte to the last, with the real sinks behind them."""

from __future__ import annotations

from typing import Any

import pytest

from offprompt.request.fields import Field
from offprompt.request.fingerprint import fingerprint
from offprompt.request.target import TargetState
from tests.page.world import (
    CANARY,
    DATA,
    FINGERPRINT_KEY,
    GENERATED,
    KEY,
    NAVIGATION,
    TUNNEL,
    World,
)


def test_a_submission_lands_in_the_file_and_its_fingerprint_in_the_answer(world: World) -> None:
    record = world.record()
    reply = world.written(record, STRIPE_SECRET_KEY=CANARY)
    assert reply.json == {
        "status": "written",
        "fingerprint": list(fingerprint(FINGERPRINT_KEY, {KEY: CANARY})),
        "file": ".env",
        "keys": [{"name": KEY, "outcome": "added"}],
    }
    assert (world.project / ".env").read_text() == f"{KEY}={CANARY}\n"
    assert record.status == "written"


def test_what_is_there_is_replaced_kept_or_generated_as_the_page_said(world: World) -> None:
    (world.project / ".env").write_text("OLD=1\nKEPT=stays\nTHEIRS=2\n")
    fields = [Field("OLD"), Field("KEPT"), Field("NEW"), GENERATED]
    record = world.record(*fields, target=TargetState(exists=True, keys=("OLD", "KEPT", "THEIRS")))
    reply = world.written(record, OLD=CANARY, NEW=CANARY + "2")
    assert [(key["name"], key["outcome"]) for key in reply.json["keys"]] == [
        ("OLD", "replaced"), ("KEPT", "kept"), ("NEW", "added"), ("AUTH_SECRET", "generated"),
    ]  # fmt: skip
    lines = dict(line.split("=") for line in (world.project / ".env").read_text().splitlines())
    assert len(lines.pop("AUTH_SECRET")) == 64
    assert lines == {"OLD": CANARY, "KEPT": "stays", "THEIRS": "2", "NEW": CANARY + "2"}
    typed = {"OLD": CANARY, "NEW": CANARY + "2"}
    assert reply.json["fingerprint"] == list(fingerprint(FINGERPRINT_KEY, typed))


def test_a_wrong_value_is_mended_and_written(world: World) -> None:
    record = world.record()
    assert world.submit(record, {KEY: ""}).json == {"errors": {KEY: ["A value is needed here."]}, "form": []}
    assert record.status == "awaiting"
    world.written(record, STRIPE_SECRET_KEY=CANARY)


def test_opening_a_link_never_uses_it_up(world: World) -> None:
    record = world.record()
    for _ in range(30):
        reply = world.ask("GET", f"/r/{record.token}", NAVIGATION)
        assert reply.status == 200
        assert reply["content-type"] == "text/html; charset=utf-8"
    assert record.status == "awaiting"


def test_a_page_carries_the_nonce_of_its_policy_and_a_new_one_each_time(world: World) -> None:
    record = world.record()
    nonces = set()
    for _ in range(3):
        reply = world.ask("GET", f"/r/{record.token}", NAVIGATION)
        nonce = reply["content-security-policy"].split("'nonce-")[1].split("'")[0]
        assert reply.body.count(f'nonce="{nonce}"'.encode()) == reply.body.count(b'nonce="') > 2
        nonces.add(nonce)
    assert len(nonces) == 3
    assert record.nonce not in nonces


def test_only_a_get_of_the_page_or_its_data_counts_as_fetched(world: World) -> None:
    record = world.record()
    path = f"/r/{record.token}"
    world.ask("HEAD", path, NAVIGATION)
    world.ask("GET", f"{path}/status")
    world.ask("GET", f"{path}/words/en")
    world.ask("GET", path, {"Sec-Fetch-Site": "cross-site"})
    world.post(path, {})
    assert not record.page_fetched
    world.ask("GET", path, DATA)
    assert record.page_fetched


def test_head_says_what_get_would_say(world: World) -> None:
    record = world.record()
    gone = world.record(session="other")
    gone.cancel("agent", 0.0)
    for path in (f"/r/{record.token}", f"/r/{record.token}/status", f"/r/{gone.token}", "/r/" + "0" * 32, "/", "/%"):
        for headers in (NAVIGATION, DATA, {"Accept-Encoding": "gzip"}):
            get, head = world.ask("GET", path, headers), world.ask("HEAD", path, headers)
            assert head.body == b""
            for reply in (get, head):
                del reply.headers["content-security-policy"], reply.headers["date"]
            if get.headers.get("content-encoding"):  # a nonce of another text packs to another length
                del get.headers["content-length"], head.headers["content-length"]
            assert (head.status, head.headers) == (get.status, get.headers)


def test_the_request_as_data(world: World) -> None:
    record = world.record(Field(KEY, label="Stripe secret key", caption="Dashboard"), GENERATED)
    reply = world.ask("GET", f"/r/{record.token}", DATA)
    assert (reply.status, reply["content-type"]) == (200, "application/json")
    assert reply.json == {
        "v": 1,
        "token": record.token,
        "key_id": record.key_id,
        "nonce": record.nonce,
        "host": "Claude Code",
        "project": str(world.project),
        "reason": "Checkout needs **Stripe**.",
        "sink": {
            "kind": "dotenv", "path": ".env", "lands": "", "exists": False, "tracked": False, "git": "none",
            "ignored": False, "readable_by_others": False, "public": "", "trusted": "", "writable": True,
            "agree": False,
        },
        "expires_in": 600,
        "icons": {},
        "secrets": [
            {
                "name": KEY, "label": "Stripe secret key", "caption": "Dashboard", "secret": True, "multiline": False,
                "present": False, "url": "", "key": None, "rules": [], "generate": None,
            },
            {
                "name": "AUTH_SECRET", "label": "", "caption": "", "secret": True, "multiline": False, "present": False,
                "url": "", "key": None, "rules": [], "generate": {"bytes": 32, "encoding": "hex"},
            },
        ],
    }  # fmt: skip


def test_through_the_tunnel_the_project_is_its_folders_name(world: World) -> None:
    world.tunnel = TUNNEL
    record = world.record()
    reply = world.ask("GET", f"/r/{record.token}", {**DATA, "Host": TUNNEL.upper()})
    assert reply.json["project"] == "shop"
    page = world.ask("GET", f"/r/{record.token}", {**NAVIGATION, "Host": TUNNEL})
    assert str(world.project).encode() not in page.body
    assert world.ask("GET", f"/r/{record.token}", DATA).json["project"] == str(world.project)


def test_words_come_in_the_languages_that_are_there(world: World) -> None:
    record = world.record()
    reply = world.ask("GET", f"/r/{record.token}/words/EN")
    assert (reply.status, reply.json["lang"]) == (200, "en")
    assert "notice" not in reply.json
    for language in ("xx", "..", "en.json", "__proto__", "e" * 5000):
        assert world.ask("GET", f"/r/{record.token}/words/{language}").status == 404
    assert world.ask("GET", f"/r/{'0' * 32}/words/en").status == 404


def test_the_tunnel_is_proven_by_its_nonce(world: World) -> None:
    world.tunnel, world.proofs["random"] = TUNNEL, "nonce-of-this-start"
    reply = world.ask("GET", "/.well-known/offprompt/random", {"Host": TUNNEL})
    assert (reply.status, reply.body) == (200, b"nonce-of-this-start")
    assert reply["cache-control"] == "no-store, no-transform"
    assert world.ask("GET", "/.well-known/offprompt/other", {"Host": TUNNEL}).status == 404
    assert world.ask("GET", "/.well-known/offprompt", {"Host": TUNNEL}).status == 404
    world.tunnel = ""
    assert world.ask("GET", "/.well-known/offprompt/random", {"Host": TUNNEL}).status == 421


def test_the_status_of_an_open_request_says_how_long_is_left(world: World) -> None:
    record = world.record(remote=True)
    world.clock.advance(10.5)
    reply = world.ask("GET", f"/r/{record.token}/status", DATA)
    assert (reply.status, reply.json) == (200, {"status": "awaiting", "expires_in": 1789})


def test_a_closed_request_is_told_of_for_an_hour(world: World) -> None:
    record = world.record()
    closed = {**world.written(record, STRIPE_SECRET_KEY=CANARY).json, "expires_in": 0}
    assert len(closed["fingerprint"]) == 4
    for _ in range(59):
        world.clock.advance(60)
        assert world.ask("GET", f"/r/{record.token}/status").json == closed
    for reply in (world.ask("GET", f"/r/{record.token}", DATA), world.submit_again(record), world.decline(record)):
        assert (reply.status, reply.json) == (410, closed)
    world.clock.advance(61)
    for path in ("", "/status"):
        assert world.ask("GET", f"/r/{record.token}{path}", DATA).status == 404


@pytest.mark.parametrize("by", ["agent", "person", "operator"])
def test_a_cancelled_request_is_gone(world: World, by: Any) -> None:
    record = world.record()
    record.cancel(by, world.clock.seconds())
    gone = {"status": "cancelled", "expires_in": 0}
    assert world.ask("GET", f"/r/{record.token}/status").json == gone
    for reply in (world.ask("GET", f"/r/{record.token}", DATA), world.submit_again(record)):
        assert (reply.status, reply.json) == (410, gone)


def test_an_expired_request_is_gone_whether_or_not_anybody_swept(world: World) -> None:
    record = world.record()
    world.clock.advance(600)
    reply = world.submit_again(record)
    assert (reply.status, reply.json) == (410, {"status": "expired", "expires_in": 0})
    assert not (world.project / ".env").exists()


def test_a_person_declines(world: World) -> None:
    record = world.record()
    reply = world.decline(record)
    assert (reply.status, reply.json) == (200, {"status": "cancelled", "expires_in": 0})
    assert (record.status, record.cancelled_by) == ("cancelled", "person")
    assert world.decline(record).status == 410


@pytest.mark.parametrize("nonce", ["", "0" * 32, "\ud800", "\0", "é", "x" * 100_000])
def test_nobody_declines_without_the_nonce(world: World, nonce: str) -> None:
    record = world.record()
    reply = world.post(f"/r/{record.token}/decline", {"nonce": nonce})
    assert (reply.status, set(reply.json)) == (403, {"error"})
    assert record.status == "awaiting"
