"""A real tunnel, by a real cloudflared, through Cloudflare. `make test-tunnel` runs it; it needs the internet.

It also checks against the real program what the other tests take from records: its flags, its words, its end.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.answering import answer
from tests.cli.mcp_process import call, session, told

pytestmark = pytest.mark.skipif(
    os.environ.get("OFFPROMPT_TEST_TUNNEL") != "1", reason="opens a tunnel through Cloudflare: make test-tunnel"
)

VALUE = "made-up-value-through-a-real-tunnel"


def test_a_person_far_away_answers_through_a_real_tunnel(tmp_path: Path):
    kept = {name: os.environ[name] for name in ("XDG_CACHE_HOME", "SSL_CERT_FILE") if name in os.environ}
    with session(tmp_path / "session", OFFPROMPT_TUNNEL="on", **kept) as agent:
        asked = agent.open_request("FIRST")
        for number in range(2, 6):  # a slow download or a late name: the link comes with a later answer
            if asked.get("url", "").startswith("https://"):
                break
            asked = told(agent.ask(call(number, "await_secret", request_id=asked["request_id"], wait_seconds=15)))
        assert asked["url"].startswith("https://"), asked["note"]
        assert ".trycloudflare.com/r/" in asked["url"]
        four = answer(asked["url"], {"FIRST": VALUE})
        written = told(agent.ask(call(9, "await_secret", request_id=asked["request_id"])))
        assert (written["status"], written["fingerprint"]) == ("written", " ".join(four))
        assert VALUE in (agent.project / ".env").read_text()
        agent.close_stdin()
        assert agent.exit()[0] == 0
