"""The bodies of posts: every way of being wrong."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt import errors
from offprompt.http.json_body import read_json_object

TYPE = ("application/json",)


def test_the_members_come_in_the_order_they_are_asked_for() -> None:
    assert read_json_object(TYPE, b'{"sealed":"s","nonce":"n"}', "nonce", "sealed") == ("n", "s")


@pytest.mark.parametrize("sent", ["application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"])
def test_json_is_known_by_its_type(sent: str) -> None:
    assert read_json_object((sent,), b'{"nonce":""}', "nonce") == ("",)


@pytest.mark.parametrize(
    "types",
    [
        (), ("",), ("text/plain",), ("application/x-www-form-urlencoded",), ("multipart/form-data",),
        ("application/jsonp",), ("application/json", "application/json"), ("text/plain; application/json",),
    ],
)  # fmt: skip
def test_a_form_of_another_site_cannot_send_that_type(types: tuple[str, ...]) -> None:
    with pytest.raises(errors.NotJsonType):
        read_json_object(types, b'{"nonce":""}', "nonce")


@pytest.mark.parametrize(
    "body",
    [
        b"", b" ", b"nonce", b"null", b"true", b"1", b'"nonce"', b"[]", b"{}", b'["nonce","sealed"]', b'{"nonce":"n"}',
        b'{"nonce":"n","sealed":1}', b'{"nonce":null,"sealed":"s"}', b'{"nonce":["n"],"sealed":"s"}',
        b'{"nonce":{"a":"n"},"sealed":"s"}', b'{"nonce":true,"sealed":"s"}', b'{"nonce":NaN,"sealed":"s"}',
        b'{"nonce":"n","sealed":"s","more":"m"}', b'{"nonce":"n","nonce":"n","sealed":"s"}',
        b'{"Nonce":"n","sealed":"s"}', b'{"nonce":"n","sealed":"s"', b'{"nonce":"n","sealed":"s"}x',
        b'{"nonce":"\xff","sealed":"s"}', b"{'nonce':'n'}", b'\xef\xbb\xbf{"nonce":"n","sealed":"s"}',
        b'{"nonce":"\n","sealed":"s"}', '{"nonce":"n","sealed":"s"}'.encode("utf-16"),
        '{"nonce":"n","sealed":"s"}'.encode("utf-32"), b'{"nonce":"n","sealed":' + b"9" * 100_000 + b"}",
        b'{"nonce":"n","sealed":' + b"[" * 1000 + b"]" * 1000 + b"}",
        b'{"nonce":"n","sealed":' + b'{"a":' * 1000 + b"1" + b"}" * 1000 + b"}", b"[" * 100_000, b'{"a":' * 40_000,
    ],
)  # fmt: skip
def test_anything_but_the_object_is_refused(body: bytes) -> None:
    with pytest.raises(errors.NotTheseMembers, match="nonce and sealed") as caught:
        read_json_object(TYPE, body, "nonce", "sealed")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_no_bytes_do_anything_else(body: bytes) -> None:
    with pytest.raises(errors.NotTheseMembers):
        read_json_object(TYPE, body, "nonce", "sealed")


@given(st.text(), st.text())
def test_strings_come_through_as_they_are(nonce: str, sealed: str) -> None:
    body = json.dumps({"nonce": nonce, "sealed": sealed}).encode()
    assert read_json_object(TYPE, body, "nonce", "sealed") == (nonce, sealed)


def test_a_lone_surrogate_and_a_nul_are_strings_that_no_nonce_equals() -> None:
    assert read_json_object(TYPE, b'{"nonce":"\\ud800\\u0000"}', "nonce") == ("\ud800\0",)
