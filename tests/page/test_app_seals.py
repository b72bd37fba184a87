"""What is no submission to this request is refused, however near it comes."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from offprompt.request.record import Record
from offprompt.request.seal import seal
from tests.page.world import (
    CANARY,
    KEY,
    Reply,
    World,
    plaintext,
    sealed,
)

MALFORMED = [
    "", "v1", "v1.", "v1. ", "v1.=", "v1.AAAA=", "v1.AA+A", "v1.AA/A", "v1.AAAA\n", "v1.\0", "v1.é", "V1.AAAA",
    "v2.AAAA", "AAAA", "v1.A", "v1.AB", "v1.\ud800", "v1.v1.AAAA",
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_no_seal_is_400(world: World, text: str) -> None:
    record = world.record()
    assert world.post(f"/r/{record.token}", {"nonce": record.nonce, "sealed": text}).status == 400
    assert record.status == "awaiting"


def reach(world: World, record: Record, sealed_text: str, nonce: str = "") -> Reply:
    world.clock.advance(3)
    return world.post(f"/r/{record.token}", {"nonce": nonce or record.nonce, "sealed": sealed_text})


def box(record: Record, members: Any) -> str:
    plain = members if isinstance(members, bytes) else json.dumps(members).encode()
    return seal(record.public_key, plain)


def test_all_that_decodes_and_is_no_submission_to_this_request_is_one_and_the_same_403(world: World) -> None:
    record, other = world.record(remote=True), world.record(session="other", remote=True)
    whole = plaintext(record, {KEY: CANARY})
    attempts = {
        "a wrong nonce outside": (sealed(record, {KEY: CANARY}), "0" * 32),
        "a nonce that is no text": (sealed(record, {KEY: CANARY}), "\ud800"),
        "a box for another request": (sealed(other, {KEY: CANARY}), ""),
        "another request's token inside": (sealed(record, {KEY: CANARY}, token=other.token), ""),
        "another request's nonce inside": (sealed(record, {KEY: CANARY}, nonce=other.nonce), ""),
        "both of another request": (sealed(record, {KEY: CANARY}, token=other.token, nonce=other.nonce), other.nonce),
        "nothing": ("v1.AAAA", ""),
        "an empty text": (box(record, b""), ""),
        "no JSON": (box(record, b"{"), ""),
        "no UTF-8": (box(record, b'{"token":"\xff"}'), ""),
        "a list": (box(record, []), ""),
        "null": (box(record, None), ""),
        "more behind it": (box(record, json.dumps(whole).encode() + b"x"), ""),
        "a nest": (box(record, b'{"a":' * 1000 + b"1" + b"}" * 1000), ""),
        "a deep nest": (box(record, b"[" * 100_000), ""),
        "a number of 10,000 digits": (box(record, b"9" * 10_000), ""),
        "a member twice": (box(record, json.dumps(whole).replace("{", '{"nonce":"x",', 1).encode()), ""),
        "a name twice": (box(record, json.dumps(whole).replace(f'"{KEY}"', f'"{KEY}":"x","{KEY}"').encode()), ""),
        "a member more": (box(record, {**whole, "more": 1}), ""),
        **{f"no {name}": (box(record, {k: v for k, v in whole.items() if k != name}), "") for name in whole},
        **{
            f"{name} as {wrong!r}": (box(record, {**whole, name: wrong}), "")
            for name in whole
            for wrong in (None, 1, 1.5, [], [CANARY], {"a": [CANARY]}, "", "x", "\ud800", True)
            if not (name == "allow_tracked" and wrong is True)
        },
        **{
            f"a value {wrong!r}": (box(record, {**whole, "values": {KEY: wrong}}), "")
            for wrong in (None, 1, True, [CANARY], {"a": CANARY})
        },
        "a short fingerprint key": (sealed(record, {KEY: CANARY}, fingerprint_key="AAAA"), ""),
        "a long fingerprint key": (sealed(record, {KEY: CANARY}, fingerprint_key="A" * 44), ""),
        "a fingerprint key of other letters": (sealed(record, {KEY: CANARY}, fingerprint_key="*" * 43), ""),
    }
    replies = {name: reach(world, record, text, nonce) for name, (text, nonce) in attempts.items()}
    assert {name: reply.status for name, reply in replies.items() if reply.status != 403} == {}
    assert len({reply.body for reply in replies.values()}) == 1
    assert record.status == other.status == "awaiting"
    assert not (world.project / ".env").exists()


def test_a_box_cut_or_flipped_at_every_byte_never_opens(world: World) -> None:
    def opened(at: int) -> tuple[Record, bytes]:
        record = world.record(session=f"{at // 10}")  # each takes twenty tries a minute
        text = box(record, plaintext(record, {KEY: CANARY}))
        return record, base64.urlsafe_b64decode(text.removeprefix("v1.") + "==")

    for at in range(len(opened(0)[1])):
        record, whole = opened(at)
        for broken in (whole[:at] or b"x", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            text = "v1." + base64.urlsafe_b64encode(broken).rstrip(b"=").decode()
            assert world.post(f"/r/{record.token}", {"nonce": record.nonce, "sealed": text}).status == 403, at
        assert record.status == "awaiting"
    assert not (world.project / ".env").exists()
