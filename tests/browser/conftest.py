"""A real Chromium, Debian's, and the stand-in it talks to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.browser.agent import Agent
from tests.browser.standin import Script, StandIn, request_data
from tests.harness.person import chromium as headless

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--renderer-process-limit=1", "--disable-site-isolation-trials",
]  # fmt: skip
"""Root cannot use Chromium's sandbox. The last two spare a process for each page. The rest keeps it from asking the
network for anything of its own."""


PATIENCE = 15_000
"""Milliseconds that a page gets to become what is expected: two busy cores are slow."""


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, headless. test_flow, test_road and test_saving use the whole browser that a person has."""
    found = headless()
    if found is None:
        pytest.skip("needs chromium")
    browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield made
    made.close()


@pytest.fixture
def faults(context: BrowserContext) -> Iterator[list[str]]:
    """What went wrong in the pages of the test: script errors, refusals by the page's own policy. Has to stay empty."""
    seen: list[str] = []
    context.on("weberror", lambda error: seen.append(str(error.error)))
    context.on(
        "console",
        lambda said: (
            seen.append(said.text)
            if said.type == "error" and "status of" not in said.text and "net::" not in said.text
            else None
        ),
    )
    yield seen
    assert not seen


@pytest.fixture
def page(context: BrowserContext, faults: list[str]) -> Page:
    return context.new_page()


@pytest.fixture
def stand_in() -> Iterator[Callable[..., StandIn]]:
    """Starts a stand-in that asks for `secrets`; the keywords are the request's."""
    running: list[StandIn] = []

    def start(*secrets: dict[str, Any], reason: str = "", **more: Any) -> StandIn:
        started = StandIn(Script(request_data(*secrets, **more), reason))
        running.append(started)
        return started

    yield start
    for one in running:
        one.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of its own for the test's agent."""
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def agent(project: Path) -> Iterator[Agent]:
    """An agent's session with the real service."""
    with Agent(project) as started:
        yield started
