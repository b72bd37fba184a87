"""A request's head, read."""

from __future__ import annotations

import pytest
from twisted.web.http_headers import Headers

from offprompt.http.head import Asked, read_asked


def read(target: bytes = b"/r/x", **headers: list[bytes]) -> Asked:
    named = {name.replace("_", "-"): values for name, values in headers.items()}
    return read_asked(b"GET", target, Headers(named).getRawHeaders)


def test_every_value_of_a_header_is_kept_in_its_order() -> None:
    asked = read(Host=[b"localhost", b"evil.example"], Sec_Fetch_Site=[b"none"], Origin=[b"null"])
    assert (asked.hosts, asked.sites, asked.origins) == (("localhost", "evil.example"), ("none",), ("null",))


def test_the_query_is_no_part_of_the_path() -> None:
    assert read(b"/r/x?utm_source=chat#frag").path == "/r/x"


def test_bytes_that_are_no_text_can_be_read_all_the_same() -> None:
    asked = read(b"/\xff", Host=[b"\xff\xfe"], Accept=[b"\x80"], Content_Type=[b"\xc3"])
    assert (asked.path, asked.hosts, asked.accept) == ("/\xff", ("\xff\xfe",), "\x80")


@pytest.mark.parametrize(
    ("modes", "accept", "navigation"),
    [
        (("navigate",), "", True),
        (("cors",), "text/html", False),
        (("navigate", "cors"), "text/html", False),
        ((), "text/html,application/xhtml+xml", True),
        ((), "*/*", False),
        ((), "", False),
    ],
)
def test_a_navigation_is_known_by_its_mode_or_in_old_browsers_by_what_they_accept(
    modes: tuple[str, ...], accept: str, navigation: bool
) -> None:
    assert Asked("GET", "/", modes=modes, accept=accept).navigation is navigation


@pytest.mark.parametrize(
    ("accept", "data"),
    [
        ("application/json", True),
        ("application/json, */*;q=0.1", True),
        ("text/html, application/json", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_data_is_what_asks_for_json_and_not_for_a_page(accept: str, data: bool) -> None:
    assert Asked("GET", "/", accept=accept).data is data


@pytest.mark.parametrize(
    ("encodings", "gzip"),
    [
        ("gzip", True), ("gzip, deflate, br, zstd", True), ("br;q=1.0, gzip;q=0.8", True), ("GZIP", True), ("*", True),
        ("gzip;q=0.001", True), ("gzip; q=0", False), ("gzip;q=0.000", False), ("br", False), ("", False),
        ("identity", False), ("gzipped", False), ("*;q=0", False), ("gzip;q=x", False),
    ],
)  # fmt: skip
def test_gzip_is_sent_to_who_accepts_it(encodings: str, gzip: bool) -> None:
    assert Asked("GET", "/", encodings=encodings).gzip is gzip
