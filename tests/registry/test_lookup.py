"""What a page says about a value, found by the agent's word or by the name alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from offprompt import errors
from offprompt.registry.lookup import FieldFacts, facts_of
from offprompt.registry.providers import key
from offprompt.registry.rules import Charset, Exposed, FormatRule, Length, StartsWith


def test_a_usual_name_is_recognised_and_labelled() -> None:
    stripe = key("stripe/secret_key")
    assert facts_of("STRIPE_SECRET_KEY") == FieldFacts(
        label="Stripe secret key",
        url="https://dashboard.stripe.com/apikeys",
        secret=True,
        multiline=False,
        provider="stripe/secret_key",
        format="text",
        key=stripe.expected,
        rules=stripe.rules,
    )
    assert [type(rule) for rule in stripe.rules] == [StartsWith, Length, Charset]


def test_the_prefixes_of_build_tools_are_cut_off_as_often_as_they_occur() -> None:
    plain = facts_of("SUPABASE_URL")
    assert plain.provider == "supabase/project_url"
    for prefix in ("NEXT_PUBLIC_", "VITE_"):
        found = facts_of(f"{prefix}SUPABASE_URL")
        assert found == replace(plain, rules=(*plain.rules, Exposed(prefix, secret=False)))
    assert facts_of("VITE_PUBLIC_SUPABASE_URL").provider == plain.provider


def test_a_secret_that_would_reach_every_browser_is_known_by_its_name() -> None:
    def exposed(name: str, **said: str) -> list[Exposed]:
        return [rule for rule in facts_of(name, **said).rules if isinstance(rule, Exposed)]

    assert exposed("NEXT_PUBLIC_OPENAI_API_KEY") == [Exposed("NEXT_PUBLIC_", secret=True)]
    assert exposed("VITE_DATABASE_URL") == [Exposed("VITE_", secret=True)]
    assert exposed("VITE_ANYTHING", format_id="pem") == [Exposed("VITE_", secret=True)]
    assert exposed("VITE_OPENAI_API_KEY", format_id="text") == [Exposed("VITE_", secret=True)]
    assert exposed("VITE_ANYTHING") == [Exposed("VITE_", secret=False)]
    assert exposed("REACT_APP_STRIPE_PUBLISHABLE_KEY") == [Exposed("REACT_APP_", secret=False)]
    assert exposed("NEXT_PUBLIC_GOOGLE_MAPS_API_KEY") == [Exposed("NEXT_PUBLIC_", secret=False)]
    assert facts_of("NEXT_PUBLIC_GOOGLE_MAPS_API_KEY").secret is True
    assert exposed("PUBLIC_") == exposed("OPENAI_API_KEY") == []


@pytest.mark.parametrize("name", ["PUBLIC_", "VITE_", "NEXT_PUBLIC_VITE_"])
def test_a_name_that_is_nothing_but_a_prefix_is_an_unknown_name(name: str) -> None:
    assert facts_of(name).label == ""


def test_a_name_of_a_format_is_labelled_by_the_format() -> None:
    database = facts_of("DATABASE_URL")
    assert (database.label, database.format, database.secret) == ("Postgres URL", "postgres_url", True)


def test_nothing_known_is_a_hidden_line_of_text() -> None:
    assert facts_of("FLUX_CAPACITOR") == FieldFacts("", "", secret=True, multiline=False, provider="", format="text")


def test_the_agent_s_provider_stands_above_the_name() -> None:
    assert facts_of("STRIPE_SECRET_KEY", provider="openrouter/api_key").label == "OpenRouter API key"


def test_a_format_is_firm_only_when_the_agent_named_it() -> None:
    def firm(name: str, **said: str) -> list[bool]:
        return [rule.firm for rule in facts_of(name, **said).rules if isinstance(rule, FormatRule)]

    assert firm("DATABASE_URL") == [False]
    assert firm("FIREBASE_SERVICE_ACCOUNT_JSON") == [False]
    assert firm("DATABASE_URL", format_id="postgres_url") == [True]
    assert firm("STRIPE_SECRET_KEY") == []


def test_the_agent_s_format_says_how_the_value_looks() -> None:
    pem = facts_of("SIGNING_KEY", format_id="pem")
    assert (pem.label, pem.multiline, pem.secret) == ("PEM text", True, True)
    assert facts_of("MAX_RETRIES", format_id="integer").secret is False


def test_a_name_of_a_secret_key_stays_hidden_whatever_format_the_agent_gives() -> None:
    assert facts_of("STRIPE_SECRET_KEY", format_id="integer").secret is True


def test_a_key_with_a_format_takes_its_lines_from_the_format() -> None:
    service_account = facts_of("FIREBASE_SERVICE_ACCOUNT", provider="firebase/service_account")
    assert (service_account.format, service_account.multiline) == ("json", True)


def test_words_that_offprompt_does_not_know_are_refused() -> None:
    with pytest.raises(errors.UnknownProvider):
        facts_of("PAY_KEY", provider="no such provider anywhere")
    with pytest.raises(errors.UnknownFormat):
        facts_of("PAY_KEY", format_id="no such format")
