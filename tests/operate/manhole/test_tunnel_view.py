from __future__ import annotations

from dataclasses import dataclass

import pytest

from offprompt.operate.manhole.tunnel_view import TunnelNow, tunnel_view

HOST = "four-made-up-words.trycloudflare.com"


@dataclass
class Told:
    """What a tunnel tells of itself."""

    state: str = "down"
    since: float = 10.0
    last_error: str = ""
    attempts: int = 0
    at: str = ""

    def host(self) -> str:
        return self.at


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (Told(), ["no tunnel is running", "1m05s", "started 0 times"]),
        (Told("up", 10.0, "", 1, HOST), ["the tunnel is up", HOST, "started once"]),
        (Told("resting", 10.0, "Cloudflare said no.", 3), ["after a rest", "last problem: Cloudflare said no."]),
        (Told("unheard-of"), ["unheard-of (for"]),
    ],
)
def test_an_operator_reads_how_the_tunnel_stands(told: Told, words: list[str]) -> None:
    shown = repr(tunnel_view(told, lambda: 75.9))
    for word in words:
        assert word in shown


def test_the_same_comes_as_an_object() -> None:
    view = tunnel_view(Told("up", 10.0, "", 2, HOST), lambda: 20.0)
    assert view.now() == TunnelNow("up", 10, HOST, 2, "")


def test_what_cloudflared_said_does_not_move_the_cursor() -> None:
    assert "\x1b" not in repr(tunnel_view(Told(last_error="\x1b[2J", at="a\x1bb"), lambda: 0.0))


def test_no_attribute_leads_to_the_tunnel() -> None:
    told = Told()
    view = tunnel_view(told, lambda: 0.0)
    assert not any(getattr(view, name) is told for name in dir(view))
    assert not hasattr(view, "__dict__")


@pytest.mark.parametrize("state", ["down", "finding", "starting", "proving", "up", "resting", "stopped"])
def test_every_state_of_the_tunnel_has_words(state: str) -> None:
    assert not repr(tunnel_view(Told(state), lambda: 0.0)).startswith(f"{state} (")
