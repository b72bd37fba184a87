"""The same site on a real port: what only real sockets show."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_twisted
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import TCP4ServerEndpoint
from twisted.internet.threads import deferToThread

from offprompt.http.limits import Capacity
from offprompt.http.listener import BACKLOG
from offprompt.page.submit import MAX_BODY
from offprompt.request.ledger import Ledger
from offprompt.service.sinks import SINKS
from offprompt.sinks.writer import RequestWriter
from tests.page.world import CANARY, KEY, Chance, Reply, World, press, raw, read_replies


class Listening(World):
    """A world whose site listens on a real port, with the real reactor's clock and threads."""

    port: int

    def __post_init__(self) -> None:
        from twisted.internet import reactor

        self.clock = reactor  # type: ignore[assignment]
        self.ledger = Ledger(self.chance)
        self.writer: Any = RequestWriter(reactor, reactor, Chance(), SINKS)  # type: ignore[arg-type]
        self.build()


@pytest_twisted.async_yield_fixture
async def listening(tmp_path: Path) -> AsyncIterator[Listening]:
    from twisted.internet import reactor

    made = Listening(tmp_path.resolve(), space=Capacity(300, 200))
    port = await TCP4ServerEndpoint(reactor, 0, BACKLOG, "127.0.0.1").listen(made.site)  # type: ignore[arg-type]
    made.port = port.getHost().port  # type: ignore[attr-defined]
    yield made
    await port.stopListening()
    await made.site.close()


def connect(port: int, wait: float = 10) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), wait)


def read_all(one: socket.socket) -> bytes:
    said = b""
    while part := one.recv(65_536):
        said += part
    return said


def asked(port: int, request: bytes) -> Reply:
    with connect(port) as one:
        one.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
        (reply,) = read_replies(read_all(one))
        return reply


@pytest_twisted.ensureDeferred
async def test_a_submission_over_a_real_socket(listening: Listening) -> None:
    record = listening.record()
    reply = await deferToThread(asked, listening.port, press(record, {KEY: CANARY}))
    assert reply.status == 200
    assert (listening.project / ".env").read_text() == f"{KEY}={CANARY}\n"


@pytest_twisted.ensureDeferred
async def test_a_client_that_vanishes_in_the_middle_of_a_write_does_not_stop_it(listening: Listening) -> None:
    record = listening.record()
    finished: Deferred[None] = Deferred()
    began, go_on = threading.Event(), threading.Event()
    from offprompt.sinks import dotenv_file

    real = dotenv_file.project_file.write

    def waiting(*args: Any, **more: Any) -> Any:
        began.set()
        go_on.wait(10)
        return real(*args, **more)

    dotenv_file.project_file.write = waiting
    try:

        def send_and_vanish() -> None:
            with connect(listening.port) as one:
                one.sendall(press(record, {KEY: CANARY}))
                assert began.wait(10)
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # closed by a reset

        await deferToThread(send_and_vanish)
        while listening.site.connections:
            await deferToThread(time.sleep, 0.01)
        assert record.status == "writing"
        record.subscribe(lambda _: finished.callback(None))
        go_on.set()
        await finished
    finally:
        dotenv_file.project_file.write = real
    assert record.status == "written"
    assert (listening.project / ".env").read_text() == f"{KEY}={CANARY}\n"


@pytest.mark.parametrize("headers", [{"Content-Length": str(8 * MAX_BODY)}, {"Transfer-Encoding": "chunked"}])
@pytest_twisted.ensureDeferred
async def test_who_sends_far_too_much_still_reads_why_it_was_refused(
    listening: Listening, headers: dict[str, str]
) -> None:
    """A connection closed on unread bytes is reset, and a reset would take the answer with it."""
    body = b"x" * (8 * MAX_BODY) if "Content-Length" in headers else (b"10000\r\n" + b"x" * 65_536 + b"\r\n") * 32

    def send() -> bytes:
        with connect(listening.port) as one:
            one.sendall(raw("POST", "/r/" + "0" * 32, headers))
            one.sendall(body)
            return read_all(one)

    said = await deferToThread(send)
    (reply,) = read_replies(said)
    assert (reply.status, reply["connection"]) == (413, "close")


@pytest_twisted.ensureDeferred
async def test_a_stream_without_end_is_cut(listening: Listening) -> None:
    def send() -> int:
        sent = 0
        with connect(listening.port) as one, contextlib.suppress(ConnectionError):
            one.sendall(raw("POST", "/r/x", {"Transfer-Encoding": "chunked"}))
            while sent < 1 << 30:
                one.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
                sent += 65_536
        return sent

    assert await deferToThread(send) < 64 << 20


@contextlib.contextmanager
def many_descriptors(wanted: int) -> Iterator[int]:
    """Raise this process's limit of descriptors as far as it goes, up to `wanted`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    ceiling = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, ceiling), hard))
    yield max(soft, ceiling)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def resident() -> int:
    """Bytes of memory that this process has in use."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest_twisted.ensureDeferred
async def test_ten_thousand_connections_opened_and_left_keep_nobody_out(listening: Listening) -> None:
    """All of them stay open on the client's side, so this process holds their ends too."""
    record = listening.record()
    status = raw("GET", f"/r/{record.token}/status")
    with many_descriptors(12_000) as allowed:
        count = min(10_000, allowed - 1000)
        left: list[socket.socket] = []

        def open_some(some: int) -> None:
            for _ in range(some):
                with contextlib.suppress(ConnectionError, TimeoutError):
                    left.append(connect(listening.port, 5))

        before = resident()
        try:
            while len(left) < count:
                await deferToThread(open_some, 100)  # fewer than the queue of the port holds
                reply = await deferToThread(asked, listening.port, status)
                assert reply.json["status"] == "awaiting"
                assert listening.site.connections <= 300 + 200
            grown = resident() - before
        finally:
            for one in left:
                one.close()
    assert count > 5000
    assert grown < 16 << 20  # measured: 2 MiB, the list of the clients' sockets with it
    reply = await deferToThread(asked, listening.port, press(record, {KEY: CANARY}))
    assert json.loads(reply.body)["status"] == "written"
