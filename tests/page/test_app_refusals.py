"""What the routes refuse: one request for each status, and what every answer has in common."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from offprompt.request.record import Record
from tests.http.test_headers import ALWAYS
from tests.page.world import (
    CANARY,
    DATA,
    KEY,
    NAVIGATION,
    Reply,
    World,
    raw,
)


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
    world.written(record, STRIPE_SECRET_KEY=CANARY)


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
