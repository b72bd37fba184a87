"""The whole road from a sandbox: agent, tunnel, TLS front, Chromium, seal, file; and what the front gets to see."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.agent import ROOT, Agent
from tests.browser.conftest import ARGUMENTS, PATIENCE
from tests.browser.person import VALUE, open_page, write
from tests.tunnel.world import alive

pytestmark = [pytest.mark.browser, pytest.mark.skipif(sys.platform == "win32", reason="no public links there")]


class Edge:
    """The process that stands in for all that is outside, and its memory of what passed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.tunnel.edge", str(folder)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.facts = self._line()
        self.file = folder / "facts.json"
        self.file.write_text(json.dumps(self.facts))

    def _line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def passed(self) -> tuple[bytes, bytes]:
        """All bytes that went up to the page and came down from it so far, after TLS."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()
        told = self._line()
        up, down = (b"".join(map(base64.b64decode, told[way])) for way in ("up", "down"))
        return up, down

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def edge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edge]:
    started = Edge(tmp_path_factory.mktemp("edge") / "bin")
    yield started
    started.close()


@pytest.fixture(scope="module")
def visitor(playwright: Playwright, edge: Edge) -> Iterator[Browser]:
    """A Chromium for which the tunnel's name leads to the front, whose key it takes for good."""
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("needs chromium")
    rules = f"MAP {edge.facts['host']}:443 127.0.0.1:{edge.facts['https_port']}"
    arguments = [f"--host-resolver-rules={rules}", f"--ignore-certificate-errors-spki-list={edge.facts['spki']}"]
    browser = playwright.chromium.launch(executable_path=found, args=[*ARGUMENTS, *arguments])
    yield browser
    browser.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def agent(project: Path, edge: Edge) -> Iterator[Agent]:
    argv = [sys.executable, "-m", "tests.tunnel.remote_mcp", str(edge.file)]
    path = f"{edge.facts['path']}:{os.environ['PATH']}"
    with Agent(project, argv, OFFPROMPT_TUNNEL="", PATH=path) as started:
        yield started


@pytest.fixture
def page(visitor: Browser) -> Iterator[Page]:
    context = visitor.new_context()
    yield context.new_page()
    context.close()


def test_a_value_takes_the_whole_road_sealed_and_the_front_never_sees_it(
    agent: Agent, page: Page, project: Path, edge: Edge
) -> None:
    asked = agent.collect("SOME_KEY", reason="Over the tunnel")
    assert asked["url"].startswith(f"https://{edge.facts['host']}/r/")
    assert str(asked["expires_in"]).startswith("17")
    open_page(page, asked["url"])
    expect(page.locator(".where")).to_contain_text("shop")
    expect(page.locator(".where")).not_to_contain_text(str(project.parent))
    page.get_by_label("SOME_KEY", exact=True).fill(VALUE)
    write(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
    answered = agent.call("await_secret", request_id=asked["request_id"])
    assert answered["status"] == "written"
    assert answered["fingerprint"] == " ".join(page.locator(".emoji").all_text_contents())
    assert VALUE in (project / ".env").read_text()
    up, down = edge.passed()
    assert b"/r/" in up
    key = asked["url"].rpartition("#k=")[2].encode()
    for secret in (VALUE.encode(), base64.b64encode(VALUE.encode())[:-4], VALUE.encode().hex().encode()):
        assert secret not in up + down
    assert key not in up  # what stands behind # never leaves the browser
    assert VALUE.encode() not in agent.said()


def test_within_a_step_no_length_can_be_told_from_what_passes(agent: Agent, page: Page, edge: Edge) -> None:
    sizes = []
    for value in ("x", "made-up" * 200):
        before = len(edge.passed()[0])
        asked = agent.collect("SOME_KEY", reason=str(len(value)))
        open_page(page, asked["url"])
        page.get_by_label("SOME_KEY", exact=True).fill(value)
        write(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Written to .env")
        up = edge.passed()[0][before:]
        sizes.append(re.findall(rb"POST /r/[^\r]*\r\n(?:[^\r]*\r\n)*?[Cc]ontent-[Ll]ength: (\d+)", up))
    assert len(sizes[0]) == 1
    assert sizes[0] == sizes[1]


def test_the_page_answers_under_the_tunnels_name_alone(agent: Agent, edge: Edge) -> None:
    path = "/r/" + agent.collect("SOME_KEY")["url"].partition("/r/")[2].partition("#")[0]
    trust = ssl.create_default_context(cadata=edge.facts["pem"])
    statuses = []
    for host in (edge.facts["host"], "other.trycloudflare.com", f"{edge.facts['host']}.example"):
        with socket.create_connection(("127.0.0.1", edge.facts["https_port"])) as plain:
            line = trust.wrap_socket(plain, server_hostname=edge.facts["host"])
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            statuses.append(int(line.recv(12).split()[1]))
            line.close()
    assert statuses == [200, 421, 421]


def test_the_link_is_dead_when_the_agents_session_has_ended(project: Path, page: Page, edge: Edge) -> None:
    argv = [sys.executable, "-m", "tests.tunnel.remote_mcp", str(edge.file)]
    with Agent(project, argv, OFFPROMPT_TUNNEL="", PATH=f"{edge.facts['path']}:{os.environ['PATH']}") as agent:
        asked = agent.collect("SOME_KEY")
        open_page(page, asked["url"])
    started = json.loads((Path(edge.facts["path"]) / "starts.jsonl").read_text().splitlines()[-1])
    end = time.monotonic() + PATIENCE / 1000
    while alive(started["pid"]):  # killed with the session; the system reaps it in its time
        assert time.monotonic() < end, "cloudflared outlives the session"
        time.sleep(0.02)
    expect(page.locator("#contact")).not_to_have_text("Connected")
