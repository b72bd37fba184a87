"""What a browser does with values on its own: offer to save them, remember them, keep them on disk.

Chromium's password manager tells what it decides on chrome://password-manager-internals. A page with a password input
shows first that it would have asked.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.conftest import ARGUMENTS, PATIENCE
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
def process(profile: Path) -> Iterator[subprocess.Popen[str]]:
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
    ) as started:
        yield started
        started.terminate()
        started.wait()


@pytest.fixture
def everyday(playwright: Playwright, process: subprocess.Popen[str]) -> Iterator[Browser]:
    """The browser that `process` is."""
    assert process.stderr is not None
    said = next(line for line in process.stderr if line.startswith("DevTools listening on "))
    drained = threading.Thread(target=process.stderr.read)
    drained.start()
    yield playwright.chromium.connect_over_cdp("http://" + said.split("ws://")[1].split("/")[0])
    process.terminate()
    process.wait()
    drained.join()


def log_in(page: Page, login: str) -> None:
    """Give the password to a page that makes Chromium ask."""
    page.goto(login)
    page.locator("#value").click()
    page.keyboard.type(VALUE)
    page.get_by_role("button").click()
    expect(page.get_by_role("heading")).to_have_text("done")


def content(path: Path) -> bytes | None:
    """What a file of the profile holds; None for what is no file, or has vanished."""
    try:
        return None if path.is_symlink() or not path.is_file() else path.read_bytes()
    except FileNotFoundError:
        return None


def decisions(log: Page) -> list[str]:
    """The origins of the pages for which Chromium decided to ask, in the order of its decisions."""
    said: str = log.evaluate("document.body.innerText")
    asked, origin = [], ""
    for found in re.finditer(rf"Security origin:\s+(\S+)|{ASKS}", said):
        if found[1]:
            origin = found[1]
        else:
            asked.append(origin)
    return asked


def test_no_browser_offers_to_save_a_value_and_none_is_on_its_disk(
    everyday: Browser, process: subprocess.Popen[str], login: str, stand_in: Start, profile: Path
) -> None:
    """A login before and one after show that Chromium asks, and that it has decided all that came between."""
    context = everyday.contexts[0]
    log = context.new_page()
    log.goto("chrome://password-manager-internals/")
    page = context.new_page()
    log_in(page, login)
    expect(log.locator("body")).to_contain_text(ASKS)

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
    log_in(page, login)
    end = time.monotonic() + PATIENCE / 1000
    while len(decisions(log)) < 2 and time.monotonic() < end:
        log.wait_for_timeout(50)
    assert decisions(log) == [login, login]

    page.close()
    everyday.new_browser_cdp_session().send("Browser.close")
    process.wait(PATIENCE / 1000)
    kept = {str(path): held for path in profile.rglob("*") if (held := content(path)) is not None}
    assert len(kept) > 20
    assert not [name for name, held in kept.items() if VALUE.encode() in held]
