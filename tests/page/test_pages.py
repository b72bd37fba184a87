"""Whole pages, as a browser would read them."""

from __future__ import annotations

import json
import re
import time

import pytest

from offprompt.page.pages import Pages
from offprompt.request.record import Record
from offprompt.request.spec import SinkSpec
from offprompt.request.target import TargetState
from tests.page.test_template import Reader
from tests.page.world import NAVIGATION, World

PAGES = Pages(lambda: "N0nce")


def page(record: Record, **changed: object) -> str:
    return PAGES.request_page(record, 0.0, **{"languages": "", "tunnel": False, **changed}).body.decode()  # type: ignore[arg-type]


def embedded(html: str, name: str) -> dict[str, object]:
    found = re.search(rf'<script type="application/json" id="{name}" nonce="N0nce">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    members: dict[str, object] = json.loads(found[1])
    return members


def test_the_page_carries_the_request_its_words_and_everything_it_runs(world: World) -> None:
    record = world.record()
    html = page(record)
    assert embedded(html, "request")["token"] == record.token
    assert set(embedded(html, "words")) == {"lang", "dir", "name", "page"}
    assert "<strong>Stripe</strong>" in html
    assert "<title>Claude Code asks you to fill in .env</title>" in html
    assert not re.findall(r"\{\{\w+\}\}", html)
    assert not re.search(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["'](?!data:)""", html)


def test_the_title_names_the_place_where_a_link_leads(world: World) -> None:
    record = world.record(target=TargetState(exists=True, lands="public/env.txt"))
    assert "<title>Claude Code asks you to fill in .env \u2192 public/env.txt</title>" in page(record)


@pytest.mark.parametrize(
    "hostile",
    [
        "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><script>', "{{script}}", "<!--",
        "'\"&<>",
    ],
)  # fmt: skip
def test_nothing_that_an_agent_says_becomes_markup(world: World, hostile: str) -> None:
    plain, told = world.record(), world.record(reason=hostile, host=hostile, sink=SinkSpec("dotenv", hostile))
    tags = []
    for record in (plain, told):
        reader = Reader()
        reader.feed(re.sub(r"(<figure.*?</figure>)", "", page(record), flags=re.DOTALL))
        tags.append(reader.tags)
    assert tags[0] == tags[1]
    request = embedded(page(told), "request")
    assert request["reason"] == request["host"] == hostile


def test_without_a_reason_its_place_is_empty(world: World) -> None:
    assert '<div dir="auto"></div>' in page(world.record(reason=""))


@pytest.mark.parametrize("key", ["403", "404", "421", "410.written", "410.expired", "410.cancelled"])
def test_small_pages_have_a_heading_and_say_what_to_do(key: str) -> None:
    html = PAGES.notice(int(key[:3]), key, languages="").body.decode()
    reader = Reader()
    reader.feed(html)
    assert "h1" in reader.tags
    assert "script" not in reader.tags
    assert html.count('nonce="N0nce"') == 1
    assert not re.findall(r"\{\{\w+\}\}", html)


def test_a_page_is_made_in_a_few_milliseconds(world: World) -> None:
    record = world.record()
    page(record)
    started = time.process_time()
    for _ in range(20):
        page(record)
    assert (time.process_time() - started) / 20 < 0.02  # measured: 0.1 ms; this catches files read anew


def test_a_page_runs_what_has_its_nonce_and_nothing_else() -> None:
    headers = dict(PAGES.notice(404, "404", languages="").headers)
    assert headers["Content-Security-Policy"] == (
        "default-src 'none'; script-src 'nonce-N0nce'; style-src 'nonce-N0nce'; connect-src 'self'; "
        "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert "clipboard-write=(self)" in headers["Permissions-Policy"]


def test_every_page_has_a_nonce_of_its_own(world: World) -> None:
    record = world.record()
    policies = {world.ask("GET", f"/r/{record.token}", NAVIGATION)["content-security-policy"] for _ in range(3)}
    assert len(policies) == 3
