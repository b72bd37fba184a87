from __future__ import annotations

import pytest

from offprompt.operate.state import state_directory


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, "/home/made-up/.local/state/offprompt"),
        ({"XDG_STATE_HOME": ""}, "/home/made-up/.local/state/offprompt"),
        ({"XDG_STATE_HOME": "relative"}, "/home/made-up/.local/state/offprompt"),
        ({"XDG_STATE_HOME": "/var/state"}, "/var/state/offprompt"),
    ],
)
def test_the_state_folder_is_where_xdg_says(environ: dict[str, str], wanted: str) -> None:
    assert state_directory(environ, "/home/made-up") == wanted
