"""What an agent asks for.

The limits are those of the tool's contract (docs/protocol.md, "Tools"). `agent/tools/arguments.py` keeps them, with a
sentence for each; what is checked here as well is what the rest of the program relies on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

MAX_ENTRIES = 12
"""Values asked for in one request: more do not fit on a page that a person reads before typing."""
MAX_NAME = 128
MAX_REASON = 2000
MAX_CAPTION = 90
MAX_PATH = 1024
"""Characters of a path inside the project: PATH_MAX of macOS, the smallest of the systems'."""
MIN_GENERATED, MAX_GENERATED = 16, 64
"""Random bytes of a generated value: 128 bits is the least that resists guessing, 64 bytes the most a key is long."""

NAME = re.compile(rf"[A-Z][A-Z0-9_]{{0,{MAX_NAME - 1}}}\Z")

Encoding = Literal["base64url", "base64", "hex"]
ENCODINGS: tuple[Encoding, ...] = ("base64url", "base64", "hex")


@dataclass(frozen=True, slots=True)
class Generate:
    """A value that offprompt makes itself: `bytes` of randomness (16 to 64) in `encoding`."""

    bytes: int = 32
    encoding: Encoding = "base64url"


@dataclass(frozen=True, slots=True)
class Entry:
    """One value that is asked for. At most one of `provider`, `format` and `generate` is set.

    `secret` None leaves it to the registry whether the value is shown while typing.
    """

    name: str
    provider: str = ""
    format: str = ""
    caption: str = ""
    generate: Generate | None = None
    secret: bool | None = None


@dataclass(frozen=True, slots=True)
class SinkSpec:
    """Where the values go: `kind` names a sink, `path` is relative to the project."""

    kind: str = "dotenv"
    path: str = ".env"


@dataclass(frozen=True, slots=True)
class RequestSpec:
    """Everything an agent says about what it needs; equal specs of one session and project are one request.

    A spec has at least one entry, names of environment variables alone, and each name once.
    """

    entries: tuple[Entry, ...]
    reason: str = ""
    sink: SinkSpec = field(default_factory=SinkSpec)

    def __post_init__(self) -> None:
        names = [entry.name for entry in self.entries]
        if not names or len(set(names)) != len(names) or not all(map(NAME.match, names)):
            raise ValueError("a request has entries, and each has a name of its own")

    @property
    def names(self) -> tuple[str, ...]:
        """The requested names, in the agent's order."""
        return tuple(entry.name for entry in self.entries)

    @property
    def generated_only(self) -> bool:
        """Whether nobody has to type anything."""
        return all(entry.generate is not None for entry in self.entries)
