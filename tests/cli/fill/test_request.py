from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt import errors
from offprompt.cli.fill.request import read_sheet
from offprompt.page.data import request_object
from offprompt.request.target import TargetState
from tests.request.made import record


def whole() -> dict[str, Any]:
    asked = record(
        "A", "B", generated=("B",), target=TargetState(exists=True, git="untracked", ignored=True, keys=("A",))
    )
    return request_object(asked, 10.0, tunnel=True)


def test_what_the_page_sends_is_read_whole() -> None:
    members = whole()
    sheet = read_sheet(members, "host")
    assert (sheet.token, sheet.key_id, sheet.nonce) == (members["token"], members["key_id"], members["nonce"])
    assert (sheet.host, sheet.project, sheet.reason) == ("Test agent", "up", ("Because.",))
    assert (sheet.kind, sheet.path, sheet.exists, sheet.tracked, sheet.ignored) == ("dotenv", ".env", True, False, True)
    assert sheet.expires_in == 590
    assert [(s.name, s.present, s.generated) for s in sheet.secrets] == [("A", True, False), ("B", False, True)]


def test_unknown_members_are_ignored() -> None:
    members = whole() | {"new": [1]}
    members["sink"]["new"] = 1
    members["secrets"][0]["new"] = {}
    assert read_sheet(members, "host") == read_sheet(whole() | {"token": members["token"]}, "host")


@pytest.mark.parametrize("version", [2, 99])
def test_a_newer_version_says_to_update(version: int) -> None:
    with pytest.raises(errors.OtherVersion, match=f"version {version}"):
        read_sheet(whole() | {"v": version}, "host")


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


NOT_READ = ("git", "lands", "public", "trusted", "writable", "agree", "generate", "icons", "key")


@pytest.mark.parametrize("path", [path for path in paths() if path[-1] not in NOT_READ], ids=".".join)
def test_a_member_of_another_type_is_no_request(path: tuple[str, ...]) -> None:
    for wrong in (None, 1.5, {}, [] if path[-1] != "rules" else "x"):
        with pytest.raises(errors.StrangeAnswer):
            read_sheet(put(path, wrong), "host")


@pytest.mark.parametrize("path", paths(), ids=".".join)
def test_whatever_a_member_is_the_answer_is_a_request_or_a_refusal(path: tuple[str, ...]) -> None:
    for member in (True, -1, 10**400, "", "x" * 100_000, "\ud800", ["x"], [[]], {"x": {}}):
        with contextlib.suppress(errors.StrangeAnswer, errors.OtherVersion):
            read_sheet(put(path, member), "host")


@pytest.mark.parametrize("name", ["token", "key_id", "nonce", "host", "reason", "sink", "secrets", "expires_in", "v"])
def test_what_is_needed_is_needed(name: str) -> None:
    members = whole()
    del members[name]
    with pytest.raises(errors.StrangeAnswer):
        read_sheet(members, "host")


@pytest.mark.parametrize("name", ["", "a", "A B", "A" * 129, "A\n", "\x1b[2J"])
def test_a_name_that_nobody_can_have_asked_for_is_no_request(name: str) -> None:
    members = whole()
    members["secrets"][0]["name"] = name
    with pytest.raises(errors.StrangeAnswer):
        read_sheet(members, "host")


@pytest.mark.parametrize("count", [0, 13])
def test_no_value_or_too_many_are_no_request(count: int) -> None:
    members = whole()
    members["secrets"] = [members["secrets"][0] | {"name": f"A{number}"} for number in range(count)]
    with pytest.raises(errors.StrangeAnswer):
        read_sheet(members, "host")


def test_a_name_twice_is_no_request() -> None:
    members = whole()
    members["secrets"] = [members["secrets"][0]] * 2
    with pytest.raises(errors.StrangeAnswer):
        read_sheet(members, "host")


@given(st.text(max_size=3000))
def test_texts_are_cut_and_made_plain(text: str) -> None:
    members = whole()
    evil = text + "\x1b[2J\u202e"
    for name in ("host", "project", "reason"):
        members[name] = evil
    members["secrets"][0] |= {"label": evil, "caption": evil, "url": evil, "rules": [evil] * 20}
    shown = repr(read_sheet(members, "host"))
    assert "\\x1b" not in shown
    assert "\\u202e" not in shown
    assert len(shown) < 20_000


def test_the_host_in_an_error_is_made_plain() -> None:
    with pytest.raises(errors.StrangeAnswer) as refused:
        read_sheet({}, "\x1b[2J")
    assert "\x1b" not in str(refused.value)
