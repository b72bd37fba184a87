"""Whose key a value is, by its form."""

from __future__ import annotations

import random

import pytest

from offprompt.registry.owner import Owner, candidates, matched_prefix, near_candidates, owner_of
from offprompt.registry.rules import Form
from tests.registry.real_forms import SETS, made
from tests.registry.whole_check import recognised


def real(template: str) -> str:
    return made(template, random.Random(1))


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("sk-ant-api03-{u:93}AA", Owner("Anthropic", "API key", True, True)),
        ("sk-ant-admin01-{u:93}AA", Owner("Anthropic", "admin API key", True, True)),
        ("sk-proj-{u:74}T3BlbkFJ{u:74}", Owner("OpenAI", "API key", True, True)),
        ("sk-{n:20}T3BlbkFJ{n:20}", Owner("OpenAI", "API key", True, True)),
        ("AIza{u:35}", Owner("Google", "key", False, None)),
        ("nvapi-{u:64}", Owner("NVIDIA", "key", True, True)),
        ("pk_live_51{n:97}", Owner("Stripe", "publishable key", False, False)),
        ("sk_test_{h:40}", Owner("Paystack", "secret key", False, True)),
        ("AC{h:32}", Owner("Twilio", "Account SID", False, False)),
        ("FlyV1 fm2_{b:120}", Owner("Fly.io", "access token", False, True)),
    ],
)
def test_a_known_form_has_a_name(template: str, name: Owner) -> None:
    found = recognised(real(template))
    assert found is not None
    assert (found.provider, found.label.lower(), found.an, found.secret) == (
        name.provider, name.label.lower(), name.an, name.secret,
    )  # fmt: skip


@pytest.mark.parametrize(
    "template",
    [
        "sk-{h:32}", "sk-{n:48}", "sk_{n:30}", "pk_test_{n:30}", "whsec_{n:32}", "key_{h:32}", "https://{s:9}.example",
        "{n:40}", "{h:32}", "", "sk-ant-short", "hello", "AKIA", "eyJhbGciOiJub25lIn0.e30.c2ln", "test_{n:27}",
    ],
)  # fmt: skip
def test_what_many_use_is_nobody_s(template: str) -> None:
    assert recognised(real(template)) is None


def test_random_values_are_nobody_s() -> None:
    chance = random.Random(2)
    for letters in SETS.values():
        for size in (16, 24, 32, 40, 48, 51, 64):
            for _ in range(200):
                assert recognised("".join(chance.choices(letters, k=size))) is None


def test_the_form_that_explains_most_counts() -> None:
    assert candidates(real("sk-or-v1-{h:64}")) == (6, ("openrouter/api_key", "openrouter/management_key"))
    assert candidates("nothing") == (0, ())


def test_several_companies_share_prefixes_of_one_kind() -> None:
    assert {key_id.partition("/")[0] for key_id in near_candidates("pk_test_" + "x" * 20)} == {
        "clerk",
        "paystack",
        "stripe",
    }
    assert "stripe/webhook_secret" in near_candidates("whsec_" + "x" * 20)
    assert near_candidates("sk_test_" + "x" * 20) == ()


def test_a_name_for_several_keys_is_their_provider_s() -> None:
    assert owner_of(["openrouter/api_key", "openrouter/management_key"]) == Owner("OpenRouter", "key", True, True)
    assert owner_of(["stripe/secret_key", "paystack/secret_key"]) is None
    assert owner_of([]) is None


def test_a_form_matches_as_a_whole() -> None:
    form = Form(("ab", "abc"), 5, 6, "a-z", "x")
    assert matched_prefix(form, "abcxy") == 4
    assert matched_prefix(form, "abxyz") == 3
    for other in ("abx", "abcdefx", "abcdy", "abc1x", "zabcx"):
        assert matched_prefix(form, other) is None
    assert matched_prefix(Form((), 1, 1), "é") == 0
