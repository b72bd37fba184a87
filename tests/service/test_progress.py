"""What is said of a public link on its way, and when it is no longer true."""

from __future__ import annotations

import pytest

from offprompt.service.progress import Progress


def test_a_sentence_is_handed_on_and_is_the_phase_while_the_tunnel_is_on_its_way() -> None:
    heard: list[str] = []
    progress = Progress(heard.append)
    assert progress.phase("starting") == ""
    progress.say("Starting cloudflared.")
    progress.say("Asking for a name.")
    assert heard == ["Starting cloudflared.", "Asking for a name."]
    assert progress.phase("proving") == "Asking for a name."


@pytest.mark.parametrize("state", ["down", "up", "resting", "stopped"])
def test_of_a_tunnel_that_is_up_or_gone_nothing_is_said(state: str) -> None:
    progress = Progress(lambda sentence: None)
    progress.say("Starting cloudflared.")
    assert progress.phase(state) == ""
