"""Which key an agent means: by its id, by the provider alone, by the name it is for."""

from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.registry.providers import Key, key, key_by_name, key_of, kind_of
from offprompt.registry.tables import built


def test_a_key_is_found_by_provider_and_key() -> None:
    found = key_of("stripe/webhook_secret", "HOOK")
    assert (found.key_id, found.provider_name, found.label) == (
        "stripe/webhook_secret",
        "Stripe",
        "webhook signing secret",
    )


def test_a_provider_alone_is_enough_where_it_has_one_key() -> None:
    one = next(p for p, facts in built()["providers"].items() if len(facts["keys"]) == 1)
    assert key_of(one, "ANYTHING").key_id.startswith(f"{one}/")


def test_among_several_keys_the_name_tells_which() -> None:
    assert key_of("stripe", "STRIPE_WEBHOOK_SECRET").key_id == "stripe/webhook_secret"
    assert key_of("stripe", "SHOP_STRIPE_SECRET_KEY").key_id == "stripe/secret_key"
    assert key_of("stripe", "VITE_STRIPE_PUBLISHABLE_KEY").key_id == "stripe/publishable_key"


@pytest.mark.parametrize("provider", ["stripe", "stripe/nothing_like_it", "stripe/"])
def test_several_keys_and_nothing_that_tells_which_is_refused_with_their_names(provider: str) -> None:
    with pytest.raises(errors.UnclearProvider) as refusal:
        key_of(provider, "PAYMENT")
    assert "PAYMENT" in str(refusal.value)
    assert "stripe/secret_key, stripe/publishable_key, stripe/webhook_secret" in str(refusal.value)


@pytest.mark.parametrize("spelling", ["huggingface", "HuggingFace", " Hugging Face "])
def test_a_provider_may_be_spelt_as_people_spell_it(spelling: str) -> None:
    assert key_of(spelling, "HF_TOKEN").key_id == "huggingface/user_access_token"


@pytest.mark.parametrize(
    ("slip", "meant"),
    [("strip", "stripe"), ("opneai", "openai"), ("huggingfase", "huggingface"), ("antropic", "anthropic")],
)
def test_a_slip_is_refused_with_the_nearest_names(slip: str, meant: str) -> None:
    with pytest.raises(errors.MisspeltProvider) as refusal:
        key_of(slip, "KEY")
    assert meant in str(refusal.value)


@pytest.mark.parametrize("nonsense", ["", "/", "/secret_key", "q" * 10_000, "\ud800", "鍵"])
def test_what_is_near_nothing_is_refused_and_not_repeated(nonsense: str) -> None:
    with pytest.raises(errors.UnknownProvider) as refusal:
        key_of(nonsense, "KEY")
    assert len(str(refusal.value)) < 200


def test_every_key_is_found_by_its_id_and_by_each_of_its_names() -> None:
    for provider_id, provider in built()["providers"].items():
        for short, facts in provider["keys"].items():
            found = key_of(f"{provider_id}/{short}", "X")
            assert isinstance(found, Key)
            for name in facts["env"]:
                assert key_by_name(name) == found, name
                assert key_of(provider_id, name) == found, name


def test_the_other_keys_on_the_same_page_are_known() -> None:
    stripe = key("stripe/secret_key").expected
    assert (stripe.provider, stripe.label, stripe.an, stripe.kind) == ("Stripe", "secret key", False, "secret")
    assert stripe.same_page == ("publishable_key",)
    assert key("openai/api_key").expected.an is True
    assert key("supabase/secret_key").expected.also == ("publishable_key",)


def test_a_name_that_nobody_owns_belongs_to_nobody() -> None:
    assert key_by_name("FLUX_CAPACITOR") is None


def test_a_kind_is_told_for_every_key() -> None:
    assert kind_of("stripe/webhook_secret") == "webhook"
    assert kind_of("stripe/publishable_key") == "public"
    assert {kind_of(key_id) for key_id in built()["keys_by_name"].values()} == {"secret", "public", "webhook"}
