from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.request.emoji import EMOJI
from offprompt.request.fingerprint import KEY_SIZE, fingerprint, key_id
from tests.request.vectors import cases, unbase64url

KEYS = st.binary(min_size=KEY_SIZE, max_size=KEY_SIZE)
VALUES = st.dictionaries(st.from_regex(r"[A-Z][A-Z0-9_]{0,8}", fullmatch=True), st.text(max_size=20), max_size=5)


@pytest.mark.parametrize("case", cases("fingerprint.json"), ids=lambda case: case["what"])
def test_the_vectors_hold(case: dict[str, Any]) -> None:
    assert list(fingerprint(unbase64url(case["key"]), case["values"])) == case["emoji"]


@given(KEYS, VALUES, st.randoms())
def test_the_order_of_the_names_does_not_matter(key: bytes, values: dict[str, str], random: Any) -> None:
    items = list(values.items())
    random.shuffle(items)
    assert fingerprint(key, dict(items)) == fingerprint(key, values)


@given(KEYS, VALUES)
def test_it_is_always_four_emoji_of_the_list(key: bytes, values: dict[str, str]) -> None:
    assert len(found := fingerprint(key, values)) == 4
    assert set(found) <= set(EMOJI)


def test_another_key_gives_another_fingerprint_of_the_same_values() -> None:
    """Two presses of the button show different emoji, so a fingerprint cannot be looked up."""
    seen = {fingerprint(bytes([n]) * KEY_SIZE, {"API_KEY": "made-up"}) for n in range(200)}
    assert len(seen) == 200


def test_a_changed_letter_a_moved_letter_and_another_name_change_it() -> None:
    key = bytes(KEY_SIZE)
    alike = [{"A": "BC", "D": ""}, {"A": "B", "CD": ""}, {"A": "BD", "D": ""}, {"A": "BC"}, {"A": "BC", "D": " "}]
    assert len({fingerprint(key, values) for values in alike}) == len(alike)


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64, 65])
def test_a_key_of_another_size_is_refused_without_being_shown(size: int) -> None:
    with pytest.raises(ValueError, match="32 bytes") as refused:
        fingerprint(b"k" * size, {"API_KEY": "made-up-marker"})
    assert "made-up-marker" not in str(refused.value)
    assert "kkk" not in str(refused.value)


@pytest.mark.parametrize("case", cases("seal.json"), ids=lambda case: case["what"])
def test_a_key_id_is_eight_hex_digits_of_the_public_key(case: dict[str, Any]) -> None:
    assert key_id(unbase64url(case["public_key"])) == case["key_id"]
