"""The release of cloudflared that offprompt downloads where none is installed."""

from __future__ import annotations

from dataclasses import dataclass

VERSION = "2026.9.1"
RELEASES = "https://github.com/cloudflare/cloudflared/releases/download/"
"""Where Cloudflare publishes them: `<RELEASES><VERSION>/<asset>`."""

LEAST_BYTES = 10_000_000
"""A cloudflared is 35 to 45 MB, packed for macOS 15 to 20; what is smaller is an error page (an asset of 45 bytes was
once published)."""
MOST_BYTES = 100_000_000
"""More than twice the largest so far; no download goes on beyond it."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the release; `least` and `most` are the sizes in bytes that are possible at all."""

    name: str
    sha256: str
    version: str = VERSION
    least: int = LEAST_BYTES
    most: int = MOST_BYTES

    @property
    def packed(self) -> bool:
        """Whether it is an archive with the program in it."""
        return self.name.endswith(".tgz")


_AMD64 = ("x86_64", "amd64", "AMD64")
_ARM64 = ("aarch64", "arm64", "ARM64")

ASSETS = {
    ("linux", _AMD64): Asset(
        "cloudflared-linux-amd64", "03f1f25d1cc93b9ad6c60569d44060bc4f17ed97075760ed8cfca4b12dcd68cc"
    ),
    ("linux", _ARM64): Asset(
        "cloudflared-linux-arm64", "3d97437c71848bd8df68041e12436b484a661d95073ea1937f01a845ce88faa3"
    ),
    ("darwin", _AMD64): Asset(
        "cloudflared-darwin-amd64.tgz", "ff0d3b51d5ff70eceef89d6b32145fee985018a2174596a5dbe405e2766e2ac4"
    ),
    ("darwin", _ARM64): Asset(
        "cloudflared-darwin-arm64.tgz", "c27ab8fd0aa489449e3d201eb02f957ef460a13b613662928b1b23394bf1bcfe"
    ),
}
"""By system (`sys.platform`) and machine (`platform.machine()`)."""


def asset_for(system: str, machine: str) -> Asset | None:
    """The asset that runs on `system` and `machine`, or None."""
    return next((asset for (on, machines), asset in ASSETS.items() if on == system and machine in machines), None)
