"""From a sandbox: the link leads a real Chromium through TLS and a tunnel to the page, and only ciphertext passes.

Cloudflare and its program are stood in for (tests/tunnel/edge.py); the service, the page and the browser are real.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.browser.conftest import ARGUMENTS
from tests.browser.person import open_page
from tests.cli.mcp_process import Session, call, session, told
from tests.tunnel.edge import OFFPROMPT
from tests.tunnel.world import alive

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no public links there"),
]

ROOT = Path(__file__).parents[2]
SHORT, LONG = "made-up-short", "made-up-long-" + "x" * 1500


class Edge:
    """The process that stands in for Cloudflare; `facts` is where it is."""

    def __init__(self, folder: Path, behaviour: str = "ok") -> None:
        command = [sys.executable, "-m", "tests.tunnel.edge", str(folder), behaviour]
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, cwd=ROOT, text=True)
        assert self._process.stdout is not None
        self.facts: dict[str, Any] = json.loads(self._process.stdout.readline())
        self._passages: list[tuple[bytes, bytes]] | None = None

    def passages(self) -> list[tuple[bytes, bytes]]:
        """What has gone up to the page and come down from it on each connection; ends the edge."""
        if self._passages is None:
            out, _ = self._process.communicate(timeout=20)
            self._passages = [(base64.b64decode(up), base64.b64decode(down)) for up, down in json.loads(out)]
        return self._passages

    def children(self) -> list[int]:
        """The process ids of every cloudflared that was started."""
        starts = Path(self.facts["bin"]) / "starts.jsonl"
        return [json.loads(line)["pid"] for line in starts.read_text().splitlines()] if starts.exists() else []


@pytest.fixture
def edge(tmp_path: Path) -> Iterator[Edge]:
    made = Edge(tmp_path / "edge")
    yield made
    made.passages()


@pytest.fixture
def agent(edge: Edge, tmp_path: Path) -> Iterator[Session]:
    environ = {
        "PATH": f"{edge.facts['bin']}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "OFFPROMPT_TUNNEL": "on",
    }
    with session(tmp_path / "session", argv=[*OFFPROMPT, "mcp", json.dumps(edge.facts)], **environ) as one:
        yield one


@pytest.fixture
def page(edge: Edge, playwright: Playwright) -> Iterator[Page]:
    """A page in a browser that finds `*.trycloudflare.com` at the edge and trusts its certificate."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("needs chromium")
    rules = f"--host-resolver-rules=MAP *.trycloudflare.com 127.0.0.1:{edge.facts['https_port']}"
    trusted = f"--ignore-certificate-errors-spki-list={edge.facts['spki']}"
    browser = playwright.chromium.launch(executable_path=found, args=[*ARGUMENTS, rules, trusted])
    yield browser.new_page()
    browser.close()


def answer(page: Page, link: str, **values: str) -> list[str]:
    """Open the link, type, press the button; the four emoji."""
    open_page(page, link)
    for name, value in values.items():
        page.get_by_label(name, exact=True).fill(value)
    page.locator(".write").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    return page.locator(".emoji").all_text_contents()


def test_a_person_answers_through_the_tunnel_and_cloudflare_sees_ciphertext(page: Page, agent: Session, edge: Edge):
    asked = agent.open_request("FIRST", "SECOND")
    link = asked["url"]
    assert link.startswith(f"https://{edge.facts['host']}/r/")
    four = answer(page, link, FIRST=SHORT, SECOND=LONG)
    answered = told(agent.ask(call(2, "await_secret", request_id=asked["request_id"])))
    assert (answered["status"], answered["fingerprint"]) == ("written", " ".join(four))
    written = (agent.project / ".env").read_text()
    assert SHORT in written
    assert LONG in written
    key = link.partition("#k=")[2]
    passed = b"".join(up + down for up, down in edge.passages())
    assert b"FIRST" in passed  # what passes is looked at in clear, as Cloudflare could
    for secret in (SHORT, LONG, key, str(agent.project)):
        assert secret.encode() not in passed
        assert base64.b64encode(secret.encode())[:-4] not in passed
    for said in (SHORT, LONG, key):
        assert said not in agent.said()


def test_what_passes_has_the_same_size_for_a_short_and_a_long_value(page: Page, agent: Session, edge: Edge):
    agent.shake_hands()
    for number, value in enumerate((SHORT, LONG)):
        asked = told(agent.ask(call(10 + number, "collect_secret", secrets=[{"name": f"KEY_{number}"}])))
        answer(page, asked["url"], **{f"KEY_{number}": value})
    bodies = [part.partition(b"\r\n\r\n")[2] for up, _ in edge.passages() for part in up.split(b"POST /r/")[1:]]
    sealed = [len(json.loads(body[: body.index(b"}") + 1])["sealed"]) for body in bodies]
    assert len(sealed) == 2
    assert sealed[0] == sealed[1]


def test_when_the_session_ends_the_tunnel_is_gone_at_once(page: Page, agent: Session, edge: Edge):
    asked = agent.open_request("FIRST")
    open_page(page, asked["url"])
    (child,) = edge.children()
    assert alive(child)
    agent.close_stdin()
    assert agent.exit()[0] == 0
    assert not alive(child)
    response = page.goto(asked["url"].partition("#")[0])
    assert response is not None
    assert response.status == 502
