"""Templates: what goes into a hole stays text."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from offprompt.page.template import Template, as_html, as_json


def test_holes_are_filled_once() -> None:
    assert Template("<{{a}}|{{b}}|{{a}}>").fill({"a": "{{b}}", "b": "{{c}}"}) == "<{{b}}|{{c}}|{{b}}>"


def test_a_hole_without_a_text_is_an_error_and_a_text_without_a_hole_is_none() -> None:
    assert Template("x").fill({"a": "y"}) == "x"
    with pytest.raises(KeyError):
        Template("{{a}}").fill({})


def test_what_fills_a_hole_for_good_is_not_searched_for_holes_either() -> None:
    part = Template("{{a}}-{{b}}-{{c}}").part({"a": "{{c}}", "c": "{{b}}"})
    assert part.holes == {"b"}
    assert part.fill({"b": "B", "c": "never"}) == "{{c}}-B-{{b}}"


@given(
    st.lists(st.sampled_from(["{{a}}", "{{b}}", "{", "}", "a", "x{{", "}}"])), st.text(max_size=9), st.text(max_size=9)
)
def test_filling_in_two_steps_is_filling_in_one(pieces: list[str], a: str, b: str) -> None:
    template = Template("".join(pieces))
    assume(template.holes <= {"a", "b"})
    assert template.part({"a": a}).fill({"b": b}) == template.fill({"a": a, "b": b})


class Reader(HTMLParser):
    """What a browser would find."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [value for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@given(st.text(alphabet=st.sampled_from("<>&\"'/!-a=script\n\u2028é🍋")) | st.text())
def test_no_text_leaves_its_place(text: str) -> None:
    reader = Reader()
    reader.feed(f'<p title="{as_html(text)}">{as_html(text)}</p>')
    reader.close()
    assert reader.tags == ["p"]
    assert reader.attributes == [text]


@pytest.mark.parametrize(
    "text", ["</script>", "<!--<script>", "]]>", "\u2028\u2029", "&lt;", "<\0/script>", "\ud800", "🍋"]
)
def test_json_in_a_script_element_cannot_end_it_and_reads_back(text: str) -> None:
    written = as_json({"reason": text})
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == {"reason": text}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json_reads_back(value: Any) -> None:
    assert json.loads(as_json({"v": value})) == {"v": value}
