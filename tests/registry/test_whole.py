"""The whole registry: entries keep the schema, examples and known real forms pass, and nothing is misnamed."""

from __future__ import annotations

import json
import random
from urllib.parse import urlsplit

import jsonschema
import pytest

from offprompt.registry.lookup import facts_of
from offprompt.registry.providers import kind_of
from offprompt.registry.rules import Either, Form, rule_of
from tests.registry.data import FILES, FORMATS, IN_TOML, KEYS, PROVIDERS, REGISTRY, read
from tests.registry.real_forms import REAL, by_rule, made, values_of
from tests.registry.whole_check import WholeCheck, check_whole

SCHEMA = json.loads((REGISTRY / "schema.json").read_text(encoding="utf-8"))


def validator(of: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{of}", "$defs": SCHEMA["$defs"]})


def checked(key_id: str, value: str) -> WholeCheck:
    """`value` in the field of this key."""
    facts = facts_of(IN_TOML[key_id][1]["env"][0], provider=key_id)
    return check_whole(facts.key, facts.rules, value)


def doubts(result: WholeCheck) -> bool:
    return result.blocks or result.warns


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", FILES)
def test_every_provider_and_key_keeps_the_schema(name: str) -> None:
    errors = [f"{error.json_path}: {error.message}" for error in validator("providers").iter_errors(FILES[name])]
    assert errors == []


def test_every_format_and_host_keeps_the_schema() -> None:
    for name in ("formats", "hosts"):
        document = read(REGISTRY / f"{name}.toml")
        assert [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(document)] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "Big"}, {"url": "http://plain.example"}, {"env": []}, {"env": ["small"]}, {"min": 0}, {"prefix": "sk"},
        {"inject": "basic"}, {"new": 1}, {"secret": "yes"}, {"either": []}, {"charset": "[^a]"}, {"hosts": ["https://x"]},
        {"form": [{"min": 1, "max": 2}]},
    ],
)  # fmt: skip
def test_the_schema_finds_what_is_wrong(wrong: dict[str, object]) -> None:
    _, entry = IN_TOML["stripe/secret_key"]
    assert validator("key").is_valid(entry)
    assert not validator("key").is_valid(entry | wrong)


def test_ids_and_names_are_there_once() -> None:
    ids = [provider["id"] for provider in PROVIDERS]
    assert len(set(ids)) == len(ids)
    for provider in PROVIDERS:
        shorts = [key["id"] for key in provider["key"]]
        assert len(set(shorts)) == len(shorts), provider["id"]
    names = [name for _, key in IN_TOML.values() for name in key["env"]] + [
        n for f in FORMATS.values() for n in f["env"]
    ]
    assert len(set(names)) == len(names)


def test_every_host_and_offer_is_where_it_says() -> None:
    """A key is sent to hosts by name; an offer's link is on its provider's own domains."""
    by_id = {provider["id"]: provider for provider in PROVIDERS}
    offers = FILES["offers"]["offer"]
    assert len(offers) > 20
    for offer in offers:
        parts = urlsplit(offer["url"])
        assert parts.scheme == "https"
        assert offer["format"] in FORMATS
        assert any(f".{parts.hostname}".endswith(f".{domain}") for domain in by_id[offer["provider"]]["domains"])
    for key_id, (_, key) in IN_TOML.items():
        assert not key.get("hosts") or "inject" in key, key_id
        assert "inject_prefix" not in key or key["inject"].startswith("header:"), key_id


def test_measures_make_sense() -> None:
    for key_id, (_, key) in IN_TOML.items():
        assert key["min"] <= key["max"], key_id
        assert key["prefix"] or not key["prefix_required"], key_id
        for form in (*key.get("either", ()), *key.get("form", ())):
            assert form["min"] <= form["max"], key_id


@pytest.mark.parametrize("format_id", FORMATS)
def test_every_format_s_example_passes(format_id: str) -> None:
    facts = facts_of("X", format_id=format_id)
    result = check_whole(None, facts.rules, FORMATS[format_id]["example"])
    assert all(line.state == "pass" for line in result.lines)


def test_every_key_s_example_passes() -> None:
    for key_id, (_, key) in IN_TOML.items():
        result = checked(key_id, key["example"])
        assert not doubts(result), (key_id, result.lines)
        assert result.lines == () or result.summary is not None, key_id


