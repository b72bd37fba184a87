"""The result of a request whose values are written: names and a fingerprint, never a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KeyOutcome = Literal["added", "replaced", "generated", "kept"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one requested name."""

    name: str
    outcome: KeyOutcome


@dataclass(frozen=True, slots=True)
class Written:
    """The result of a request.

    `fingerprint` is four emoji, or empty when nobody typed a value; `file` the target's path inside the project;
    `outcomes` in the order of the request; `file_keys` the names the file holds, `file_keys_more` how many of its
    lines are left out of them; `shell_differs` the names whose value a shell that sources the file reads differently.
    """

    fingerprint: tuple[str, ...]
    file: str
    outcomes: tuple[Outcome, ...]
    file_keys: tuple[str, ...] = ()
    shell_differs: tuple[str, ...] = ()
    file_keys_more: int = 0
