"""Connects to a Unix socket and hands the connection to ssh, which asks for it by `ProxyUseFdpass` (ssh_config(5)).

ssh cannot connect to a socket's path itself. This way no process stands between the two and copies bytes.
"""

from __future__ import annotations

import socket
import sys


def main() -> int:
    """Pass a connection to `sys.argv[1]` over standard output, which ssh has made a socket; return 0."""
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
        socket.socket(fileno=sys.stdout.fileno()) as ssh,
    ):
        connection.connect(sys.argv[1])
        socket.send_fds(ssh, [b"\0"], [connection.fileno()])
        ssh.detach()
    return 0


if __name__ == "__main__":
    sys.exit(main())
