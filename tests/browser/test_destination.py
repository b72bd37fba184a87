"""What the page says of the file before anything is typed, and when it wants a tick."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.agent import Agent
from tests.browser.person import VALUE, open_page, write
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

WARNINGS = {
    "link": ({"lands": "other/.env"}, "What you type lands in other/.env."),
    "signs": ({"path": "\u00e9t\u00e9/.env"}, "not plain ASCII: \u00e9 (U+00E9)."),
    "readable": ({"readable_by_others": True}, "Other accounts on the machine can read this file now."),
}
"""What is said in amber and needs no tick."""

AGREED = {
    "tracked": ({"git": "tracked"}, "This file is tracked by git."),
    "unknown": ({"git": "unknown", "ignored": False}, "Git could not say whether it tracks this file."),
    "public": ({"public": "public"}, "Web servers usually show everyone what lies in public/."),
    "shell": ({"trusted": "shell"}, "A shell runs this file by itself."),
    "login": ({"trusted": "login"}, "This file decides who can log in to this machine."),
    "runs": ({"trusted": "runs"}, "This file is a program."),
}
"""What is said in amber and needs the tick."""


@pytest.mark.parametrize("kind", WARNINGS)
def test_what_a_person_should_know_of_the_file_is_said_in_amber(page: Page, stand_in: Start, kind: str) -> None:
    sink, says = WARNINGS[kind]
    open_page(page, stand_in(secret("API_KEY"), sink=sink).link)
    expect(page.locator(".where li.amber")).to_contain_text([says])
    expect(page.locator("#allow-tracked")).to_have_count(0)


@pytest.mark.parametrize("kind", AGREED)
def test_a_file_that_a_person_has_to_agree_to_wants_one_tick(page: Page, stand_in: Start, kind: str) -> None:
    sink, says = AGREED[kind]
    service = stand_in(secret("API_KEY"), sink=sink)
    open_page(page, service.link)
    expect(page.locator(".where li.amber")).to_contain_text([says])
    page.get_by_label("API_KEY", exact=True).fill(VALUE)
    expect(page.locator(".write")).to_have_text("Tick the box above first")
    page.get_by_label("Write it all the same").check()
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
    assert service.script.opened[0]["allow_tracked"] is True


def test_a_service_that_says_nothing_of_agreeing_wants_the_tick_for_a_tracked_file(page: Page, stand_in: Start) -> None:
    service = stand_in(secret("API_KEY"), sink={"git": "tracked"})
    del service.script.data["sink"]["agree"]
    open_page(page, service.link)
    expect(page.get_by_label("Write it all the same")).to_be_enabled()


def test_a_file_that_cannot_be_written_is_told_before_anything_is_typed(page: Page, stand_in: Start) -> None:
    open_page(page, stand_in(secret("API_KEY"), sink={"writable": False}).link)
    expect(page.locator(".where li.red")).to_contain_text(["offprompt may not write this file now."])


def test_a_link_in_the_project_is_shown_with_both_places_everywhere(page: Page, agent: Agent, project: Path) -> None:
    (project / "public").mkdir()
    (project / "public" / "env.txt").write_text("OLD=1\n")
    (project / ".env").symlink_to("public/env.txt")
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    expect(page.locator(".where .path")).to_have_text(".env \u2192 public/env.txt")
    expect(page.locator(".where li.amber")).to_contain_text(
        ["What you type lands in public/env.txt.", "Web servers usually show everyone what lies in public/."]
    )
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.get_by_label("Write it all the same").check()
    expect(page.locator(".write")).to_have_text("Write 1 value to .env \u2192 public/env.txt")
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env \u2192 public/env.txt")
    assert VALUE in (project / "public" / "env.txt").read_text()


def test_a_repository_that_git_cannot_read_is_unknown_and_wants_the_tick(
    page: Page, agent: Agent, project: Path
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=project, check=True, capture_output=True)
    (project / ".git" / "index").write_bytes(b"no index")
    asked = agent.collect("FIRST")
    open_page(page, asked["url"])
    expect(page.locator(".where li.amber")).to_contain_text(["Git could not say whether it tracks this file."])
    page.get_by_label("FIRST", exact=True).fill(VALUE)
    page.get_by_label("Write it all the same").check()
    write(page)
    expect(page.locator(".fingerprint")).to_be_visible()
