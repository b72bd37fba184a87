"""What an agent asks for, as values that cannot be wrong.

The limits are those of the tool's contract (docs/protocol.md, "Tools"); an agent's arguments become these classes, and
whatever they refuse is refused in words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from offprompt import errors
from offprompt.text import is_storable

MAX_ENTRIES = 12
"""Values asked for in one request: more do not fit on a page that a person reads before typing."""
MAX_NAME = 128
MAX_REASON = 2000
MAX_CAPTION = 90
MAX_PATH = 1024
"""Characters of a path inside the project: PATH_MAX of macOS, the smallest of the systems'."""
MIN_GENERATED, MAX_GENERATED = 16, 64
"""Random bytes of a generated value: 128 bits is the least that resists guessing, 64 bytes the most a key is long."""

NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")

SinkKind = Literal["dotenv", "file"]
Encoding = Literal["base64url", "base64", "hex"]
ENCODINGS: tuple[Encoding, ...] = ("base64url", "base64", "hex")
SINK_KINDS: tuple[SinkKind, ...] = ("dotenv", "file")


@dataclass(frozen=True, slots=True)
class Generate:
    """A value that offprompt makes itself: `bytes` of randomness (16 to 64) in `encoding`."""

    bytes: int = 32
    encoding: Encoding = "base64url"

    def __post_init__(self) -> None:
        if not MIN_GENERATED <= self.bytes <= MAX_GENERATED:
            raise errors.BadGenerate(least=MIN_GENERATED, most=MAX_GENERATED)
        if self.encoding not in ENCODINGS:
            raise errors.BadEncoding(encodings=", ".join(ENCODINGS))


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

    def __post_init__(self) -> None:
        if len(self.name) > MAX_NAME or not NAME.match(self.name):
            raise errors.BadName(most=MAX_NAME)
        if sum((bool(self.provider), bool(self.format), self.generate is not None)) > 1:
            raise errors.TwoWays(name=self.name)
        if len(self.caption) > MAX_CAPTION or not is_storable(self.caption):
            raise errors.BadCaption(name=self.name, most=MAX_CAPTION)


@dataclass(frozen=True, slots=True)
class SinkSpec:
    """Where the values go: `kind`, and `path` relative to the project."""

    kind: SinkKind = "dotenv"
    path: str = ".env"

    def __post_init__(self) -> None:
        if self.kind not in SINK_KINDS:
            raise errors.BadSink(kinds=", ".join(SINK_KINDS))
        if not self.path or len(self.path) > MAX_PATH or not is_storable(self.path):
            raise errors.BadPath(most=MAX_PATH)


@dataclass(frozen=True, slots=True)
class RequestSpec:
    """Everything an agent says about what it needs; equal specs of one session and project are one request."""

    entries: tuple[Entry, ...]
    reason: str = ""
    sink: SinkSpec = field(default_factory=SinkSpec)

    def __post_init__(self) -> None:
        if not 1 <= len(self.entries) <= MAX_ENTRIES:
            raise errors.BadCount(most=MAX_ENTRIES)
        names = [entry.name for entry in self.entries]
        if len(set(names)) != len(names):
            raise errors.NameTwice(name=next(name for name in names if names.count(name) > 1))
        if self.sink.kind == "file" and len(names) > 1:
            raise errors.SeveralForFile(count=len(names))
        if len(self.reason) > MAX_REASON or not is_storable(self.reason):
            raise errors.BadReason(most=MAX_REASON)

    @property
    def names(self) -> tuple[str, ...]:
        """The requested names, in the agent's order."""
        return tuple(entry.name for entry in self.entries)

    @property
    def generated_only(self) -> bool:
        """Whether nobody has to type anything."""
        return all(entry.generate is not None for entry in self.entries)
