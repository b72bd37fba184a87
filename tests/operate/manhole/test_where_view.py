"""An operator reads where the service runs and why."""

from __future__ import annotations

from offprompt.operate.manhole.where_view import Where


def test_the_place_comes_with_its_reason():
    where = Where("away", "SSH_CONNECTION is set: this machine is used over SSH.")
    assert repr(where) == "away: SSH_CONNECTION is set: this machine is used over SSH."
