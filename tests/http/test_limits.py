"""The bounds that are worked out."""

from __future__ import annotations

import base64
import sys

import pytest

from offprompt.http.limits import MAX_CONNECTIONS, MAX_OVERLAP, SPARE_DESCRIPTORS, Capacity, capacity
from offprompt.http.listener import BACKLOG
from offprompt.page.submit import MAX_BODY
from offprompt.request.seal import STEPS


@pytest.mark.parametrize(
    ("descriptors", "platform", "connections", "overlap"),
    [
        (1024, "linux", 717, 179),
        (20_000, "linux", MAX_CONNECTIONS, MAX_OVERLAP),
        (sys.maxsize, "linux", MAX_CONNECTIONS, MAX_OVERLAP),
        (256, "darwin", 103, 25),
        (10_240, "darwin", 717, 179),
        (sys.maxsize, "win32", 308, 76),
        (64, "linux", 16, 4),
        (0, "linux", 16, 4),
    ],
)
def test_connections_stay_below_the_descriptors(
    descriptors: int, platform: str, connections: int, overlap: int
) -> None:
    found = capacity(descriptors, platform)
    assert found == Capacity(connections, overlap)
    assert found.connections + found.overlap <= max(20, descriptors - SPARE_DESCRIPTORS)


def test_a_full_queue_of_the_listening_port_fits_into_the_overlap() -> None:
    assert capacity(1024, "linux").overlap > BACKLOG


def test_the_largest_submission_fits_in_a_body_with_room_to_spare() -> None:
    largest = len(base64.b64encode(bytes(STEPS[-1] + 48))) + len('{"nonce":"","sealed":"v1."}') + 32
    assert largest < MAX_BODY * 0.7
