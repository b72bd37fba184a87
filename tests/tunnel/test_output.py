"""What cloudflared really printed, under 28 set-ups, in whatever pieces it comes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.tunnel.output import (
    MAX_LOGGED,
    MAX_OUTPUT,
    TAIL_LINES,
    TAIL_WIDTH,
    HostPrinted,
    MetricsListening,
    OutputReader,
    Registered,
    loggable,
    parse,
)
from offprompt.tunnel.splitter import Splitter
from tests.tunnel.growth import TOO_MUCH, growth
from tests.tunnel.scripted_cloudflared import HOST

CAPTURES = Path(__file__).with_name("captures")
EXPECTED = {
    name: (address.removeprefix("https://") if address != "-" else "", int(registered), cause)
    for name, address, registered, cause in (
        line.split("\t") for line in (CAPTURES / "EXPECTED.tsv").read_text(encoding="utf-8").splitlines()[1:]
    )
}
HEADER = "2026-11-29T12:24:28Z INF |  Your quick Tunnel has been created! Visit it at (it may take some time):  |"
BANNER = f"{HEADER}\n2026-11-29T12:24:28Z INF |  https://{HOST}{' ' * 44}|\n"


def read(name: str, piece: object) -> tuple[str, int, str]:
    """What is found in a capture whose stderr comes in pieces of the sizes that `piece()` gives."""
    reading = OutputReader()
    output = CAPTURES / f"{name}.stdout"
    if output.exists():
        reading.feed_output(output.read_bytes())
    data = (CAPTURES / f"{name}.stderr").read_bytes()
    start = 0
    while start < len(data):
        size = piece()
        reading.feed(data[start : start + size])
        start += size
    reading.end()
    return reading.host, reading.registrations, reading.cause().value


def test_every_capture_is_expected_something_of():
    assert {path.stem for path in CAPTURES.glob("*.stderr")} == set(EXPECTED)


@pytest.mark.parametrize(
    "sizes", [[1_000_000], [1], [1, 2, 7, 100, 4096], [3, 4000], [80]], ids=["whole", "bytes", "random", "random", "80"]
)
def test_R8_a_capture_tells_its_host_registrations_and_cause_however_it_is_cut(sizes):
    chance = random.Random(str(sizes))
    for name, expected in EXPECTED.items():
        assert read(name, lambda: chance.choice(sizes)) == expected, name


def test_R8_the_banner_is_found_wherever_it_is_cut():
    data = BANNER.encode()
    for cut in range(len(data)):
        reading = OutputReader()
        assert reading.feed(data[:cut]) + reading.feed(data[cut:]) + reading.end() == [HostPrinted(HOST)]


def test_R8_only_the_name_of_a_quick_tunnel_counts():
    for address in (
        "https://api.trycloudflare.com",
        "https://evil.example/blue.trycloudflare.com",
        "https://two.labels.trycloudflare.com",
        "https://-dash.trycloudflare.com",
        "https://dash-.trycloudflare.com",
        "https://UPPER.trycloudflare.com",
        "https://a.trycloudflare.com/path",
        "https://a.trycloudflare.com:8443",
        "https://user@a.trycloudflare.com",
        "http://a.trycloudflare.com",
        "https://" + "a" * 64 + ".trycloudflare.com",
        "https://a.trycloudflare.com.evil.example",
        "https://a.trycloudflare.comx",
        "https://.trycloudflare.com",
        "https://",
    ):
        assert OutputReader().feed(f"{HEADER}\n2026-11-29T12:24:28Z INF |  {address}  |\n".encode()) == [], address


def test_R8_the_address_comes_right_below_the_banners_title():
    header, address = BANNER.splitlines(keepends=True)
    for between in ("2026-11-29T12:24:28Z INF something\n", "bare\n", "\n", "2026-11-29T12:24:28Z ERR |  no  |\n"):
        assert OutputReader().feed(f"{header}{between}{address}".encode()) == [], between


def test_R8_neither_an_error_nor_a_bare_line_is_a_banner():
    assert OutputReader().feed(BANNER.replace(" INF ", " ERR ").encode()) == []
    assert OutputReader().feed("".join(line[25:] + "\n" for line in BANNER.splitlines()).encode()) == []


def test_R8_the_first_banner_wins():
    reading = OutputReader()
    assert reading.feed((BANNER + BANNER.replace("blue-", "red-")).encode()) == [HostPrinted(HOST)]
    assert reading.host == HOST


def test_the_metrics_port_and_the_connection_are_read():
    reading = OutputReader()
    stamp = "2026-11-29T12:24:28Z INF "
    events = reading.feed(
        f"{stamp}Starting metrics server on 127.0.0.1:20241/metrics\n"
        f"{stamp}Starting metrics server on 198.51.100.1:20242/metrics\n"
        f"{stamp}Registered tunnel connection connIndex=0\n"
        f"{stamp}Connection 41159c70-35d7-4095-9d55-6b1d2932c068 registered\n"
        f"{stamp}Unregistered tunnel connection connIndex=0\n".encode()
    )
    assert events == [MetricsListening(20241), Registered(), Registered()]
    assert reading.metrics_port == 20241


def test_R10_little_is_kept_of_seven_megabytes():
    reading = OutputReader()
    for _ in range(700):
        reading.feed(b"z" * 9999 + b"\n")
    reading.feed_output(b"u" * 7_000_000)
    assert len(reading.tail) == TAIL_LINES
    assert max(map(len, reading.tail)) == TAIL_WIDTH
    assert len(reading._output) == MAX_OUTPUT


def test_what_is_hardly_json_is_a_line_like_any_other():
    for line in ('{"level":"info"}', "{", "{}", '{"message":', '{"a":' * 20_000, "[" * 20_000, '"text"', '{"\ud800'):
        assert parse(line) == ("", line)
    assert parse('{"message": 5}') == ("", "5")


def test_R11_what_goes_to_our_log_holds_no_path_of_a_visitor_and_no_variable():
    def logged(line: str) -> str:
        return loggable(*parse(f"2026-11-29T12:24:28Z {line}"))

    token = "0123456789abcdef0123456789abcdef"
    assert token not in logged(f'ERR Request failed error="EOF" connIndex=0 dest=https://{HOST}/r/{token}?k=1 event=0')
    assert token not in logged(f'ERR Request failed dest="https://{HOST}/r/{token}" type=http')
    assert token not in logged(f"INF GET https://{HOST}/r/{token} HTTP/1.1")
    assert logged("INF Environmental variables map[TUNNEL_SECRET:abc]") == ""
    assert logged("DBG GET / HTTP/1.1") == ""
    assert logged("INF Registered tunnel connection") == "Registered tunnel connection"
    assert len(logged("INF " + "x" * 5000)) == MAX_LOGGED
    assert loggable(*parse("a bare line")) == ""


def test_the_last_words_are_the_bare_line_that_it_dies_with():
    reading = OutputReader()
    reading.feed(b"2026-11-29T12:24:28Z INF fine\nfirst reason\nlast reason\n2026-11-29T12:24:29Z INF bye\n\n")
    assert reading.last_words() == "last reason"
    usage = OutputReader()
    usage.feed_output(b"Incorrect Usage. flag provided but not defined: -x\n\nNAME:\n")
    assert usage.last_words() == "Incorrect Usage. flag provided but not defined: -x"
    assert OutputReader().last_words() == ""


@given(st.lists(st.binary(max_size=80)))
def test_nothing_that_a_child_says_makes_reading_fail(pieces):
    reading = OutputReader()
    for piece in pieces:
        reading.feed(piece)
        reading.feed_output(piece)
    reading.end()
    reading.cause()
    reading.last_words()
    assert reading.host == ""


@pytest.mark.parametrize(
    "hostile",
    [
        "dest=",
        'dest="',
        'dest="a b',
        "https://",
        "https://a-",
        "http://a.trycloudflare.com",
        "\x1b[",
        "\x1b[1;",
        "|  ",
        "a",
    ],
)
def test_a_hostile_line_takes_no_longer_than_its_length(hostile: str):
    def read(text: str) -> None:
        loggable("INF", text)
        parse(f"2026-11-29T12:24:28Z INF {text}")
        Splitter(len(text)).feed(text.encode() + b"\n")

    assert growth(read, hostile) < TOO_MUCH
