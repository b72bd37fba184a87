from __future__ import annotations

import contextlib
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt import errors
from offprompt.request.link import Link, parse_link
from tests.growth import LINEAR, growth
from tests.request.made import record

ORIGINS = ["https://some-four-made-up.trycloudflare.com", "http://127.0.0.1:53803", "http://localhost:1"]
TOKEN = "0123456789abcdef" * 2
KEY = "A-_" * 14 + "A"


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_link_comes_back_whole(origin: str) -> None:
    link = record().link(origin)
    assert parse_link(str(link)) == link
    assert parse_link(f"  {link}\n") == link


@pytest.mark.parametrize(
    "around",
    ["{}.", "`{}`", "<{}>", "({})", '"{}"', "'{}'", "“{}”", "{}>", "**{}**,", "({}).", "{}!", " <{}> ", "« {} »"],
)
def test_a_link_is_found_in_what_a_sentence_puts_around_it(around: str) -> None:
    link = Link(ORIGINS[0], TOKEN, KEY)
    assert parse_link(around.format(link)) == link
    with pytest.raises(errors.LinkCut):
        parse_link(around.format(str(link)[:-1]))


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_link_cut_at_every_length_is_refused(origin: str) -> None:
    """Where the path of a request is still to be seen, the person is told that it was cut."""
    whole = str(Link(origin, TOKEN, KEY))
    for length in range(len(whole)):
        wanted = errors.LinkCut if length >= len(origin) + len("/r/") else errors.NotALink
        with pytest.raises(wanted):
            parse_link(whole[:length])


@pytest.mark.parametrize("letter", ["A", "-", "=", "&", " x", ".x", "é", "\u202e"])
def test_a_link_with_something_behind_it_is_refused(letter: str) -> None:
    with pytest.raises((errors.NotALink, errors.LinkCut)):
        parse_link(str(Link(ORIGINS[0], TOKEN, KEY)) + letter)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "https://",
        f"ftp://host/r/{TOKEN}#k={KEY}",
        f"javascript:https://host/r/{TOKEN}#k={KEY}",
        f"//host/r/{TOKEN}#k={KEY}",
        f"https:///r/{TOKEN}#k={KEY}",
        f"https://host/x/r/{TOKEN}#k={KEY}",
        f"https://host/r/{TOKEN}?k={KEY}",
        f"https://host/r/{TOKEN}/#k={KEY}",
        f"https://host/r/{TOKEN.upper()}#k={KEY}",
        f"https://127.0.0.1@host/r/{TOKEN}#k={KEY}",
        f"https://host\\@127.0.0.1/r/{TOKEN}#k={KEY}",
        f"https://ho st/r/{TOKEN}#k={KEY}",
        f"https://host/r/{TOKEN}#K={KEY}",
        f"https://host/r/{TOKEN}#k={KEY}#k={KEY}",
        f"https://host/r/{TOKEN}\n#k={KEY}",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(errors.NotALink):
        parse_link(text)


@pytest.mark.parametrize("text", [f"https://host/r/{TOKEN}0#k={KEY}", f"https://host/r/{'0' * 31}#k={KEY}"])
def test_a_token_of_another_length_is_refused(text: str) -> None:
    with pytest.raises((errors.NotALink, errors.LinkCut)):
        parse_link(text)


@given(st.text(alphabet=string.printable, max_size=300))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises((errors.NotALink, errors.LinkCut)):
        parse_link(text)


@pytest.mark.parametrize("shape", [" ", "https://", "a", "/r/", "0", "#k=", "http://a/r/0#k=A"])
def test_no_text_takes_more_than_linear_time(shape: str) -> None:
    def tried(text: str) -> None:
        with contextlib.suppress(errors.NotALink, errors.LinkCut):
            parse_link(text)

    assert growth(lambda size: "https://h/r/" + shape * size + "!", tried) < LINEAR
    assert growth(lambda size: shape * size + "!", tried) < LINEAR
