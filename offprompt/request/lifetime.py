"""How long a request lives: open, in sight, and remembered. All in seconds of the service's clock."""

from __future__ import annotations

LIFETIME_HERE = 10 * 60.0
"""A link is good for this long on the person's own machine, where the page opens by itself."""
LIFETIME_REMOTE = 30 * 60.0
"""And for this long from a sandbox, where the person may be away from the agent and has to carry the link over."""

SIGHT = 25.0
"""Without a sign for this long, a page counts as closed: it asks every 10 s, a busy browser later."""

MEMORY = 60 * 60.0
"""A closed request is remembered for this long, so that a late page and a repeated `await_secret` get an answer."""


def lifetime(remote: bool) -> float:
    """Return how long a link is good for; `remote` is whether the person is elsewhere."""
    return LIFETIME_REMOTE if remote else LIFETIME_HERE
