"""How long requests live, as docs/protocol.md promises it."""

from __future__ import annotations

from offprompt.request.lifetime import MEMORY, lifetime


def test_a_link_is_good_for_ten_minutes_here_and_for_thirty_from_elsewhere() -> None:
    assert (lifetime(remote=False), lifetime(remote=True)) == (600, 1800)


def test_a_closed_request_is_remembered_for_an_hour() -> None:
    assert MEMORY == 3600
