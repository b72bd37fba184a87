from __future__ import annotations

from offprompt.request.lifetime import LIFETIME_HERE, LIFETIME_REMOTE
from tests.request.made import order


def test_a_link_lives_longer_where_the_person_is_elsewhere() -> None:
    assert (order().lifetime, order(remote=True).lifetime) == (LIFETIME_HERE, LIFETIME_REMOTE) == (600, 1800)
