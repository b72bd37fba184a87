"""The page's checks are these checks: both answer alike whatever the value, so that what passes there passes here."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from offprompt.registry.expected_key import ExpectedKey
from offprompt.registry.lookup import facts_of
from offprompt.registry.rules import Exposed, Generated, Rule
from offprompt.registry.space import SPACE
from offprompt.registry.tables import built
from tests.node.program import node
from tests.registry.data import FORMATS, IN_TOML, KEYS
from tests.registry.odd_values import ODD
from tests.registry.real_forms import values_of
from tests.registry.whole_check import check_whole, recognised

pytestmark = pytest.mark.browser

PAGE_SIDE = Path(__file__).resolve().parents[1] / "page" / "script" / "checks_lines.mjs"
Subject = tuple[ExpectedKey | None, tuple[Rule, ...]]


class Page:
    """The page's code behind a pipe."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def say(self, questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Its answers, in the order of the questions; asked a hundred at a time, so that no pipe fills up."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answers = []
        for at in range(0, len(questions), 100):
            some = questions[at : at + 100]
            self._process.stdin.write("".join(json.dumps(question) + "\n" for question in some))
            self._process.stdin.flush()
            answers += [json.loads(self._process.stdout.readline()) for _ in some]
        return answers


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    with subprocess.Popen([node(), str(PAGE_SIDE)], **pipes) as process:
        yield Page(process)
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def ours(subject: Subject, value: str, typing: bool) -> dict[str, Any]:
    checked = check_whole(*subject, value, typing=typing)
    found = recognised(value)
    return {
        "lines": [line.as_object() for line in checked.lines],
        "summary": checked.summary,
        "blocks": checked.blocks,
        "warns": checked.warns,
        "trimmed": value.strip(SPACE),
        "recognised": asdict(found) if found else None,
    }


def question(subject: Subject, value: str, typing: bool) -> dict[str, Any]:
    key, rules = subject
    secret = {"key": key.as_object() if key else None, "rules": [rule.as_object() for rule in rules]}
    return {"secret": secret, "value": value, "typing": typing}


def compare(page: Page, cases: list[tuple[Subject, str]]) -> int:
    asked = [(subject, value, typing) for subject, value in cases for typing in (False, True)]
    for each, said in zip(asked, page.say([question(*each) for each in asked]), strict=True):
        assert said == ours(*each), each
    return len(asked)


def of_key(key_id: str) -> Subject:
    facts = facts_of(IN_TOML[key_id][1]["env"][0], provider=key_id)
    return facts.key, facts.rules


def of_format(format_id: str) -> Subject:
    facts = facts_of("X", format_id=format_id)
    return facts.key, facts.rules


def test_of_every_key_s_values_whole_cut_and_spoilt(page: Page) -> None:
    chance = random.Random(4)
    cases = []
    for key_id in KEYS:
        for value in (IN_TOML[key_id][1]["example"], *values_of(key_id, chance)):
            cut = value[: chance.randrange(len(value) + 1)]
            cases += [(of_key(key_id), one) for one in (value, cut, f" {value}\n", value + "é", value + value)]
    assert compare(page, cases) > 5000


def test_of_every_key_in_the_field_of_another(page: Page) -> None:
    chance = random.Random(5)
    cases = []
    for field in KEYS:
        for other in chance.sample(list(KEYS), 5):
            cases.append((of_key(field), chance.choice(values_of(other, chance))))
    assert compare(page, cases) > 5000


def test_of_keys_that_start_alike_each_in_the_others_field(page: Page) -> None:
    chance = random.Random(8)
    users: dict[str, set[str]] = {}
    for key_id, (_, key) in IN_TOML.items():
        for prefix in key["prefix"]:
            users.setdefault(prefix, set()).add(key_id)
    alike = [sorted(keys) for keys in users.values() if len(keys) > 1]
    pairs = {(field, other) for keys in alike for field in keys for other in keys}
    cases = [(of_key(field), value) for field, other in sorted(pairs) for value in values_of(other, chance)]
    assert compare(page, cases) > 500


def test_of_every_format_and_every_odd_value(page: Page) -> None:
    values = [*ODD, *(entry["example"] for entry in FORMATS.values())]
    cases = [(of_format(format_id), value) for format_id in FORMATS for value in values]
    usual = list(built()["formats_by_name"])
    cases += [((facts.key, facts.rules), value) for name in usual[::7] if (facts := facts_of(name)) for value in ODD]
    assert compare(page, cases) > 2000


def test_of_what_is_made_and_what_is_exposed(page: Page) -> None:
    rules: list[tuple[Rule, ...]] = [(Generated(size, encoding),) for size in (16, 32) for encoding in ENCODINGS]
    rules += [(Exposed("VITE_", secret),) for secret in (True, False)]
    chance = random.Random(6)
    values = [*ODD, *(value for key_id in list(KEYS)[::10] for value in values_of(key_id, chance))]
    compare(page, [((None, each), value) for each in rules for value in values])


ENCODINGS = ("hex", "base64", "base64url")


@settings(max_examples=300, deadline=None)
@given(
    value=st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
    | st.text('AaZz09+/=_-.:@{}[]"<> \n', max_size=80)
    | st.builds("{}{}{}".format, st.sampled_from(SPACE), st.text(max_size=9), st.sampled_from(SPACE)),
    format_id=st.sampled_from(sorted(FORMATS)),
    typing=st.booleans(),
)
def test_of_any_text(page: Page, value: str, format_id: str, typing: bool) -> None:
    subject = of_format(format_id)
    assert page.say([question(subject, value, typing)]) == [ours(subject, value, typing)]


def test_of_texts_too_long_to_read(page: Page) -> None:
    long = ("a" * 65_536, "a" * 65_537, "-----BEGIN X-----" * 6000, "{" * 65_000, "😀" * 40_000, "=" * 100_000)
    compare(
        page, [(of_format(format_id), value) for format_id in ("json", "pem", "base64", "url", "hex") for value in long]
    )
