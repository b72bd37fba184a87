"""Whose key a value is, beside whose it should be."""

from __future__ import annotations

from typing import Any

import pytest

from offprompt.registry.lookup import facts_of
from tests.registry.whole_check import WholeCheck, check_whole

STRIPE = "sk_test_51" + "a1B2c3" * 16


def asked(name: str, value: str, *, typing: bool = False, **said: str) -> WholeCheck:
    facts = facts_of(name, **said)
    return check_whole(facts.key, facts.rules, value, typing=typing)


def first(checked: WholeCheck) -> dict[str, Any]:
    return checked.lines[0].as_object()


def test_a_key_that_passes_is_called_what_it_is() -> None:
    good = asked("STRIPE_SECRET_KEY", STRIPE)
    assert good.summary is not None
    assert good.summary == {"id": "looks_like", "provider": "Stripe", "label": "secret key", "an": False}
    assert asked("STRIPE_SECRET_KEY", "sk_test_EXAMPLE_not_a_real_key").summary == good.summary


@pytest.mark.parametrize(
    ("name", "value"),
    [("OPENAI_API_KEY", "sk-" + "a" * 60), ("WISE_API_TOKEN", "a" * 36), ("DEEPSEEK_API_KEY", "sk-" + "0" * 32)],
)
def test_what_others_keys_look_like_too_only_fits(name: str, value: str) -> None:
    summary = asked(name, value).summary
    assert summary is not None
    assert summary["id"] == "fits"


def test_nothing_is_summed_up_before_all_is_well() -> None:
    assert asked("STRIPE_SECRET_KEY", "").summary is None
    assert asked("STRIPE_SECRET_KEY", "sk_test_", typing=True).summary is None
    assert asked("STRIPE_SECRET_KEY", STRIPE + "é").summary is None


def test_a_format_is_summed_up_where_it_says_something() -> None:
    summary = asked("DATABASE_URL", "postgres://u:p@h/d").summary
    assert summary is not None
    assert summary == {"id": "is", "format": "postgres_url"}
    assert asked("SMTP_PASSWORD", "hunter2hunter2").summary is None
    assert asked("AUTH_SECRET", "x" * 40).summary is None
    assert asked("FLUX_CAPACITOR", "x" * 40).summary is None


def test_another_provider_s_key_is_named() -> None:
    found = asked("STRIPE_SECRET_KEY", "sk-ant-api03-" + "x" * 90)
    assert first(found) == {"id": "other_key", "state": "warn", "provider": "Anthropic", "label": "API key", "an": True}
    assert asked("WISE_API_TOKEN", STRIPE).lines[0].line_id == "other_key"
    paystack = asked("STRIPE_SECRET_KEY", "sk_live_" + "0a" * 20)
    assert first(paystack)["provider"] == "Paystack"


def test_a_key_is_not_another_s_for_a_prefix_that_is_its_own() -> None:
    for name, value in (("OPENAI_API_KEY", "sk-proj-" + "x" * 60), ("CLERK_SECRET_KEY", "sk_test_" + "a" * 42)):
        found = asked(name, value)
        assert not found.warns, name


def test_another_key_of_the_same_provider_is_pointed_out() -> None:
    def sibling(name: str, value: str) -> dict[str, Any]:
        return first(asked(name, value))

    assert sibling("STRIPE_SECRET_KEY", "pk_test_" + "x" * 24) == {
        "id": "sibling", "state": "warn", "label": "publishable key", "own": "secret key", "same_page": True,
    }  # fmt: skip
    assert sibling("STRIPE_SECRET_KEY", "whsec_" + "x" * 32)["label"] == "webhook signing secret"
    assert sibling("STRIPE_SECRET_KEY", "whsec_" + "x" * 32)["same_page"] is False
    assert sibling("TWILIO_AUTH_TOKEN", "AC" + "0a" * 16)["id"] == "sibling"
    assert sibling("ANTHROPIC_API_KEY", "sk-ant-admin01-" + "x" * 90)["label"] == "admin API key"


def test_a_sibling_that_the_same_variable_may_hold_is_welcome() -> None:
    found = asked("SUPABASE_KEY", "sb_publishable_" + "x" * 31)
    assert not found.warns
    assert found.summary is not None
    assert found.summary["label"] == "publishable key"


def test_a_field_of_nobody_s_takes_anybody_s_key() -> None:
    found = asked("LLM_KEY", "sk-ant-api03-" + "x" * 90)
    assert found.lines == ()
    assert found.summary is not None
    assert found.summary["provider"] == "Anthropic"
    assert not asked("SMTP_PASSWORD", "SG." + "x" * 22 + "." + "y" * 43).warns
