"""The routes, from the first byte to the last, with the real sinks behind them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from offprompt import errors
from offprompt.request.fields import Field
from offprompt.request.fingerprint import fingerprint
from offprompt.request.record import Record
from offprompt.request.seal import seal
from offprompt.request.spec import SinkSpec
from offprompt.request.target import TargetState
from tests.page.test_headers import ALWAYS
from tests.page.world import CANARY, FINGERPRINT_KEY, GENERATED, TUNNEL, Reply, World, plaintext, press, raw, sealed

NAVIGATION = {
    "Sec-Fetch-Site": "none",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
    "Accept": "text/html",
}
DATA = {"Accept": "application/json"}
KEY = "STRIPE_SECRET_KEY"


def written(world: World, record: Record, **values: str) -> Reply:
    reply = world.submit(record, values)
    assert reply.status == 200, reply.body
    return reply


# --- the whole road ---------------------------------------------------------------------------------------------------


def test_a_submission_lands_in_the_file_and_its_fingerprint_in_the_answer(world: World) -> None:
    record = world.record()
    reply = written(world, record, STRIPE_SECRET_KEY=CANARY)
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
    reply = written(world, record, OLD=CANARY, NEW=CANARY + "2")
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
    written(world, record, STRIPE_SECRET_KEY=CANARY)


# --- opening a link ---------------------------------------------------------------------------------------------------


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
            "kind": "dotenv", "path": ".env", "tracked": False, "ignored": False, "git": False, "exists": False,
            "readable_by_others": False,
        },
        "expires_in": 600,
        "secrets": [
            {
                "name": KEY, "label": "Stripe secret key", "caption": "Dashboard", "secret": True, "multiline": False,
                "present": False, "url": "", "rules": [], "generate": None,
            },
            {
                "name": "AUTH_SECRET", "label": "", "caption": "", "secret": True, "multiline": False,
                "present": False, "url": "", "rules": [], "generate": {"bytes": 32, "encoding": "hex"},
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


# --- status -----------------------------------------------------------------------------------------------------------


def test_the_status_of_an_open_request_says_how_long_is_left(world: World) -> None:
    record = world.record(remote=True)
    world.clock.advance(10.5)
    reply = world.ask("GET", f"/r/{record.token}/status", DATA)
    assert (reply.status, reply.json) == (200, {"status": "awaiting", "expires_in": 1789})


def test_a_closed_request_is_told_of_for_an_hour(world: World) -> None:
    record = world.record()
    emoji = written(world, record, STRIPE_SECRET_KEY=CANARY).json["fingerprint"]
    closed = {"status": "written", "expires_in": 0, "fingerprint": emoji}
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


# --- saying no --------------------------------------------------------------------------------------------------------


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


# --- refusals ---------------------------------------------------------------------------------------------------------


def everything(world: World, record: Record) -> dict[str, tuple[int, Callable[[], Reply]]]:
    """One request for each status, by its name."""
    path, nobody = f"/r/{record.token}", "/r/" + "0" * 32
    gone = world.record(session="gone")
    gone.cancel("agent", 0.0)

    def often() -> Reply:
        tried = world.record(session="often")
        return [world.decline(tried, nonce="no") for _ in range(21)][-1]

    return {
        "page": (200, lambda: world.ask("GET", path, NAVIGATION)),
        "data": (200, lambda: world.ask("GET", path, DATA)),
        "status": (200, lambda: world.ask("GET", f"{path}/status")),
        "malformed": (400, lambda: world.post(path, b"{")),
        "not v1": (400, lambda: world.post(path, {"nonce": record.nonce, "sealed": "v2.AAAA"})),
        "foreign": (403, lambda: world.post(path, {"nonce": record.nonce, "sealed": "v1.AAAA"})),
        "cross site": (403, lambda: world.ask("GET", path, {"Sec-Fetch-Site": "cross-site"})),
        "cross site form page": (
            403,
            lambda: world.ask("POST", path, {**NAVIGATION, "Sec-Fetch-Site": "cross-site"}, b""),
        ),
        "unknown": (404, lambda: world.ask("GET", nobody, DATA)),
        "unknown page": (404, lambda: world.ask("GET", nobody, NAVIGATION)),
        "root page": (404, lambda: world.ask("GET", "/", NAVIGATION)),
        "favicon": (404, lambda: world.ask("GET", "/favicon.ico")),
        "twice": (404, lambda: world.ask("GET", f"//r/{record.token}")),
        "slash": (404, lambda: world.ask("GET", f"{path}/")),
        "escaped": (404, lambda: world.ask("GET", f"/r/%{record.token}")),
        "not utf-8": (404, lambda: world.ask("GET", "/r/%ff")),
        "star": (404, lambda: world.ask("GET", "*")),
        "absolute": (404, lambda: world.ask("GET", f"http://127.0.0.1{path}")),
        "put": (405, lambda: world.ask("PUT", path, {}, b"x")),
        "preflight": (405, lambda: world.ask("OPTIONS", path, {"Access-Control-Request-Method": "POST"})),
        "post to status": (405, lambda: world.post(f"{path}/status", {})),
        "get of decline": (405, lambda: world.ask("GET", f"{path}/decline")),
        "closed": (410, lambda: world.ask("GET", f"/r/{gone.token}", DATA)),
        "closed page": (410, lambda: world.ask("GET", f"/r/{gone.token}", NAVIGATION)),
        "closed post": (410, lambda: world.submit_again(gone)),
        "large": (413, lambda: world.post(path, b"x" * 300 * 1024)),
        "form": (415, lambda: world.ask("POST", path, {"Content-Type": "text/plain"}, b"{}")),
        "other host": (421, lambda: world.ask("GET", path, {"Host": "evil.example"})),
        "other host page": (421, lambda: world.ask("GET", path, {"Host": "evil.example", **NAVIGATION})),
        "checks": (422, lambda: world.submit(record, {KEY: ""})),
        "often": (429, often),
        "long": (431, lambda: world.ask("GET", path, {"X": "x" * 17_000})),
    }


def test_every_status_has_every_header(world: World) -> None:
    record = world.record()
    for name, (status, ask) in everything(world, record).items():
        reply = ask()
        assert reply.status == status, (name, reply)
        assert reply.headers.keys() >= ALWAYS | {"date", "content-length", "content-type"}, name
        assert all(len(values) == 1 for values in reply.headers.values()), name
        assert "server" not in reply.headers, name
        assert "transfer-encoding" not in reply.headers, name
        assert "access-control-allow-origin" not in reply.headers, name
        assert "set-cookie" not in reply.headers, name
        if status in (403, 404, 410, 421) and "page" in name:
            assert reply["content-type"].startswith("text/html"), name
            assert b"<h1>" in reply.body, name
        elif status >= 400:
            assert reply["content-type"] == "application/json", name
            assert set(reply.json) in ({"error"}, {"errors", "form"}, {"status", "expires_in"}), name
        if status == 405:
            assert "GET" in reply["allow"] or "POST" in reply["allow"], name
        if status == 429:
            assert 0 < int(reply["retry-after"]) <= 60
        for secret in (record.token, record.nonce):
            assert status == 200 or secret.encode() not in reply.body, name
    assert record.status == "awaiting"


def test_the_host_comes_before_everything(world: World) -> None:
    record = world.record()
    for method in ("GET", "POST", "PUT"):
        for path in (f"/r/{record.token}", "/", "/%", "*"):
            assert world.ask(method, path, {"Host": "evil.example"}, b"x" * 300_000).status == 421


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("Host: localhost\r\nHost: localhost\r\n", 421),
        ("Host: localhost\r\nHost: evil.example\r\n", 421),
        ("Host: evil.example\r\nhost: localhost\r\n", 421),
        ("", 421),
        ("Host:\r\n", 421),
        ("Host: localhost\r\n evil\r\n", 421),
        ("Host: localhost\r\n", 404),
        ("hOST:localhost:1\r\n", 404),
    ],
)
def test_there_is_one_host_or_an_end(world: World, lines: str, status: int) -> None:
    client = world.client()
    client.send(f"GET /r/{'0' * 32} HTTP/1.1\r\n{lines}\r\n".encode())
    assert client.replies()[0].status == status


def test_a_click_in_the_agents_web_page_opens_the_link(world: World) -> None:
    record = world.record()
    for site in ("cross-site", "same-site"):
        assert world.ask("GET", f"/r/{record.token}", {**NAVIGATION, "Sec-Fetch-Site": site}).status == 200
        for dest in ("iframe", "empty", "script", "image"):
            headers = {**NAVIGATION, "Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}
            assert world.ask("GET", f"/r/{record.token}", headers).status == 403
    assert world.post(f"/r/{record.token}", {}, {"Origin": "null"}).status == 403
    assert world.post(f"/r/{record.token}", {}, {"Origin": "http://127.0.0.1:8080"}).status == 400


def test_twenty_tries_a_minute_and_link(world: World) -> None:
    record, other = world.record(), world.record(session="other")
    statuses = [world.submit(record, {KEY: ""}).status for _ in range(10)]
    statuses += [world.decline(record, nonce="no").status for _ in range(10)]
    assert statuses == [422] * 10 + [403] * 10
    refused = world.submit(record, {KEY: CANARY})
    assert (refused.status, refused["retry-after"]) == (429, "60")
    assert world.submit(other, {KEY: ""}).status == 422
    assert world.ask("GET", f"/r/{record.token}").status == 200
    assert world.ask("GET", f"/r/{record.token}/status").status == 200
    world.clock.advance(60)
    written(world, record, STRIPE_SECRET_KEY=CANARY)


# --- seals ------------------------------------------------------------------------------------------------------------

MALFORMED = [
    "", "v1", "v1.", "v1. ", "v1.=", "v1.AAAA=", "v1.AA+A", "v1.AA/A", "v1.AAAA\n", "v1.\0", "v1.é", "V1.AAAA",
    "v2.AAAA", "AAAA", "v1.A", "v1.AB", "v1.\ud800", "v1.v1.AAAA",
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_no_seal_is_400(world: World, text: str) -> None:
    record = world.record()
    assert world.post(f"/r/{record.token}", {"nonce": record.nonce, "sealed": text}).status == 400
    assert record.status == "awaiting"


def reach(world: World, record: Record, sealed_text: str, nonce: str = "") -> Reply:
    world.clock.advance(3)
    return world.post(f"/r/{record.token}", {"nonce": nonce or record.nonce, "sealed": sealed_text})


def box(record: Record, members: Any) -> str:
    plain = members if isinstance(members, bytes) else json.dumps(members).encode()
    return seal(record.public_key, plain)


def test_all_that_decodes_and_is_no_submission_to_this_request_is_one_and_the_same_403(world: World) -> None:
    record, other = world.record(remote=True), world.record(session="other", remote=True)
    whole = plaintext(record, {KEY: CANARY})
    attempts = {
        "a wrong nonce outside": (sealed(record, {KEY: CANARY}), "0" * 32),
        "a nonce that is no text": (sealed(record, {KEY: CANARY}), "\ud800"),
        "a box for another request": (sealed(other, {KEY: CANARY}), ""),
        "another request's token inside": (sealed(record, {KEY: CANARY}, token=other.token), ""),
        "another request's nonce inside": (sealed(record, {KEY: CANARY}, nonce=other.nonce), ""),
        "both of another request": (sealed(record, {KEY: CANARY}, token=other.token, nonce=other.nonce), other.nonce),
        "nothing": ("v1.AAAA", ""),
        "an empty text": (box(record, b""), ""),
        "no JSON": (box(record, b"{"), ""),
        "no UTF-8": (box(record, b'{"token":"\xff"}'), ""),
        "a list": (box(record, []), ""),
        "null": (box(record, None), ""),
        "more behind it": (box(record, json.dumps(whole).encode() + b"x"), ""),
        "a nest": (box(record, b'{"a":' * 1000 + b"1" + b"}" * 1000), ""),
        "a deep nest": (box(record, b"[" * 100_000), ""),
        "a number of 10,000 digits": (box(record, b"9" * 10_000), ""),
        "a member twice": (box(record, json.dumps(whole).replace("{", '{"nonce":"x",', 1).encode()), ""),
        "a name twice": (box(record, json.dumps(whole).replace(f'"{KEY}"', f'"{KEY}":"x","{KEY}"').encode()), ""),
        "a member more": (box(record, {**whole, "more": 1}), ""),
        **{f"no {name}": (box(record, {k: v for k, v in whole.items() if k != name}), "") for name in whole},
        **{
            f"{name} as {wrong!r}": (box(record, {**whole, name: wrong}), "")
            for name in whole
            for wrong in (None, 1, 1.5, [], [CANARY], {"a": [CANARY]}, "", "x", "\ud800", True)
            if not (name == "allow_tracked" and wrong is True)
        },
        **{
            f"a value {wrong!r}": (box(record, {**whole, "values": {KEY: wrong}}), "")
            for wrong in (None, 1, True, [CANARY], {"a": CANARY})
        },
        "a short fingerprint key": (sealed(record, {KEY: CANARY}, fingerprint_key="AAAA"), ""),
        "a long fingerprint key": (sealed(record, {KEY: CANARY}, fingerprint_key="A" * 44), ""),
        "a fingerprint key of other letters": (sealed(record, {KEY: CANARY}, fingerprint_key="*" * 43), ""),
    }
    replies = {name: reach(world, record, text, nonce) for name, (text, nonce) in attempts.items()}
    assert {name: reply.status for name, reply in replies.items() if reply.status != 403} == {}
    assert len({reply.body for reply in replies.values()}) == 1
    assert record.status == other.status == "awaiting"
    assert not (world.project / ".env").exists()


def test_a_box_cut_or_flipped_at_every_byte_never_opens(world: World) -> None:
    def opened(at: int) -> tuple[Record, bytes]:
        record = world.record(session=f"{at // 10}")  # each takes twenty tries a minute
        text = box(record, plaintext(record, {KEY: CANARY}))
        return record, base64.urlsafe_b64decode(text.removeprefix("v1.") + "==")

    for at in range(len(opened(0)[1])):
        record, whole = opened(at)
        for broken in (whole[:at] or b"x", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            text = "v1." + base64.urlsafe_b64encode(broken).rstrip(b"=").decode()
            assert world.post(f"/r/{record.token}", {"nonce": record.nonce, "sealed": text}).status == 403, at
        assert record.status == "awaiting"
    assert not (world.project / ".env").exists()


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {},
        {KEY: ""},
        {KEY: CANARY + "\0"},
        {KEY: CANARY + "\ud800"},
        {KEY: CANARY + "x" * 65_536},
        {KEY: CANARY + "'\"`\n\\n"},
    ],
)
def test_a_value_that_cannot_be_is_told_of_under_its_field(world: World, values: dict[str, str]) -> None:
    record = world.record()
    reply = world.submit(record, values)
    assert reply.status == 422
    assert reply.json["form"] == []
    assert {name for name, told in reply.json["errors"].items() if told} == {KEY}
    assert CANARY.encode() not in reply.body
    assert record.status == "awaiting"


def test_a_name_that_was_not_asked_for_is_told_of_on_the_form(world: World) -> None:
    record = world.record()
    reply = world.submit(record, {KEY: CANARY, "PATH": CANARY})
    assert reply.status == 422
    assert len(reply.json["form"]) == 1
    assert CANARY.encode() not in reply.body
    assert not (world.project / ".env").exists()


def test_a_tracked_file_takes_a_tick(world: World) -> None:
    record = world.record(target=TargetState(exists=True, tracked=True, git=True))
    (line,) = world.submit(record, {KEY: CANARY}).json["form"]
    assert "Git tracks .env" in line
    assert world.submit(record, {KEY: CANARY}, allow_tracked=True).status == 200


def test_a_value_that_was_to_be_kept_and_is_gone_is_asked_for_again(world: World) -> None:
    (world.project / ".env").write_text("KEPT=1\n")
    record = world.record(Field("KEPT"), Field("NEW"), target=TargetState(exists=True, keys=("KEPT",)))
    (world.project / ".env").write_text("OTHER=1\n")
    reply = world.submit(record, {"NEW": CANARY})
    assert reply.status == 422
    assert "no longer holds it" in reply.json["errors"]["KEPT"][0]
    assert (world.project / ".env").read_text() == "OTHER=1\n"
    assert record.status == "awaiting"
    written(world, record, KEPT=CANARY, NEW=CANARY)


def test_keeping_everything_writes_nothing_and_has_no_fingerprint(world: World) -> None:
    (world.project / ".env").write_text("KEPT=1\n")
    record = world.record(Field("KEPT"), target=TargetState(exists=True, keys=("KEPT",)))
    reply = world.submit(record, {})
    assert (reply.status, reply.json["fingerprint"]) == (200, [])
    assert reply.json["keys"] == [{"name": "KEPT", "outcome": "kept"}]
    assert (world.project / ".env").read_text() == "KEPT=1\n"


def test_a_generated_name_the_file_holds_by_now_is_kept_and_the_sent_value_thrown_away(world: World) -> None:
    record = world.record(GENERATED)
    (world.project / ".env").write_text("AUTH_SECRET=theirs\n")
    reply = world.submit(record, {"AUTH_SECRET": CANARY})
    assert reply.json["keys"] == [{"name": "AUTH_SECRET", "outcome": "kept"}]
    assert (world.project / ".env").read_text() == "AUTH_SECRET=theirs\n"


def test_a_file_is_the_value(world: World) -> None:
    record = world.record(Field("KEY_PEM", multiline=True), sink=SinkSpec("file", "deep/key.pem"))
    reply = written(world, record, KEY_PEM=f"-----BEGIN-----\n{CANARY}\n")
    assert reply.json["file"] == "deep/key.pem"
    assert (world.project / "deep" / "key.pem").read_text() == f"-----BEGIN-----\n{CANARY}\n"


def test_where_a_shell_reads_a_value_otherwise_the_page_says_so(world: World) -> None:
    record = world.record()
    reply = written(world, record, STRIPE_SECRET_KEY=f"{CANARY}'\n$y")
    assert [KEY in note and CANARY not in note for note in reply.json.get("notes", [])] == [True]


# --- races and faults -------------------------------------------------------------------------------------------------


def test_while_one_is_written_another_is_told_to_wait(world: World) -> None:
    record, slow = world.record(), world.slow()
    first = world.client()
    first.send(press(record, {KEY: CANARY}))
    assert first.replies() == []
    for reply in (world.submit(record, {KEY: CANARY + "2"}), world.decline(record)):
        assert (reply.status, set(reply.json)) == (409, {"error"})
    assert world.ask("GET", f"/r/{record.token}/status").json["status"] == "awaiting"
    assert world.ask("GET", f"/r/{record.token}", NAVIGATION).status == 200
    slow.succeed()
    assert first.replies()[0].json["status"] == "written"
    late = world.submit(record, {KEY: CANARY})
    assert (late.status, late.json["fingerprint"]) == (410, ["🍋", "🥝", "🌮", "🧀"])


def test_a_write_takes_as_long_as_it_takes(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    world.clock.advance(500)
    slow.succeed()
    assert client.replies()[0].status == 200


def test_a_cancel_during_a_write_is_left_to_the_write(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    assert record.cancel("agent", world.clock.seconds()) is False
    slow.succeed()
    assert client.replies()[0].json["status"] == "written"
    assert record.status == "written"


@pytest.mark.parametrize("end", ["cancelled", "expired"])
def test_when_the_write_fails_an_end_that_came_meanwhile_is_told(world: World, end: str) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    if end == "cancelled":
        record.cancel("agent", world.clock.seconds())
    else:
        world.clock.advance(600)
    slow.fail(errors.DiskFull(path=".env"))
    (reply,) = client.replies()
    assert (reply.status, reply.json) == (410, {"status": end, "expires_in": 0})


def test_a_write_that_the_file_system_refuses_gives_the_claim_back(world: World) -> None:
    record, slow = world.record(), world.slow()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    slow.fail(errors.DiskFull(path=".env"))
    (reply,) = client.replies()
    assert (reply.status, set(reply.json)) == (500, {"error"})
    assert "disk is full" in reply.error
    assert record.status == "awaiting"
    client.send(press(record, {KEY: CANARY}))
    slow.succeed()
    assert record.status == "written"


def test_a_client_that_leaves_in_the_middle_of_a_write_does_not_stop_it(world: World) -> None:
    world.threads.held = True
    record = world.record()
    client = world.client()
    client.send(press(record, {KEY: CANARY}))
    assert record.status == "writing"
    client.leave()
    assert record.status == "writing"
    world.threads.let_go()
    assert record.status == "written"
    assert (world.project / ".env").read_text() == f"{KEY}={CANARY}\n"
    again = world.submit_again(record)
    assert (again.status, again.json["fingerprint"]) == (410, list(fingerprint(FINGERPRINT_KEY, {KEY: CANARY})))


def test_two_at_once_write_once(world: World) -> None:
    world.threads.held = True
    record = world.record()
    clients = [world.client() for _ in range(5)]
    for number, client in enumerate(clients):
        client.send(press(record, {KEY: f"{CANARY}{number}"}))
    world.threads.let_go()
    assert [client.replies()[0].status for client in clients] == [200, 409, 409, 409, 409]
    assert (world.project / ".env").read_text() == f"{KEY}={CANARY}0\n"


def test_a_fault_of_ours_is_500_and_the_log_has_its_place_without_its_words(world: World, logged: list[str]) -> None:
    record = world.record()

    class Broken:
        def write(self, *_: Any, **values: Any) -> Any:
            raise KeyError(CANARY)

    world.fulfilment = Broken()
    world.build()
    reply = world.submit(record, {KEY: CANARY})
    assert (reply.status, set(reply.json)) == (500, {"error"})
    (line,) = (line for line in logged if "broke" in line)
    assert "KeyError" in line
    assert "test_app.py" in line


def test_no_log_line_holds_a_token_a_nonce_or_a_query(world: World, logged: list[str]) -> None:
    record = world.record()
    headers = {"Referer": "http://127.0.0.1/r/spied", "User-Agent": "spied"}
    for _, ask in everything(world, record).values():
        ask()
    world.ask("GET", f"/r/{record.token}?spied=1", headers)
    world.ask("GET", f"/r/{record.token}/\xff", headers)
    client = world.client()
    client.send(raw("GET", f"/r/{record.token}", headers))
    world.clock.advance(1000)
    for secret in (record.token, record.nonce, record.link("").key, "spied"):
        assert not [line for line in logged if secret in line]
