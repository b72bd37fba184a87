from __future__ import annotations

from typing import Any

import pytest

from offprompt import errors
from offprompt.request import spec
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec

ONE = (Entry("API_KEY"),)


@pytest.mark.parametrize("name", ["A", "Z9", "A_", "OPENAI_API_KEY", "A" * 128])
def test_names_of_environment_variables_are_taken(name: str) -> None:
    assert Entry(name).name == name


@pytest.mark.parametrize(
    "name", ["", "a", "_A", "9A", "A-B", "A B", "A\n", "\nA", "A=", "É", "\u0391", "A" * 129, "A\0", "A\ud800", "A.B"]
)
def test_other_names_are_refused_without_being_repeated(name: str) -> None:
    with pytest.raises(errors.BadName) as refused:
        Entry(name)
    assert "OPENAI_API_KEY" in str(refused.value)
    assert not name or len(name) < 3 or name not in str(refused.value)


@pytest.mark.parametrize(
    "ways",
    [
        {"provider": "stripe", "format": "url"},
        {"provider": "stripe", "generate": Generate()},
        {"format": "url", "generate": Generate()},
        {"provider": "stripe", "format": "url", "generate": Generate()},
    ],
)
def test_two_ways_for_one_value_are_refused(ways: dict[str, Any]) -> None:
    with pytest.raises(errors.TwoWays, match="API_KEY"):
        Entry("API_KEY", **ways)


@pytest.mark.parametrize("way", [{"provider": "stripe"}, {"format": "url"}, {"generate": Generate()}, {}])
def test_one_way_or_none_is_taken(way: dict[str, Any]) -> None:
    Entry("API_KEY", **way)


def test_a_caption_has_at_most_90_characters() -> None:
    Entry("API_KEY", caption="😀" * spec.MAX_CAPTION)
    for bad in ("x" * 91, "\0", "\ud800", "\udfff"):
        with pytest.raises(errors.BadCaption, match="at most 90"):
            Entry("API_KEY", caption=bad)


@pytest.mark.parametrize("size", [16, 17, 32, 63, 64])
@pytest.mark.parametrize("encoding", spec.ENCODINGS)
def test_generated_values_have_16_to_64_bytes(size: int, encoding: spec.Encoding) -> None:
    assert Generate(size, encoding).bytes == size


@pytest.mark.parametrize("size", [-1, 0, 15, 65, 10**9])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(errors.BadGenerate, match="16 to 64"):
        Generate(size)


@pytest.mark.parametrize("encoding", ["", "Hex", "base32", "utf-8", "base64 "])
def test_other_encodings_are_refused(encoding: Any) -> None:
    with pytest.raises(errors.BadEncoding, match="base64url, base64, hex"):
        Generate(32, encoding)


def test_a_sink_is_dotenv_at_dot_env_by_default() -> None:
    assert SinkSpec() == SinkSpec("dotenv", ".env")


@pytest.mark.parametrize("kind", ["", "env", "Dotenv", "exec"])
def test_other_kinds_of_sinks_are_refused(kind: Any) -> None:
    with pytest.raises(errors.BadSink, match="dotenv, file"):
        SinkSpec(kind)


def test_a_path_has_1_to_1024_characters() -> None:
    SinkSpec("file", "x" * spec.MAX_PATH)
    for bad in ("", "x" * (spec.MAX_PATH + 1), "a\0b", "a\ud800"):
        with pytest.raises(errors.BadPath):
            SinkSpec("file", bad)


def test_a_request_has_1_to_12_values() -> None:
    names = tuple(Entry(f"KEY_{number}") for number in range(13))
    assert RequestSpec(names[:12]).names[-1] == "KEY_11"
    for bad in ((), names):
        with pytest.raises(errors.BadCount, match="one to 12"):
            RequestSpec(bad)


def test_a_name_twice_is_refused_and_named() -> None:
    with pytest.raises(errors.NameTwice, match="B is asked for twice"):
        RequestSpec((Entry("A"), Entry("B"), Entry("C"), Entry("B", caption="again")))


def test_a_file_takes_exactly_one_value() -> None:
    RequestSpec(ONE, sink=SinkSpec("file", "key.pem"))
    with pytest.raises(errors.SeveralForFile, match="2 were asked for"):
        RequestSpec((Entry("A"), Entry("B")), sink=SinkSpec("file", "key.pem"))


def test_a_reason_has_at_most_2000_characters() -> None:
    RequestSpec(ONE, "é" * spec.MAX_REASON)
    RequestSpec(ONE, "")
    for bad in ("x" * 2001, "a\0b", "\ud83d"):
        with pytest.raises(errors.BadReason, match="at most 2000"):
            RequestSpec(ONE, bad)


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
