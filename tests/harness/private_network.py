"""A network namespace that holds nothing but loopback, for one function and all it starts.

Linux keeps the namespace by thread: a thread that leaves the shared one takes its sockets, its threads and its children
along, and nobody else (unshare(2), network_namespaces(7)).
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import fcntl
import os
import socket
import struct
import sys
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def available() -> bool:
    """Whether this process may make one: it takes root on Linux."""
    return sys.platform == "linux" and os.geteuid() == 0


def in_private_network(function: Callable[[], T]) -> T:
    """What `function` returns, run in a thread of its own with loopback as its only network; without root, as it is."""

    def run() -> T:
        if available():
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "unshare")
            loopback_up()
        return function()

    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def loopback_up() -> None:
    """Switch `lo` on, without the ip command (netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        flags = fcntl.ioctl(any_socket, SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
        up = struct.unpack("16sh14x", flags)[1] | IFF_UP
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", up))
