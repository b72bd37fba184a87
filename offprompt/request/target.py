"""What is known of the place a request writes to, when it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Git = Literal["none", "unknown", "tracked", "untracked"]
"""`none`: no repository. `unknown`: a `.git` exists above the file, but git gave no answer."""

Trust = Literal["", "shell", "hooks", "ci", "editor", "build", "packages", "agent", "login", "python", "runs"]
"""What runs the file or trusts it; "" when nothing does."""


@dataclass(frozen=True, slots=True)
class TargetState:
    """A sink's target as it was found, judged by where its path lands.

    Attributes:
        exists: whether it is there.
        git: what git knows of it.
        ignored: whether git ignores it.
        readable_by_others: whether another account can read it now.
        keys: the names a dotenv file holds, in its order; () for another kind of file.
        lands: the path from the project with links resolved; "" when that is the path that was asked for.
        public: the folder by which web servers serve the file to everyone, such as `public`; "" for none.
        trusted: what runs the file or trusts it.
        writable: False when the file system's rights refuse the write.
    """

    exists: bool = False
    git: Git = "none"
    ignored: bool = False
    readable_by_others: bool = False
    keys: tuple[str, ...] = ()
    lands: str = ""
    public: str = ""
    trusted: Trust = ""
    writable: bool = True

    @property
    def tracked(self) -> bool:
        """Whether git tracks it."""
        return self.git == "tracked"

    def shown(self, path: str) -> str:
        """Return `path` as a person sees it: with the place where it lands when that is another."""
        return f"{path} → {self.lands}" if self.lands else path

    @property
    def needs_consent(self) -> bool:
        """Whether the person has to agree before anything is written."""
        return self.git in ("tracked", "unknown") or bool(self.public or self.trusted)
