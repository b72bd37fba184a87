"""One connection: what arrives slowly, too large, cut anywhere or as rubbish; in memory, by the clock."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.web.http import HTTPChannel

from offprompt.http.channel import Channel
from offprompt.http.limits import BODY_DEADLINE, HEAD_DEADLINE, IDLE, LINGER, LINGER_BYTES
from offprompt.page.submit import MAX_BODY
from tests.http.test_headers import ALWAYS
from tests.page.world import Client, Reply, World, raw

STATUS = "/r/" + "0" * 32 + "/status"
"""A path whose answer is 404: enough to see that a request was understood."""


def refusal(client: Client, status: int) -> Reply:
    """The one answer, after which the connection is closed from our side."""
    (reply,) = client.replies()
    assert reply.status == status
    assert headers_of(reply) >= ALWAYS
    assert reply["connection"] == "close"
    assert "server" not in reply.headers
    assert set(reply.json) == {"error"}
    assert client.wire.half_closed
    return reply


def headers_of(reply: Reply) -> set[str]:
    return set(reply.headers)


def test_the_hook_that_answers_what_twisted_cannot_parse_is_still_there() -> None:
    assert callable(HTTPChannel._respondToBadRequestAndDisconnect)
    assert Channel._respondToBadRequestAndDisconnect is not HTTPChannel._respondToBadRequestAndDisconnect


def test_a_connection_that_says_nothing_is_closed_without_a_word(world: World) -> None:
    client = world.client()
    world.clock.advance(HEAD_DEADLINE - 0.1)
    assert client.open
    world.clock.advance(0.1)
    world.clock.advance(0)
    assert client.wire.gone
    assert client.wire.value() == b""


def test_headers_that_come_a_byte_at_a_time_have_one_deadline(world: World) -> None:
    client = world.client()
    for byte in raw("GET", STATUS)[:14]:
        client.send(bytes([byte]))
        world.clock.advance(1)
    assert client.open
    world.clock.advance(1)
    assert "15 seconds" in refusal(client, 408).error


def test_a_body_that_comes_a_byte_at_a_time_has_one_deadline(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Content-Length": "1000"}))
    for _ in range(int(BODY_DEADLINE) - 1):
        world.clock.advance(1)
        client.send(b"x")
    assert client.open
    world.clock.advance(1)
    assert "60 seconds" in refusal(client, 408).error


def test_a_resting_connection_is_kept_for_the_next_request_and_closed_after_its_rest(world: World) -> None:
    client = world.client()
    for _ in range(3):
        client.send(raw("GET", STATUS))
        world.clock.advance(IDLE - 1)
    assert [reply.status for reply in client.replies()] == [404] * 3
    assert client.open
    world.clock.advance(1)
    world.clock.advance(0)
    assert client.wire.gone
    assert len(client.replies()) == 3


def test_the_next_request_of_a_connection_has_its_own_head_deadline(world: World) -> None:
    client = world.client()
    client.send(raw("GET", STATUS))
    world.clock.advance(IDLE - 1)
    client.send(b"GET ")
    world.clock.advance(HEAD_DEADLINE)
    assert [reply.status for reply in client.replies()] == [404, 408]


def test_a_pipelined_beginning_has_a_deadline_too(world: World) -> None:
    client = world.client()
    client.send(raw("GET", STATUS) + b"GET /r/x HTTP/1.1\r\nHost: loc")
    world.clock.advance(HEAD_DEADLINE)
    assert [reply.status for reply in client.replies()] == [404, 408]


def test_who_does_not_read_the_answer_is_hung_up_on(world: World) -> None:
    """`loseConnection` waits for what is still to be sent; a client that never reads it is not waited for."""
    client = world.client()
    client.send(raw("GET", STATUS))
    client.wire.loseConnection = lambda: None  # type: ignore[method-assign]
    world.clock.advance(IDLE)
    assert not client.wire.gone
    world.clock.advance(LINGER)
    world.clock.advance(0)
    assert client.wire.gone


def test_a_line_that_never_ends_is_refused(world: World) -> None:
    client = world.client()
    for _ in range(16):
        client.send(b"x" * 1024)
    assert client.open
    client.send(b"x" * 1024)
    refusal(client, 431)


@pytest.mark.parametrize("header", [b"X: " + b"x" * 1000, b"x:", b" folded" * 100])
def test_headers_without_end_are_refused(world: World, header: bytes) -> None:
    client = world.client()
    client.send(b"GET / HTTP/1.1\r\nA: b\r\n")
    for _ in range(20_000):
        client.send(header + b"\r\n")
        if not client.open:
            break
    refusal(client, 400)


@pytest.mark.parametrize(
    "said",
    [
        b"\x00" * 20 + b"\r\n", b"\x16\x03\x01\x02\x00\x01\r\n", b"GET\r\n", b"GET /\r\n", b"GET / HTTP/0.9\r\n",
        b"GET / HTTP/2.0\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET  / HTTP/1.1\r\n", b"GET / x HTTP/1.1\r\n",
        b"G\xc3T / HTTP/1.1\r\n", b"GET /\x7f\xff HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nA b: c\r\n\r\n", b"GET / HTTP/1.1\r\nA: \x00\r\n\r\n", b"GET / HTTP/1.1\r\n: b\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 1_0\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: \r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: \xb2\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: x\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_not_http_is_answered_with_every_header_and_closed(world: World, said: bytes) -> None:
    client = world.client()
    client.send(said)
    refusal(client, 400)


@pytest.mark.parametrize("digits", [5000, 15_000])
def test_a_length_of_thousands_of_digits_is_refused_and_breaks_nothing(world: World, digits: int) -> None:
    """Python refuses to read such a number, by an error that nobody would catch."""
    client = world.client()
    client.send(raw("POST", "/r/x", {"Content-Length": "9" * digits}))
    assert client.replies()[0].status in (400, 413)
    assert not client.open


def test_a_body_is_taken_up_to_its_limit(world: World) -> None:
    assert world.ask("POST", "/r/" + "0" * 32, {}, b"x" * MAX_BODY).status == 404


def test_a_length_above_the_limit_is_refused_before_a_byte_of_it_came(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Content-Length": str(MAX_BODY + 1), "Expect": "100-continue"}))
    assert "256 KiB" in refusal(client, 413).error


@pytest.mark.parametrize("chunk", [1, 15, 4096, MAX_BODY, MAX_BODY + 1])
def test_chunks_without_end_are_refused_at_the_limit(world: World, chunk: int) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Transfer-Encoding": "chunked"}))
    part = b"%x\r\n%b\r\n" % (chunk, b"x" * chunk)
    batch = part * max(1, 16_384 // len(part))
    sent = 0
    while client.open:
        assert sent <= MAX_BODY + 2 * len(batch)
        client.send(batch)
        sent += batch.count(b"x") if chunk > 1 else len(batch) // len(part)
    refusal(client, 413)
    assert len(client.wire.protocol.requests[-1].content.getvalue()) <= MAX_BODY


def test_a_chunk_that_is_said_to_be_huge_is_cut_at_the_limit(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Transfer-Encoding": "chunked"}) + b"fffffffffffff\r\n")
    for _ in range(MAX_BODY // 65_536):
        client.send(b"x" * 65_536)
    assert client.open
    client.send(b"x")
    refusal(client, 413)


@pytest.mark.parametrize("line", [b"xyz\r\n", b"-1\r\n", b"1" * 2000, b"1;" + b"a" * 2000, b"1\r\nxx\r\n"])
def test_chunks_that_are_none_are_refused(world: World, line: bytes) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Transfer-Encoding": "chunked"}) + line)
    refusal(client, 400)


def test_trailers_without_end_are_refused(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Transfer-Encoding": "chunked"}) + b"0\r\n")
    for _ in range(100):
        client.send(b"A: " + b"x" * 1000 + b"\r\n")
    refusal(client, 400)


def test_more_than_was_announced_is_the_next_request(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/" + "0" * 32, {}, b"{}") + b"this is more\r\n")
    assert [reply.status for reply in client.replies()] == [404, 400]


def test_what_follows_a_refusal_is_thrown_away_and_not_kept(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/x", {"Content-Length": "999999"}))
    said = client.wire.value()
    for _ in range(LINGER_BYTES // 65_536):
        client.send(raw("GET", STATUS).ljust(65_536, b"x"))
    assert client.wire.value() == said
    assert not client.wire.gone
    client.send(b"x")
    assert client.wire.gone


def test_a_refused_client_that_does_not_go_is_cut_off(world: World) -> None:
    client = world.client()
    client.send(b"rubbish\r\n")
    world.clock.advance(LINGER)
    world.clock.advance(0)
    assert client.wire.gone


def test_a_refusal_in_the_middle_of_a_pipeline_ends_it(world: World) -> None:
    client = world.client()
    client.send(raw("GET", STATUS) + raw("GET", STATUS, {"Host": "evil.example"}) + raw("GET", STATUS))
    assert [reply.status for reply in client.replies()] == [404, 421]
    assert not client.open


def test_http_1_0_is_served_and_closed(world: World) -> None:
    client = world.client()
    client.send(raw("GET", STATUS).replace(b"HTTP/1.1", b"HTTP/1.0"))
    assert client.replies()[0].status == 404
    assert client.wire.gone


def test_a_client_that_wishes_to_be_asked_for_its_body_is_asked(world: World) -> None:
    client = world.client()
    client.send(raw("POST", "/r/" + "0" * 32, {"Content-Length": "2", "Expect": "100-continue"}))
    assert client.wire.value() == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.wire.clear()
    client.send(b"{}")
    assert client.replies()[0].status == 404


def test_a_request_cut_anywhere_is_the_same_request(world: World) -> None:
    cut, whole = 0, b"x"
    while cut < len(whole):
        record = world.record()  # the same one until it expires
        whole = raw("POST", f"/r/{record.token}/decline", {"Content-Type": "application/json"}, b'{"nonce":"no"}')
        client = world.client()
        client.send(whole[:cut])
        assert client.wire.value() == b""
        client.send(whole[cut:])
        assert client.replies()[0].status == 403, cut
        cut += 1
        world.clock.advance(60)  # a link takes twenty tries a minute


@given(data=st.data())
def test_any_way_of_cutting_a_pipeline_gives_the_same_answers(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    world = World(tmp_path_factory.getbasetemp())
    chunked = b'4\r\n{"no\r\n3\r\nnc"\r\n0\r\n\r\n'
    stream = (
        raw("GET", STATUS)
        + raw("POST", "/r/" + "0" * 32, {"Transfer-Encoding": "chunked"})
        + chunked
        + raw("HEAD", STATUS)
        + raw("POST", "/r/" + "1" * 32, {}, b"{}")
        + raw("GET", "/r/%41")
        + raw("GET", STATUS)
    )
    cuts = sorted(data.draw(st.sets(st.integers(1, len(stream) - 1), max_size=12)))
    client = world.client()
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        client.send(stream[start:end])
    assert re.findall(rb"HTTP/1.1 (\d+)", client.wire.value()) == [b"404"] * 5
    assert not client.open
    client.leave()


@given(st.binary(max_size=300))
def test_no_bytes_at_all_break_a_connection(tmp_path_factory: pytest.TempPathFactory, said: bytes) -> None:
    world = World(tmp_path_factory.getbasetemp())
    client = world.client()
    client.send(said)
    client.leave()
    assert world.site.connections == 0


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_no_flipped_byte_breaks_a_request(tmp_path_factory: pytest.TempPathFactory, at: int, byte: int) -> None:
    world = World(tmp_path_factory.getbasetemp())
    record = world.record()
    whole = bytearray(
        raw("POST", f"/r/{record.token}", {"Content-Type": "application/json"}, b'{"nonce":"n","sealed":"s"}')
    )
    whole[at % len(whole)] = byte
    client = world.client()
    client.send(bytes(whole))
    client.leave()
    world.clock.advance(IDLE)
    assert world.site.connections == 0
    assert record.status == "awaiting"
