"""What keeps an operator out."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class NoManhole(OffpromptError):
    """No manhole answers at {place}. Start the service with --manhole=default as the same user, or say where it is
    with --at."""


class NoSsh(OffpromptError):
    """The manhole is reached with OpenSSH's client, and there is no ssh on this computer's PATH. Install it first."""
