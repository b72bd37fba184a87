"""What is known of the place a request writes to, when it is opened."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TargetState:
    """A sink's target as it was found.

    `git` is False when git does not know the folder (no git, no repository, an error): `tracked` and `ignored` are then
    False. `keys` are the names a dotenv file holds, in its order; `()` for another kind of file.
    """

    exists: bool = False
    tracked: bool = False
    ignored: bool = False
    git: bool = False
    readable_by_others: bool = False
    keys: tuple[str, ...] = ()
