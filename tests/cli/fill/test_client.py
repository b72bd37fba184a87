"""The client against servers that answer well, badly, slowly, or not at all, on real sockets."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest

from offprompt import errors
from offprompt.cli.fill.client import MAX_ANSWER, PageClient, Reply
from offprompt.request.link import Link

TOKEN = "0123456789abcdef" * 2
Answer = Callable[[socket.socket, bytes], None]


@contextlib.contextmanager
def server(answer: Answer, context: ssl.SSLContext | None = None) -> Iterator[tuple[int, list[bytes]]]:
    """Answers every connection with `answer`; gives its port and the heads it was sent."""
    heads: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), connection:
                stream = context.wrap_socket(connection, server_side=True) if context else connection
                head = b""
                while b"\r\n\r\n" not in head and not head.startswith(b"\x16"):  # the beginning of TLS
                    piece = stream.recv(65536)
                    if not piece:
                        break
                    head += piece
                if head:
                    heads.append(head)
                    answer(stream, head)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()[1], heads
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join(5)


def says(raw: bytes) -> Answer:
    return lambda connection, head: connection.sendall(raw)


def http(status: int, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Made Up", f"Content-Length: {len(body)}", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def client(port: int, scheme: str = "http", host: str = "127.0.0.1", deadline: float = 5.0) -> PageClient:
    return PageClient(Link(f"{scheme}://{host}:{port}", TOKEN, "A" * 43), deadline)


def test_an_answer_is_read_with_its_status_and_wait() -> None:
    with server(says(http(429, b'{"error":"Slow."}', "Retry-After: 7"))) as (port, heads):
        assert client(port).fetch() == Reply(429, {"error": "Slow."}, 7)
    assert heads[0].startswith(f"GET /r/{TOKEN} HTTP/1.1\r\n".encode())
    assert f"host: 127.0.0.1:{port}\r\n".encode() in heads[0].lower()
    assert b"accept: application/json\r\n" in heads[0].lower()


def test_the_key_of_the_link_is_never_sent() -> None:
    with server(says(http(200, b"{}"))) as (port, heads):
        client(port).fetch()
        client(port).submit("n", "v1.x")
        client(port).decline("n")
    assert len(heads) == 3
    assert not any(b"A" * 43 in head for head in heads)


def test_a_submission_is_posted_as_json_to_the_page() -> None:
    with server(says(http(200, b"{}"))) as (port, heads):
        client(port).submit("nonce", "v1.sealed")
    assert heads[0].startswith(f"POST /r/{TOKEN} HTTP".encode())
    assert b"content-type: application/json\r\n" in heads[0].lower()
    assert b"origin" not in heads[0].lower()
    assert b"referer" not in heads[0].lower()


def test_a_redirect_is_an_answer_and_not_a_way() -> None:
    with server(says(http(200, b"{}"))) as (elsewhere, heads):
        location = f"Location: http://127.0.0.1:{elsewhere}/r/{TOKEN}"
        for status in (301, 302, 303, 307, 308):
            with server(says(http(status, b"", location))) as (port, _):
                assert client(port).submit("n", "v1.x") == Reply(status)
        assert heads == []


@pytest.mark.parametrize("body", [b"", b"x", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"a":' * 100_000])
def test_a_body_that_is_no_object_counts_as_none(body: bytes) -> None:
    with server(says(http(200, body))) as (port, _):
        assert client(port).fetch() == Reply(200)


@pytest.mark.parametrize("wait", ["", "-1", "x", "1e3", "9999999", "Wed, 21 Oct 2026 07:28:00 GMT", "٣"])
def test_a_wait_that_is_no_small_number_counts_as_none(wait: str) -> None:
    raw = http(429, b"{}").replace(b"\r\n\r\n", b"\r\nRetry-After: " + wait.encode() + b"\r\n\r\n")
    with server(says(raw)) as (port, _):
        assert client(port).fetch().retry_after == 0


def test_a_body_too_large_is_not_read_to_its_end() -> None:
    def flood(connection: socket.socket, head: bytes) -> None:
        connection.sendall(b'HTTP/1.1 200 OK\r\n\r\n{"a":"')
        for _ in range(10_000):
            connection.sendall(b"x" * MAX_ANSWER)

    with server(flood) as (port, _):
        assert client(port).fetch() == Reply(200)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n",
        b"HTTP/1.1",
        b"SSH-2.0-x\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"x" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000 + b"\r\n",
    ],
)
def test_an_answer_that_breaks_off_or_is_none_is_unreachable(raw: bytes) -> None:
    with server(says(raw)) as (port, _), pytest.raises(errors.Unreachable, match=r"127\.0\.0\.1"):
        client(port).fetch()


def test_nobody_there_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(errors.Unreachable):
        client(port).fetch()


@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:99999", "http://127.0.0.1:x", "http://" + "a" * 300, "http://[::1"]
)
def test_an_address_that_is_none_is_an_error_in_words(origin: str) -> None:
    with pytest.raises((errors.Unreachable, errors.NotALink)):
        PageClient(Link(origin, TOKEN, "A" * 43), 5.0).fetch()


def test_an_answer_that_drips_ends_at_the_deadline() -> None:
    """A socket's timeout starts anew with every byte: this one never runs out."""
    stop = threading.Event()

    def drip(connection: socket.socket, head: bytes) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not stop.wait(0.02):
            connection.sendall(b" ")

    with server(drip) as (port, _):
        began = time.monotonic()
        with pytest.raises(errors.TooSlowToAnswer, match=r"0\.3 seconds"):
            client(port, deadline=0.3).fetch()
        assert time.monotonic() - began < 10  # the whole answer would take 20
        stop.set()


def test_silence_ends_at_the_deadline() -> None:
    stop = threading.Event()
    with server(lambda connection, head: bool(stop.wait(3)) and None) as (port, _):
        with pytest.raises((errors.TooSlowToAnswer, errors.Unreachable)):
            client(port, deadline=0.3).fetch()
        stop.set()


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
def test_no_proxy_stands_between_this_computer_and_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(says(http(200, b'{"proxy":true}'))) as (proxy, heads), server(says(http(200, b"{}"))) as (port, _):
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy}")
        monkeypatch.delenv("no_proxy", raising=False)
        for host in ("127.0.0.1", "localhost"):
            assert client(port, host=host).fetch() == Reply(200)
        assert heads == []


def test_elsewhere_the_environments_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network of a company often has no other way out."""
    with server(says(http(200, b'{"proxy":true}'))) as (proxy, heads):
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy}")
        monkeypatch.delenv("no_proxy", raising=False)
        assert client(80, host="made-up.invalid").fetch() == Reply(200, {"proxy": True})
        assert heads[0].startswith(b"GET http://made-up.invalid")


@pytest.fixture
def own_certificate(tmp_path: Path) -> ssl.SSLContext:
    """A server's side of TLS with a certificate that nobody vouches for."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

    key = generate_private_key(SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def test_a_certificate_that_nobody_vouches_for_is_refused(own_certificate: ssl.SSLContext) -> None:
    with server(says(http(200, b"{}")), own_certificate) as (port, heads):
        with pytest.raises(errors.NotTrusted, match="nothing was sent"):
            client(port, "https").submit("n", "v1.x")
        assert heads == []


def test_plain_http_where_tls_is_expected_is_unreachable() -> None:
    with server(says(http(200, b"{}"))) as (port, _), pytest.raises(errors.Unreachable):
        client(port, "https", deadline=2.0).fetch()
