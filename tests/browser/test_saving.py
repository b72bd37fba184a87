"""What a browser does with values on its own: offer to save them, remember them, keep them on disk.

Chromium's password manager tells what it decides on chrome://password-manager-internals. A page with a password input
shows first that it would have asked.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import ARGUMENTS
from tests.browser.other_site import other_site
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

VALUE = "made-up-Value-of-1-test"
ASKS = "Decision: ASK the user"


LOGIN = b"""<!doctype html><input type=password id=value><button>go</button><script>
    document.querySelector('button').onclick = async () => {
        await fetch('/', {method: 'POST', body: '{}'});
        document.body.innerHTML = '<h1>done</h1>';
    };</script>"""
"""A page as one builds it without a thought: a password input, and a fetch."""


@pytest.fixture
def login() -> Iterator[str]:
    with other_site(lambda: LOGIN) as address:
        yield address


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return tmp_path / "profile"


@pytest.fixture
def everyday(playwright: Playwright, profile: Path) -> Iterator[Browser]:
    """Chromium as people have it: without the switches of automation, which turn the offer to save off."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("needs chromium")
    command = [found, "--headless=new", *ARGUMENTS, "--password-store=basic", f"--user-data-dir={profile}"]
    with subprocess.Popen(
        [*command, "--remote-debugging-port=0", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = next(line for line in process.stderr if line.startswith("DevTools listening on "))
        drained = threading.Thread(target=process.stderr.read)
        drained.start()
        yield playwright.chromium.connect_over_cdp("http://" + said.split("ws://")[1].split("/")[0])
        process.terminate()
        process.wait(10)
        drained.join()


def decisions(log: Page) -> int:
    """How often Chromium decided to ask, a while after the last thing that could make it."""
    log.wait_for_timeout(1500)
    said: str = log.evaluate("document.body.innerText")
    return said.count(ASKS)


def test_no_browser_offers_to_save_a_value_and_none_is_on_its_disk(
    everyday: Browser, login: str, stand_in: Start, profile: Path
) -> None:
    context = everyday.contexts[0]
    log = context.new_page()
    log.goto("chrome://password-manager-internals/")
    page = context.new_page()

    page.goto(login)
    page.locator("#value").click()
    page.keyboard.type(VALUE)
    page.get_by_role("button").click()
    expect(page.get_by_role("heading")).to_have_text("done")
    expect(log.locator("body")).to_contain_text(ASKS)
    asked = decisions(log)

    service = stand_in(secret("DATABASE_PASSWORD"), secret("PEM", multiline=True), secret("USERNAME", secret=False))
    page.goto(service.link)
    expect(page.locator("#contact")).to_have_text("Connected")
    for name in ("USERNAME", "DATABASE_PASSWORD", "PEM"):
        page.get_by_label(name, exact=True).click()
        page.keyboard.type(VALUE)
    page.get_by_role("button", name="Show DATABASE_PASSWORD").click()
    page.locator(".write").click()
    expect(page.locator(".fingerprint")).to_be_visible()
    page.goto("about:blank")
    assert decisions(log) == asked

    page.close()
    everyday.new_browser_cdp_session().send("Browser.close")
    kept = [path for path in profile.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(kept) > 20
    assert not [path.name for path in kept if VALUE.encode() in path.read_bytes()]
