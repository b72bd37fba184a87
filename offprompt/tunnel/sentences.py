"""What people and agents read while a link is made. Why none can be made is told by `errors/tunnel.py`."""

from __future__ import annotations

LOOKING = "Looking for cloudflared."
DOWNLOADING = "Downloading cloudflared: {done} of {size} MB."
DOWNLOADING_UNSIZED = "Downloading cloudflared: {done} MB so far."
ASKING = "Asking Cloudflare for a link."
CONNECTING = "Cloudflare made a link; connecting it."
CHECKING = "The link is connected; waiting until it can be reached."
WORKS = "The link works."
LOST = "The link has stopped working."
AGAIN_NOW = "Making a new link."
AGAIN = "Making a new link in {seconds} seconds."
