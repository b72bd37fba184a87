from __future__ import annotations

import os

import pytest

from offprompt.tunnel.command import OLDEST, cloudflared_environment, command_line, version_in


def test_R1_the_command_line_is_the_measured_one():
    assert command_line("/usr/bin/cloudflared", "/private", 40123) == [
        "/usr/bin/cloudflared", "tunnel", "--config", os.path.join("/private", "config.yml"), "--no-autoupdate",
        "--url", "http://127.0.0.1:40123", "--protocol", "auto", "--max-edge-addr-retries", "0", "--retries", "2",
        "--metrics", "127.0.0.1:0", "--loglevel", "info", "--grace-period", "1s",
    ]  # fmt: skip


def test_R3_of_the_environment_only_what_it_needs_is_passed_on():
    environ = {
        "PATH": "/bin", "LANG": "C", "LC_ALL": "C", "TMPDIR": "/tmp", "SSL_CERT_FILE": "/ca.pem", "HOME": "/root",
        "TUNNEL_EDGE": "x", "TUNNEL_HELLO_WORLD": "true", "TUNNEL_LOGLEVEL": "error", "TUNNEL_GRACE_PERIOD": "soon",
        "STDIN_CONTROL": "true", "HTTPS_PROXY": "http://proxy", "OPENAI_API_KEY": "made-up", "NO_TLS_VERIFY": "1",
        "LC_TUNNEL": "has TUNNEL_ in it",
    }  # fmt: skip
    assert cloudflared_environment(environ, "/private") == {
        "PATH": "/bin", "LANG": "C", "LC_ALL": "C", "TMPDIR": "/tmp", "SSL_CERT_FILE": "/ca.pem",
        "HOME": "/private", "TUNNEL_NO_PRECHECKS": "true",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("cloudflared version 2026.9.1 (built 2026-09-01-10:00 UTC)\n", (2026, 9, 1)),
        ("cloudflared version 2024.10.0 (built x)", OLDEST),
        ("cloudflared version 2024.9.1\n", (2024, 9, 1)),
        ("cloudflared version DEV (built unknown)", None),
        ("version 2026.9.1", None),
        ("x cloudflared version 2026.9.1", None),
        ("cloudflared version 2026.9.1234", None),
        ("", None),
    ],
)
def test_R5_a_version_is_read_or_there_is_none(said, version):
    assert version_in(said) == version
