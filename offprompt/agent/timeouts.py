"""How long the door waits: for the person, and for others."""

from __future__ import annotations

MAX_WAIT = 240
"""Seconds that collect_secret may wait with a progress token: Codex and Cursor cut a call at 300 s whatever we
report."""
DEFAULT_WAIT = 110
"""Seconds with a token, unless asked otherwise: an interactive Claude Code moves a call to the background at 120 s."""
SHORT_WAIT = 45
"""Seconds without a token, and for await_secret: three clients cut a call at 60 s."""
FETCH = 5.0
"""Seconds a browser that we opened has to fetch the page, until it counts as not opened."""
ELICITATION = 60.0
"""Seconds a client has to ask the person whether to open the page, within the call's own (docs/protocol.md, E3)."""
FRESH = 2.0
"""Seconds before the end of a wait at which the link is proven anew: a proof is good for 10 s."""
ROOTS = 2.0
"""Seconds a client has to name its folders (docs/protocol.md, P6)."""
PROGRESS_EVERY = 10.0
"""Seconds between two notes of progress; OpenCode's limit of 60 s starts anew with each (docs/protocol.md, W3)."""
GENERATING = 45.0
"""Seconds a repeated call waits for a write of generated values under way: a lock takes 5 s, a disk its time."""
LAST_ANSWERS = 0.1
"""Seconds that calls under way have to end by themselves once their client says nothing more."""
LAST_WORDS = 0.2
"""Seconds for what is still to be sent at the end: hosts kill 0.4 s after their first signal (docs/protocol.md, P2)."""
