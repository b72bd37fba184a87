"""Rules as objects for the page."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from offprompt.registry.rules import (
    FORMAT_FACTS,
    Charset,
    Either,
    Exposed,
    Form,
    FormatRule,
    Generated,
    Length,
    Rule,
    StartsWith,
    Usually,
    format_rule,
    rule_of,
)
from offprompt.registry.tables import built

RULES: list[tuple[Rule, dict[str, Any]]] = [
    (StartsWith(("sk_live_", "sk_test_")), {"id": "starts_with", "prefix": ["sk_live_", "sk_test_"]}),
    (Usually(("AIza",)), {"id": "usually", "prefix": ["AIza"]}),
    (Length(20, 80), {"id": "length", "min": 20, "max": 80}),
    (Charset("0-9"), {"id": "charset", "of": "0-9"}),
    (
        Either((Form(("a_",), 5, 9, "a-z_"), Form((), 4, 4, "", "."))),
        {
            "id": "either",
            "forms": [{"prefix": ["a_"], "min": 5, "max": 9, "of": "a-z_"}, {"min": 4, "max": 4, "holds": "."}],
        },
    ),
    (FormatRule("json", firm=True, parse="json"), {"id": "format", "is": "json", "firm": True, "parse": "json"}),
    (FormatRule("x", schemes=("a", "b"), host=True), {"id": "format", "is": "x", "schemes": ["a", "b"], "host": True}),
    (Generated(32, "hex"), {"id": "generated", "bytes": 32, "encoding": "hex"}),
    (Exposed("VITE_", secret=True), {"id": "exposed", "prefix": "VITE_", "secret": True}),
]


@pytest.mark.parametrize(("rule", "members"), RULES)
def test_a_rule_is_an_object_and_back(rule: Rule, members: dict[str, Any]) -> None:
    assert rule.as_object() == members
    assert list(rule.as_object()) == list(members)
    assert rule_of(json.loads(json.dumps(members))) == rule


def test_rules_can_be_kept_in_sets_and_not_be_changed() -> None:
    assert len({rule for rule, _ in RULES}) == len(RULES)
    with pytest.raises(FrozenInstanceError):
        Length(1, 2).min = 0  # type: ignore[misc]


def test_facts_that_are_not_given_are_not_sent() -> None:
    assert FormatRule("text").as_object() == {"id": "format", "is": "text"}
    whole = {
        "is": "x", "firm": True, "min": 1, "max": 2, "strip": True, "multiple": 4, "pattern": "a", "ignore_case": True,
        "schemes": ["a"], "host": True, "parse": "jwt", "begins": "b", "odd": "c",
    }  # fmt: skip
    assert format_rule(whole).as_object() == {"id": "format", **whole}
    assert set(whole) - {"is"} == set(FORMAT_FACTS)


@pytest.mark.parametrize("wrong", [{}, {"id": "new"}, {"id": "length"}, {"id": "either", "forms": [{}]}])
def test_what_is_no_rule_is_not_read(wrong: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        rule_of(wrong)


def test_every_rule_that_was_built_is_read() -> None:
    for provider in built()["providers"].values():
        for facts in provider["keys"].values():
            assert [rule_of(rule).as_object() for rule in facts["rules"]] == facts["rules"]
