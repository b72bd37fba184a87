"""A real tunnel through Cloudflare, filled in through its public address. Only `make test-tunnel` runs this."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.person import VALUE, open_page, write

pytestmark = pytest.mark.browser


def test_a_person_answers_through_cloudflare(page: Page, tmp_path: Path) -> None:
    assert shutil.which("cloudflared"), "install cloudflared, and put it on PATH"
    project = tmp_path / "shop"
    project.mkdir()
    with Agent(project, OFFPROMPT_TUNNEL="") as agent:
        asked = agent.collect("SOME_KEY", reason="Through the real Cloudflare")
        assert ".trycloudflare.com/r/" in asked["url"], asked["note"]
        open_page(page, asked["url"])
        page.get_by_label("SOME_KEY", exact=True).fill(VALUE)
        write(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
        answered = agent.call("await_secret", request_id=asked["request_id"])
    assert answered["status"] == "written"
    assert answered["fingerprint"] == " ".join(page.locator(".emoji").all_text_contents())
    assert VALUE in (project / ".env").read_text()
