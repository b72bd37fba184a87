from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile


def test_the_connection_that_ssh_is_handed_leads_to_the_socket() -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        path = os.path.join(folder, "a b.sock")
        listening.bind(path)
        listening.listen()
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "offprompt.cli.pass_socket", path]
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with ours, theirs:
            subprocess.run(command, stdout=theirs, env=environ, check=True)
            _, (fd,), _, _ = socket.recv_fds(ours, 1, 1)
        with socket.socket(fileno=fd) as connection, listening.accept()[0] as accepted:
            accepted.sendall(b"SSH")
            assert connection.recv(3) == b"SSH"


def test_where_nobody_listens_it_fails() -> None:
    command = [sys.executable, "-P", "-m", "offprompt.cli.pass_socket", "/nowhere.sock"]
    ours, theirs = socket.socketpair()
    with ours, theirs:
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        ran = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, env=environ, check=False)
    assert ran.returncode == 1
