from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt import errors
from offprompt.cli.fill.request import Destination, read_request
from offprompt.page.data import request_object
from offprompt.request.fields import describe
from offprompt.request.spec import Entry
from offprompt.request.target import TargetState
from tests.request.made import record


def whole() -> dict[str, Any]:
    asked = record(
        "A",
        "B",
        generated=("B",),
        target=TargetState(
            exists=True, git="untracked", ignored=True, keys=("A",), lands="public/env.txt", public="public"
        ),
    )
    return request_object(asked, 10.0, tunnel=True)


def test_what_the_page_sends_is_read_whole() -> None:
    members = whole()
    request = read_request(members, "host")
    assert (request.token, request.key_id, request.nonce) == (members["token"], members["key_id"], members["nonce"])
    assert (request.host, request.project, request.reason) == ("Test agent", "up", ("Because.",))
    assert request.expires_in == 590
    assert [(v.name, v.present, v.generated) for v in request.values] == [("A", True, False), ("B", False, True)]
    assert request.destination == Destination(
        kind="dotenv",
        path=".env",
        lands="public/env.txt",
        exists=True,
        git="untracked",
        ignored=True,
        readable_by_others=False,
        public="public",
        trusted="",
        writable=True,
        agree=True,
    )
    assert str(request.destination) == ".env → public/env.txt"


@pytest.mark.parametrize(
    ("entry", "known"),
    [
        (Entry("STRIPE_SECRET_KEY"), ("stripe/secret_key", "")),
        (Entry("K", provider="stripe/webhook_secret"), ("stripe/webhook_secret", "")),
        (Entry("K", format="postgres_url"), ("", "postgres_url")),
        (Entry("DATABASE_URL"), ("", "")),  # a format that only the name suggests
        (Entry("K"), ("", "")),
    ],
)
def test_whose_key_it_is_and_the_format_that_the_agent_named_are_read(entry: Entry, known: tuple[str, str]) -> None:
    members = request_object(record(entry.name, fields=(describe(entry),)), 0.0, tunnel=True)
    (value,) = read_request(members, "host").values
    assert (value.key_id, value.format_id) == known


@pytest.mark.parametrize("odd", ["x" * 81, "Stripe", "a b", "\x1b", "é", 7, None, ["a"]])
def test_what_no_registry_can_hold_is_not_looked_up(odd: object) -> None:
    members = whole()
    members["secrets"][0] |= {"key": {"id": odd}, "rules": [{"id": "format", "is": odd, "firm": True}]}
    value = read_request(members, "host").values[0]
    assert (value.key_id, value.format_id) == ("", "")


def test_unknown_members_are_ignored() -> None:
    members = whole() | {"new": [1]}
    members["sink"]["new"] = 1
    members["secrets"][0]["new"] = {}
    assert read_request(members, "host") == read_request(whole() | {"token": members["token"]}, "host")


@pytest.mark.parametrize("version", [2, 99])
def test_a_newer_version_says_to_update(version: int) -> None:
    with pytest.raises(errors.OtherVersion, match=f"version {version}"):
        read_request(whole() | {"v": version}, "host")


def paths() -> list[tuple[str, ...]]:
    """Every member of a request, those of its sink and of its first value too."""
    found: list[tuple[str, ...]] = []
    for name, member in whole().items():
        found.append((name,))
        inner = member if isinstance(member, dict) else member[0] if isinstance(member, list) else {}
        found += [(name, each) for each in inner]
    return found


def put(path: tuple[str, ...], member: object) -> dict[str, Any]:
    members = whole()
    holder = members if len(path) == 1 else members[path[0]]
    (holder[0] if isinstance(holder, list) else holder)[path[-1]] = member
    return members


NOT_READ = ("tracked", "generate", "icons", "key")


@pytest.mark.parametrize("path", [path for path in paths() if path[-1] not in NOT_READ], ids=".".join)
def test_a_member_of_another_type_is_no_request(path: tuple[str, ...]) -> None:
    for wrong in (None, 1.5, {}, [] if path[-1] != "rules" else "x"):
        with pytest.raises(errors.StrangeAnswer):
            read_request(put(path, wrong), "host")


@pytest.mark.parametrize("path", paths(), ids=".".join)
def test_whatever_a_member_is_the_answer_is_a_request_or_a_refusal(path: tuple[str, ...]) -> None:
    for member in (True, -1, 10**400, "", "x" * 100_000, "\ud800", ["x"], [[]], {"x": {}}):
        with contextlib.suppress(errors.StrangeAnswer, errors.OtherVersion):
            read_request(put(path, member), "host")


@pytest.mark.parametrize("name", ["token", "key_id", "nonce", "host", "reason", "sink", "secrets", "expires_in", "v"])
def test_what_is_needed_is_needed(name: str) -> None:
    members = whole()
    del members[name]
    with pytest.raises(errors.StrangeAnswer):
        read_request(members, "host")


@pytest.mark.parametrize("name", ["", "a", "A B", "A" * 129, "A\n", "\x1b[2J"])
def test_a_name_that_nobody_can_have_asked_for_is_no_request(name: str) -> None:
    members = whole()
    members["secrets"][0]["name"] = name
    with pytest.raises(errors.StrangeAnswer):
        read_request(members, "host")


@pytest.mark.parametrize("count", [0, 13])
def test_no_value_or_too_many_are_no_request(count: int) -> None:
    members = whole()
    members["secrets"] = [members["secrets"][0] | {"name": f"A{number}"} for number in range(count)]
    with pytest.raises(errors.StrangeAnswer):
        read_request(members, "host")


def test_a_name_twice_is_no_request() -> None:
    members = whole()
    members["secrets"] = [members["secrets"][0]] * 2
    with pytest.raises(errors.StrangeAnswer):
        read_request(members, "host")


@given(st.text(max_size=3000))
def test_texts_are_cut_and_made_plain(text: str) -> None:
    members = whole()
    evil = text + "\x1b[2J\u202e"
    for name in ("host", "project", "reason"):
        members[name] = evil
    members["secrets"][0] |= {"label": evil, "caption": evil, "url": evil, "rules": [evil] * 20}
    shown = repr(read_request(members, "host"))
    assert "\\x1b" not in shown
    assert "\\u202e" not in shown
    assert len(shown) < 20_000


def test_the_host_in_an_error_is_made_plain() -> None:
    with pytest.raises(errors.StrangeAnswer) as refused:
        read_request({}, "\x1b[2J")
    assert "\x1b" not in str(refused.value)
