"""What an agent asks for, once its call has been read."""

from __future__ import annotations

import pytest

from offprompt.request.spec import MAX_NAME, Entry, Generate, RequestSpec, SinkSpec

ONE = (Entry("API_KEY"),)


@pytest.mark.parametrize("name", ["A", "Z9", "A_", "OPENAI_API_KEY", "A" * MAX_NAME])
def test_names_of_environment_variables_are_taken(name: str) -> None:
    assert RequestSpec((Entry(name),)).names == (name,)


@pytest.mark.parametrize(
    "name", ["", "a", "_A", "9A", "A-B", "A B", "A\n", "\nA", "A=", "É", "\u0391", "A" * 129, "A\0", "A\ud800", "A.B"]
)
def test_no_other_name_gets_beyond_a_spec(name: str) -> None:
    with pytest.raises(ValueError, match="a name of its own") as refused:
        RequestSpec((Entry(name),))
    assert len(name) < 3 or name not in str(refused.value)


@pytest.mark.parametrize("entries", [(), (Entry("A"), Entry("B"), Entry("A", caption="again"))])
def test_a_spec_has_entries_and_each_name_once(entries: tuple[Entry, ...]) -> None:
    with pytest.raises(ValueError, match="a name of its own"):
        RequestSpec(entries)


def test_a_sink_is_dotenv_at_dot_env_by_default() -> None:
    assert SinkSpec() == SinkSpec("dotenv", ".env")


def test_a_request_of_generated_values_alone_needs_nobody() -> None:
    made = Entry("AUTH_SECRET", generate=Generate())
    assert RequestSpec((made,)).generated_only
    assert not RequestSpec((made, *ONE)).generated_only


def test_equal_requests_are_equal_and_different_ones_are_not() -> None:
    """A repeated call is found by this."""
    assert RequestSpec(ONE, "why") == RequestSpec((Entry("API_KEY"),), "why")
    assert RequestSpec(ONE, "why") != RequestSpec(ONE, "why not")
    assert RequestSpec(ONE) != RequestSpec((Entry("API_KEY", caption="x"),))
    assert len({RequestSpec(ONE), RequestSpec(ONE)}) == 1
