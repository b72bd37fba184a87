"""Which key is asked for."""

from __future__ import annotations

from offprompt.registry.lookup import facts_of


def test_a_key_is_sent_to_the_page_whole() -> None:
    key = facts_of("STRIPE_SECRET_KEY").key
    assert key is not None
    assert key.as_object() == {
        "id": "stripe/secret_key", "provider": "Stripe", "label": "secret key", "an": False, "kind": "secret",
        "formed": True, "vague": [], "same_page": ["publishable_key"], "also": [],
    }  # fmt: skip
