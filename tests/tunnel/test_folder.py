from __future__ import annotations

import pytest

from offprompt.tunnel.folder import cache_folder


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({}, "/home/me/.cache/offprompt"),
        ({"XDG_CACHE_HOME": "/caches"}, "/caches/offprompt"),
        ({"XDG_CACHE_HOME": "caches"}, "/home/me/.cache/offprompt"),
        ({"PLUGIN_DATA": "/plugins/offprompt", "XDG_CACHE_HOME": "/caches"}, "/plugins/offprompt"),
        ({"CLAUDE_PLUGIN_DATA": "/claude", "PLUGIN_DATA": "/plugins"}, "/claude"),
        ({"CLAUDE_PLUGIN_DATA": "claude", "PLUGIN_DATA": "/plugins"}, "/plugins"),
        ({"CLAUDE_PLUGIN_DATA": "", "PLUGIN_DATA": "."}, "/home/me/.cache/offprompt"),
    ],
)
def test_the_folder_is_the_hosts_for_plugins_else_the_users_cache(environ, folder):
    assert cache_folder(environ, "/home/me") == folder
