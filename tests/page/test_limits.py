"""The bounds that are worked out."""

from __future__ import annotations

import base64
import sys

import pytest

from offprompt.page.limits import MAX_BODY, MAX_CONNECTIONS, OVERLAP, SPARE_DESCRIPTORS, connection_limit
from offprompt.request.seal import STEPS


@pytest.mark.parametrize(
    ("descriptors", "platform", "limit"),
    [
        (1024, "linux", 832),
        (20_000, "linux", MAX_CONNECTIONS),
        (sys.maxsize, "linux", MAX_CONNECTIONS),
        (256, "darwin", 64),
        (10_240, "darwin", 832),
        (sys.maxsize, "win32", 320),
        (64, "linux", 16),
        (0, "linux", 16),
    ],
)
def test_connections_stay_below_the_descriptors(descriptors: int, platform: str, limit: int) -> None:
    assert connection_limit(descriptors, platform) == limit


def test_what_is_spared_is_more_than_what_overlaps() -> None:
    assert SPARE_DESCRIPTORS >= 2 * OVERLAP


def test_the_largest_submission_fits_in_a_body_with_room_to_spare() -> None:
    largest = len(base64.b64encode(bytes(STEPS[-1] + 48))) + len('{"nonce":"","sealed":"v1."}') + 32
    assert largest < MAX_BODY * 0.7
