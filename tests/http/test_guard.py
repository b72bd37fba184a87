"""Who may ask: the whole table of hosts, sites and origins."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from offprompt import errors
from offprompt.http.guard import Guard
from offprompt.http.head import RequestHead
from offprompt.page.submit import MAX_BODY
from tests.growth import LINEAR, growth
from tests.page.world import TUNNEL

PATH = "/r/" + "0" * 32


def asked(method: str = "GET", path: str = PATH, host: str = "127.0.0.1:8080", **more: Any) -> RequestHead:
    return RequestHead(method, path, **{"hosts": (host,), **more})


def admit(head: RequestHead, tunnel: str) -> None:
    """Let `head` in as the page's door does."""
    Guard(lambda: tunnel, MAX_BODY).admit(head)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.0.0.1:1", "127.0.0.1:65535", "localhost", "localhost:3000", "LocalHost:3000", TUNNEL,
        TUNNEL.upper(),
    ],
)  # fmt: skip
def test_our_hosts_are_let_in(host: str) -> None:
    admit(asked(host=host), TUNNEL)


@pytest.mark.parametrize(
    "host",
    [
        "", ":80", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "evil.example:127", "localhost.",
        "127.0.0.2", "127.1", "0.0.0.0", "2130706433", "[::1]", "[::1]:80", "localhost:", "localhost:x",
        "localhost:123456", "localhost:80:80", "localhost@evil.example", "evil@localhost", "localhost/..",
        "localhost localhost", " localhost", "localhost, evil.example", "localhost\n", "localhost:80\n",
        "l\u043ecalhost", TUNNEL + ":443", TUNNEL + ".", "a." + TUNNEL, TUNNEL.removeprefix("four-"),
        "api.trycloudflare.com",
    ],
)  # fmt: skip
def test_any_other_host_is_wrong(host: str) -> None:
    with pytest.raises(errors.WrongHost):
        admit(asked(host=host), TUNNEL)


@pytest.mark.parametrize("hosts", [(), ("localhost", "localhost"), ("localhost", "evil.example")])
def test_there_is_exactly_one_host(hosts: tuple[str, ...]) -> None:
    with pytest.raises(errors.WrongHost):
        admit(asked(hosts=hosts), TUNNEL)


def test_the_tunnels_host_is_ours_only_while_the_tunnel_is_up() -> None:
    with pytest.raises(errors.WrongHost):
        admit(asked(host=TUNNEL), "")
    with pytest.raises(errors.WrongHost):
        admit(asked(host=""), "")


def test_the_host_is_checked_before_anything_else() -> None:
    everything_wrong = asked("BREW", "/%", "evil.example", sites=("cross-site",), lengths=("9" * 5000,))
    with pytest.raises(errors.WrongHost):
        admit(everything_wrong, TUNNEL)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "Same-Origin", "none ", "something-new"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_sites_script_is_kept_out(method: str, site: str) -> None:
    with pytest.raises(errors.ForeignSite):
        admit(asked(method, sites=(site,), modes=("cors",), dests=("empty",)), "")


@pytest.mark.parametrize("site", ["same-origin", "none"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_our_own_page_and_the_address_bar_may_ask(method: str, site: str) -> None:
    admit(asked(method, sites=(site,)), "")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_click_on_the_link_in_another_sites_page_is_let_in(method: str, site: str) -> None:
    admit(asked(method, sites=(site,), modes=("navigate",), dests=("document",)), "")


@pytest.mark.parametrize(
    ("method", "modes", "dests"),
    [
        ("POST", ("navigate",), ("document",)),  # a form of another site
        ("GET", ("navigate",), ("iframe",)),
        ("GET", ("navigate",), ("object",)),
        ("GET", ("navigate",), ()),
        ("GET", (), ("document",)),
        ("GET", ("no-cors",), ("document",)),
        ("GET", ("navigate", "navigate"), ("document",)),
        ("GET", ("cors",), ("empty",)),
        ("GET", ("no-cors",), ("script",)),
    ],
)
def test_nothing_but_a_top_level_navigation_crosses_sites(
    method: str, modes: tuple[str, ...], dests: tuple[str, ...]
) -> None:
    with pytest.raises(errors.ForeignSite):
        admit(asked(method, sites=("cross-site",), modes=modes, dests=dests), "")


def test_a_header_that_stands_twice_is_believed_by_nobody() -> None:
    with pytest.raises(errors.ForeignSite):
        admit(asked(sites=("same-origin", "cross-site")), "")
    with pytest.raises(errors.ForeignSite):
        admit(asked(origins=("http://127.0.0.1:8080", "http://evil.example")), "")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("localhost", "http://localhost"),
        ("LOCALHOST:81", "http://localhost:81"),
        (TUNNEL, f"https://{TUNNEL}"),
    ],
)
def test_without_fetch_metadata_our_own_origin_may_ask(host: str, origin: str) -> None:
    admit(asked("POST", host=host, origins=(origin,)), TUNNEL)


@pytest.mark.parametrize(
    "origin",
    [
        "null", "", "http://evil.example", "http://localhost:8080", "http://127.0.0.1", "http://127.0.0.1:80800",
        "ws://127.0.0.1:8080", "127.0.0.1:8080", "http://127.0.0.1:8080/", "file://", "http://127.0.0.1:8080.evil.example",
        "http://evil.example#http://127.0.0.1:8080",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_fetch_metadata_any_other_origin_is_kept_out(method: str, origin: str) -> None:
    with pytest.raises(errors.ForeignSite):
        admit(asked(method, origins=(origin,)), "")


def test_what_is_no_browser_sends_neither_and_passes() -> None:
    admit(asked("POST"), "")


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "//",
        "*",
        "r/x",
        "/r//x",
        f"{PATH}/",
        "/r/%30",
        "/r/%2e%2e/",
        "/r/x y",
        "/r/\xff",
        "/r/x\\y",
        "http://127.0.0.1/r/x",
    ],
)
def test_a_path_that_can_be_spelt_twice_is_none_of_ours(path: str) -> None:
    with pytest.raises(errors.NoSuchPage):
        admit(asked(path=path), "")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "get", "PRI", "\xff", ""])
def test_three_methods_are_known(method: str) -> None:
    with pytest.raises(errors.MethodRefused, match="GET, HEAD, POST"):
        admit(asked(method), "")


@pytest.mark.parametrize("length", ["0", "1", str(MAX_BODY), "0" * 5, "abc", "-1", "", "²"])
def test_a_length_that_may_be_one_is_left_to_the_parser(length: str) -> None:
    admit(asked("POST", lengths=(length,)), "")


@pytest.mark.parametrize("length", [str(MAX_BODY + 1), "1" * 10, "9" * 10_000])
def test_a_body_that_is_said_to_be_too_large_is_refused_unread(length: str) -> None:
    with pytest.raises(errors.BodyTooLarge, match="256 KiB"):
        admit(asked("POST", lengths=(length,)), "")


@pytest.mark.parametrize("shape", ["/a", "/a.", "/", "a", "/-_"])
def test_no_path_host_or_origin_takes_more_than_linear_time(shape: str) -> None:
    def tried(text: str) -> None:
        for head in (
            asked(path="/" + text + "!"),
            asked(host=text),
            asked(origins=(text,)),
            asked(lengths=("1" * len(text),)),
        ):
            with contextlib.suppress(errors.NotAnswered):
                admit(head, TUNNEL)

    assert growth(lambda size: shape * size, tried) < LINEAR
