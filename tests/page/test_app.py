"""The routes, from the first byte to the last, with the real sinks behind them."""

from __future__ import annotations

from offprompt.request.fingerprint import fingerprint
from tests.page.world import CANARY, FINGERPRINT_KEY, World


def test_a_submission_lands_in_the_file_and_its_fingerprint_in_the_answer(world: World) -> None:
    record = world.record()
    reply = world.submit(record, {"STRIPE_SECRET_KEY": CANARY})
    assert reply.status == 200, reply.body
    assert reply.json == {
        "status": "written",
        "fingerprint": list(fingerprint(FINGERPRINT_KEY, {"STRIPE_SECRET_KEY": CANARY})),
        "file": ".env",
        "keys": [{"name": "STRIPE_SECRET_KEY", "outcome": "added"}],
    }
    assert (world.project / ".env").read_text() == f"STRIPE_SECRET_KEY={CANARY}\n"
    assert record.status == "written"
