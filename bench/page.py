"""The page over the wire, and how soon a person can type, on a throttled connection and on a free one.

    make bench-page
    python bench/page.py --runs 5

Beside it, in the same run, a page of one field that brings libsodium-wrappers, the usual way to seal in a browser
(peers/sealed_page.mjs). Throttled is 400 kbit/s and 400 ms of latency, as Chromium's developer tools emulate it.
Budget: 60 KB compressed, one request.

Then, for twelve fields of known providers, how long a keystroke takes from its event to checks that are updated and
laid out. Budget: 8 ms, half a frame.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from client import Client
from playwright.sync_api import Browser, sync_playwright
from table import show

PEERS = Path(__file__).parent / "peers"
CHROMIUM = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
THROTTLED = {"offline": False, "latency": 400, "downloadThroughput": 400_000 / 8, "uploadThroughput": 400_000 / 8}
TWELVE = [
    {"name": name}
    for name in (
        "STRIPE_SECRET_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DATABASE_URL", "RESEND_API_KEY", "GITHUB_TOKEN",
        "SENDGRID_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "SLACK_BOT_TOKEN", "TWILIO_AUTH_TOKEN",
        "CLERK_SECRET_KEY",
    )
]  # fmt: skip
TYPE = """length => {
    const took = [];
    for (const field of document.querySelectorAll('.typed')) {
        field.focus();
        for (let at = 0; at < length; at += 1) {
            field.setRangeText('sk_live_x'[at % 9], at, at, 'end');
            const began = performance.now();
            field.dispatchEvent(new InputEvent('input', {bubbles: true, inputType: 'insertText'}));
            document.body.offsetHeight;
            took.push(performance.now() - began);
        }
    }
    return took;
}"""


def sizes(url: str) -> tuple[int, int]:
    """Bytes of the body, raw and with gzip."""
    found = []
    for encoding in ("identity", "gzip"):
        request = urllib.request.Request(url, headers={"Accept-Encoding": encoding, "Accept": "text/html"})
        with urllib.request.urlopen(request) as answer:
            found.append(len(answer.read()))
    return found[0], found[1]


def visit(browser: Browser, url: str, *, throttled: bool) -> tuple[int, float, float, float]:
    """Requests, ms to first paint, ms to a field that has taken a letter, MiB of the tab's script."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Performance.enable")
    if throttled:
        devtools.send("Network.emulateNetworkConditions", THROTTLED)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    began = time.perf_counter()
    page.goto(url, wait_until="commit")
    field = page.locator("input:enabled:visible, textarea:enabled:visible").first
    field.press_sequentially("x")
    typed = (time.perf_counter() - began) * 1e3
    page.wait_for_load_state()
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    heap = next(m["value"] for m in devtools.send("Performance.getMetrics")["metrics"] if m["name"] == "JSHeapUsedSize")
    context.close()
    return len(requests), paint, typed, heap / 2**20


def keystrokes(browser: Browser, url: str, runs: int) -> list[object]:
    """ms of a keystroke from its event to checks laid out: median, 99th in a hundred, longest."""
    took: list[float] = []
    for _ in range(runs):
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(url)
        page.locator(".typed:enabled").first.wait_for()
        took += page.evaluate(TYPE, 60)
        page.close()
    return [len(took), statistics.median(took), statistics.quantiles(took, n=100)[-1], max(took)]


def row(browser: Browser, label: str, url: str, runs: int) -> list[object]:
    raw, packed = sizes(url)
    cells: list[object] = [label, raw / 1000, packed / 1000]
    for throttled in (False, True):
        visits = [visit(browser, url, throttled=throttled) for _ in range(runs)]
        middle = [statistics.median(column) for column in zip(*visits, strict=True)]
        cells += [middle[1], middle[2]] if throttled else [int(middle[0]), middle[3], middle[1], middle[2]]
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    offprompt = [shutil.which("offprompt") or sys.exit("offprompt is not on PATH: make bench-page"), "mcp"]
    with tempfile.TemporaryDirectory() as project, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM)
        env = {**os.environ, "SSH_CONNECTION": "bench", "OFFPROMPT_TUNNEL": "off", "CLAUDE_PROJECT_DIR": project}
        client = Client(offprompt, cwd=project, env=env)
        # A group of its own, as `node` may be a script that starts the program.
        peer = subprocess.Popen(
            ["node", str(PEERS / "sealed_page.mjs"), project], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            client.initialize()
            assert peer.stdout is not None
            other = f"http://127.0.0.1:{json.loads(peer.stdout.readline())['port']}/"
            urls = {f"offprompt, {len(asked)} fields": link(client, asked) for asked in (TWELVE[:1], TWELVE)}
            rows = [
                row(browser, label, url, runs) for label, url in {**urls, "libsodium-wrappers, 1 field": other}.items()
            ]
            typing = [["offprompt, 12 fields", *keystrokes(browser, urls["offprompt, 12 fields"], runs)]]
        finally:
            client.end()
            os.killpg(peer.pid, signal.SIGKILL)
            peer.wait()
            browser.close()
    columns = [
        "page",
        "raw kB",
        "gzip kB",
        "requests",
        "script MiB",
        "paint ms",
        "typed ms",
        "throttled: paint ms",
        "typed ms",
    ]
    show(f"page: medians of {runs} visits", columns, rows)
    show("keystroke to updated checks", ["page", "keystrokes", "median ms", "p99 ms", "longest ms"], typing)


def link(client: Client, asked: list[dict[str, str]]) -> str:
    told = client.call("collect_secret", {"secrets": asked, "reason": "A **benchmark**."})
    return str(told["structuredContent"]["url"])


if __name__ == "__main__":
    main()
