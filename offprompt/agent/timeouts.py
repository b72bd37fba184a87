"""How long the door waits for somebody other than the person. The person's time is in `arguments`."""

from __future__ import annotations

FETCH = 5.0
"""Seconds a browser that we opened has to fetch the page, until it counts as not opened."""
ELICITATION = 60.0
"""Seconds a client has to ask the person whether to open the page (docs/protocol.md, E3), within the call's own."""
FRESH = 2.0
"""Seconds before the end of a wait at which the link is proven anew: none is handed out on a proof of over 10 s."""
ROOTS = 2.0
"""Seconds a client has to name its folders (docs/protocol.md, P6)."""
PROGRESS_EVERY = 10.0
"""Seconds between two notes of progress; OpenCode's limit of 60 s starts anew with each (docs/protocol.md, W3)."""
GENERATING = 45.0
"""Seconds a repeated call waits for a write of generated values under way: a lock takes 5 s, a disk its time."""
LAST_ANSWERS = 0.1
"""Seconds that calls under way have to end by themselves when their client says nothing more."""
LAST_WORDS = 0.2
"""Seconds for what is still to be sent then: hosts kill 0.4 s after their first signal (docs/protocol.md, P2)."""
