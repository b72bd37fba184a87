"""A request's head, read."""

from __future__ import annotations

import pytest
from twisted.web.http_headers import Headers

from offprompt.http.head import RequestHead, read_head


def read(target: bytes = b"/r/x", **headers: list[bytes]) -> RequestHead:
    named = {name.replace("_", "-"): values for name, values in headers.items()}
    return read_head(b"GET", target, Headers(named).getRawHeaders)


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
        ((), "text/html;q=0", False),
        ((), "*/*", False),
        ((), "", False),
    ],
)
def test_a_navigation_is_known_by_its_mode_or_in_old_browsers_by_what_they_accept(
    modes: tuple[str, ...], accept: str, navigation: bool
) -> None:
    assert RequestHead("GET", "/", modes=modes, accept=accept).navigation is navigation


@pytest.mark.parametrize(
    ("accept", "data"),
    [
        ("application/json", True),
        ("application/json, */*;q=0.1", True),
        ("application/json;q=0.5", True),
        ("Application/JSON", True),
        ("text/html;q=0.1, application/json", True),
        ("text/html;q=0, application/json", True),
        ("text/html, application/json", False),
        ("text/html, application/json;q=0.9", False),
        ("application/json;q=0", False),
        ("application/json-patch+json", False),
        ("text/plain; x=application/json", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_data_is_for_who_would_rather_have_json_than_a_page(accept: str, data: bool) -> None:
    assert RequestHead("GET", "/", accept=accept).data is data


def test_an_answer_may_be_compressed_where_the_client_says_so() -> None:
    assert RequestHead("GET", "/", encodings="br, gzip;q=0.8").gzip
    assert not RequestHead("GET", "/", encodings="br, gzip;q=0").gzip
