"""How cloudflared is started: its command line, its own settings, its environment.

A person's own cloudflared settings, in files or variables, would take the tunnel over: an `ingress` rule wins over
`--url`, `TUNNEL_HELLO_WORLD` serves another page, `TUNNEL_LOGLEVEL` hides the address. None of them reaches our child.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from offprompt.children.environment import child_environment

CONFIG_NAME = "config.yml"
CONFIG = "no-autoupdate: true\n"
"""Its whole content. A file of ours stops cloudflared from looking for others; it logs an empty one as an error."""

OLDEST = (2024, 10, 0)
"""The oldest cloudflared used from PATH: the first that logs what Cloudflare answers when it refuses a link. It knows
all flags below."""

_PASSED_ON = frozenset({"SSL_CERT_FILE", "SSL_CERT_DIR"})
"""Beside what every child of ours gets."""

_VERSION = re.compile(r"\Acloudflared version (\d{4})\.(\d{1,2})\.(\d{1,3})\b")


def command_line(program: str, folder: str, port: int) -> list[str]:
    """Return the command of a quick tunnel to `port` on 127.0.0.1, with its settings in `folder`.

    `--protocol auto` with these two limits falls back from QUIC to HTTP/2 within 7 seconds where UDP is blocked, and
    the default not at all; a grace of 1 s ends it in 1.1 s instead of 30 (both measured with 2026.8.2). No flag here is
    younger than 2022.12: cloudflared answers an unknown one with its usage text and exit code 0.
    """
    return [
        program, "tunnel",
        "--config", os.path.join(folder, CONFIG_NAME),
        "--no-autoupdate",
        "--url", f"http://127.0.0.1:{port}",
        "--protocol", "auto",
        "--max-edge-addr-retries", "0",
        "--retries", "2",
        "--metrics", "127.0.0.1:0",
        "--loglevel", "info",
        "--grace-period", "1s",
    ]  # fmt: skip


def cloudflared_environment(environ: Mapping[str, str], folder: str, projects: Iterable[str] = ()) -> dict[str, str]:
    """Return the child's environment: little of `environ`, its home in `folder`, no connectivity checks at the start.

    Its PATH leads to nothing in `projects`.
    """
    passed = child_environment(environ, _PASSED_ON, projects)
    # cloudflared logs every variable with TUNNEL_ in its name or its value.
    passed = {name: value for name, value in passed.items() if "TUNNEL_" not in value}
    return passed | {"HOME": folder, "TUNNEL_NO_PRECHECKS": "true"}


def version_in(output: str) -> tuple[int, int, int] | None:
    """Return the version that `cloudflared --version` printed, or None when it printed something else."""
    found = _VERSION.match(output)
    return (int(found.group(1)), int(found.group(2)), int(found.group(3))) if found else None
