"""Where a downloaded cloudflared is kept."""

from __future__ import annotations

import os
from collections.abc import Mapping


def cache_folder(environ: Mapping[str, str], home: str) -> str:
    """Where a download is kept: the host's folder for plugin data, else the user's cache."""
    for name in ("CLAUDE_PLUGIN_DATA", "PLUGIN_DATA"):
        folder = environ.get(name, "")
        if os.path.isabs(folder):
            return folder
    caches = environ.get("XDG_CACHE_HOME", "")
    # The XDG specification has relative paths ignored.
    return os.path.join(caches if os.path.isabs(caches) else os.path.join(home, ".cache"), "offprompt")