def test_no_rule_doubts_a_known_real_form() -> None:
    chance = random.Random(1)
    forms = [(key_id, template) for key_id, templates in REAL.items() for template in templates]
    assert len(forms) > 200
    for key_id, template in forms:
        for _ in range(20):
            result = checked(key_id, made(template, chance))
            assert not doubts(result), (key_id, template, result.lines)


def test_what_keeps_a_key_s_rules_passes_at_every_length() -> None:
    chance = random.Random(2)
    for key_id in KEYS:
        for _ in range(5):
            result = checked(key_id, by_rule(key_id, chance))
            assert not any(line.state == "fail" for line in result.lines), key_id
            wrong = [line.line_id for line in result.lines if line.state == "warn"]
            assert not set(wrong) - {"other_key", "sibling"}, (key_id, wrong)


@pytest.mark.parametrize("seed", range(3))
def test_of_2000_values_in_a_wrong_field_none_is_misnamed(seed: int) -> None:
    """Named after the key that it is, or left alone; the summary counts as a name too."""
    chance = random.Random(seed)
    named = 0
    for _ in range(2000):
        field, real = chance.sample(list(KEYS), 2)
        result = checked(field, chance.choice(values_of(real, chance)))
        provider, key = IN_TOML[real]
        names = {provider["name"], provider.get("maker")}
        siblings = {short["id"]: short["label"] for short in provider["key"]}
        labels = {key["label"], "key", *(siblings[short] for short in key.get("also", ()))}
        for line in result.lines:
            if line.line_id == "other_key":
                named += 1
                assert line.facts["provider"] in names, (field, real, line)
                assert line.facts["label"] in labels, (field, real, line)
            if line.line_id == "sibling":
                assert sibling_is_true(field, real, line.facts["label"], labels), (field, real, line)
        if result.summary and result.summary["id"] == "looks_like":
            ours = {result.summary["provider"], IN_TOML[field][0].get("maker")}
            assert ours & names - {None}, (field, real, result.summary)
    assert named > 300


def sibling_is_true(field: str, real: str, label: str, labels: set[str]) -> bool:
    """ "That is the publishable key" is true of the provider's own, and of any publishable key."""
    own = field.partition("/")[0]
    said = next(
        key_id for key_id, (_, key) in IN_TOML.items() if key_id.startswith(f"{own}/") and key["label"] == label
    )
    if real.startswith(f"{own}/"):
        return label in labels
    return kind_of(said) == kind_of(real) != "secret"


def test_the_best_known_keys_are_named_in_every_other_field() -> None:
    """Not only left alone: the mistake that people make is seen."""
    chance = random.Random(3)
    for real in (
        "openai/api_key",
        "anthropic/api_key",
        "github/personal_access_token",
        "stripe/secret_key",
        "resend/api_key",
        "sendgrid/api_key",
        "slack/bot_token",
        "groq/api_key",
        "openrouter/api_key",
        "huggingface/user_access_token",
    ):
        value = made(REAL[real][1 if real == "openai/api_key" else 0], chance)
        for field in KEYS:
            provider = real.partition("/")[0]
            if KEYS[field].expected.kind == "public" or field.startswith(f"{provider}/"):
                continue
            lines = {line.line_id: line.facts for line in checked(field, value).lines}
            assert lines["other_key"]["provider"] == IN_TOML[real][0]["name"], (real, field)


def test_the_other_key_of_the_same_page_is_pointed_out() -> None:
    result = checked("stripe/secret_key", "pk_test_" + "x" * 30)
    assert result.lines[0].as_object() == {
        "id": "sibling", "state": "warn", "label": "publishable key", "own": "secret key", "same_page": True,
    }  # fmt: skip


def test_no_line_holds_any_part_of_a_value() -> None:
    chance = random.Random(7)
    for field in list(KEYS)[::3]:
        for real in chance.sample(list(KEYS), 3):
            value = values_of(real, chance)[0] + "Zq9Zq9canary"
            assert "Zq9canary" not in repr(checked(field, value))


def test_a_rule_survives_the_way_to_the_page_and_back() -> None:
    for key_id in KEYS:
        for rule in KEYS[key_id].rules:
            assert rule_of(json.loads(json.dumps(rule.as_object()))) == rule
    either = Either((Form(("a",), 1, 2, "0-9", "x"), Form((), 3, 3)))
    assert rule_of(either.as_object()) == either
