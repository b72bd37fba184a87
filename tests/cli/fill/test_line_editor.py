from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from offprompt.cli.fill.line_editor import Echo, Ended, Entered, Event, LineEditor, Refused, Stopped, Unused
from offprompt.request.submission import MAX_VALUE
from tests.growth import LINEAR, growth

PASTE, PASTED = b"\x1b[200~", b"\x1b[201~"
ENTER = b"\r"
USED = b"\x03\x04\b\t\n\r\x15\x17\x1b"


def last(raw: bytes, *, multiline: bool = False) -> Event | None:
    """What comes of `raw`, sent at once; None while the value is not complete."""
    events = [event for event in LineEditor(multiline=multiline).feed(raw) if not isinstance(event, Echo | Unused)]
    assert len(events) <= 1
    return events[0] if events else None


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"made up\r", "made up"),
        (b"made up\n", "made up"),
        (b"\r", ""),
        ("é😀ß\r".encode(), "é😀ß"),
        (b"abc\x7f\x7fx\r", "ax"),
        (b"\x7f\x7fx\r", "x"),
        ("😀é\x7f\x7fx\r".encode(), "x"),
        (b"wrong\x15right\r", "right"),
        (b"a\tb\r", "a\tb"),  # a Tab is pasted like this where a terminal does not mark pastes
        (b"\t\r", "\t"),
        (b"two words\x17x\r", "two x"),
        (b"two words \t\x17\x17x\r", "x"),
        (b"\x17x\r", "x"),
        (PASTE + b"pasted" + PASTED + ENTER, "pasted"),
        (PASTE + b"pasted\r" + PASTED + ENTER, "pasted"),
        (PASTE + b"pasted\r\n\r\n" + PASTED + ENTER, "pasted"),
        (PASTE + b"a\tb\x1b[31mc" + PASTED + ENTER, "a\tb\x1b[31mc"),
        (b"one " + PASTE + b"two" + PASTED + b" three\r", "one two three"),
        (PASTE + b"half \x1b[201" + PASTED + ENTER, "half \x1b[201"),
        (b" blanks stay \r", " blanks stay "),
        (b"value\r\n", "value"),
        (b"value\r\r\n", "value"),
    ],
)
def test_one_line_is_what_was_typed_or_pasted(raw: bytes, text: str) -> None:
    assert last(raw) == Entered(text)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\rb\r.\r", "a\nb"),
        (b"a\r\r.\r", "a\n"),
        (b".\r", ""),
        (b"\r.\r", ""),
        (b"a\r.b\r.\r", "a\n.b"),
        (b"a.\r.\r", "a."),
        (b"a\r..\r.\r", "a\n.."),
        (PASTE + b"a\rb" + PASTED + b"\r.\r", "a\nb"),
        (PASTE + b"a\rb\r" + PASTED + b".\r", "a\nb\n"),
        (PASTE + b"a\r\nb\r\n" + PASTED + b".\r", "a\nb\n"),
        (PASTE + b"a\nb" + PASTED + b"\x04", "a\nb"),
        (b"a\rb\x04", "a\nb"),
        (b"a\rb\r\x04", "a\nb\n"),
        (PASTE + b"a\r.\rb" + PASTED + b"\r.\r", "a\n.\nb"),
        (b"a\tb\r.\r", "a\tb"),
        (b"a\rb\x7f\x7fc\r.\r", "ac"),
        (b"a\rb\x15c\r.\r", "c"),
        (b"a b\rc d\x17\x17\x17e\r.\r", "a be"),
    ],
)
def test_several_lines_end_with_a_dot_or_ctrl_d(raw: bytes, text: str) -> None:
    """A line end typed to get to the dot is no part of the value; a pasted one is, as some keys need their last."""
    assert last(raw, multiline=True) == Entered(text)


@pytest.mark.parametrize(
    "raw",
    [
        b"one\rtwo",
        b"one\rtwo\r",
        PASTE + b"one\rtwo" + PASTED,
        PASTE + b"one\r\ntwo\r\n" + PASTED + ENTER,
        PASTE + b"one" + PASTED + ENTER + b"two",
        PASTE + b"\rone" + PASTED + ENTER,
    ],
)
def test_more_than_one_line_is_refused_where_one_fits(raw: bytes) -> None:
    """The second line of a paste must not answer the next question."""
    assert last(raw) == Refused("lines")


@pytest.mark.parametrize("multiline", [False, True])
@pytest.mark.parametrize(
    ("key", "name"),
    [
        *((bytes([code]), f"Ctrl-{chr(code + 64)}") for code in range(1, 32) if code not in USED),
        (b"\x00", "Ctrl-Space"),
        (b"\x1b[A", "The up arrow"),
        (b"\x1bOB", "The down arrow"),
        (b"\x1b[1;5C", "The right arrow"),
        (b"\x1b[D", "The left arrow"),
        (b"\x1b[3~", "Delete"),
        (b"\x1b[H", "Home"),
        (b"\x1b[4~", "End"),
        (b"\x1b[12~", "That key"),
        (b"\x1bOP", "That key"),
    ],
)
def test_a_key_that_does_nothing_is_told_by_its_name(key: bytes, name: str, multiline: bool) -> None:
    editor = LineEditor(multiline=multiline)
    assert editor.feed(b"a" + key + b"b") == [Echo("a"), Unused(name), Echo("b")]


def test_every_key_and_sequence_is_taken_does_something_or_is_told() -> None:
    """Nothing that is typed disappears without a word."""
    for code in range(256):
        editor = LineEditor()
        events = [*editor.feed(bytes([code])), *editor.settle()]
        assert events or code >= 0x80, code  # a byte of a letter that is not whole yet


def test_ctrl_d_within_a_line_is_told() -> None:
    assert LineEditor().feed(b"a\x04b") == [Echo("a"), Unused("Ctrl-D"), Echo("b")]


@pytest.mark.parametrize("multiline", [False, True])
def test_ctrl_c_stops_whatever_was_typed(multiline: bool) -> None:
    assert last(b"\x03", multiline=multiline) == Stopped()
    assert last(b"abc\x03def", multiline=multiline) == Stopped()


@pytest.mark.parametrize("multiline", [False, True])
def test_ctrl_d_ends_where_nothing_was_typed(multiline: bool) -> None:
    assert last(b"\x04", multiline=multiline) == Ended()
    assert last(b"a\x7f\x04", multiline=multiline) == Ended()


@pytest.mark.parametrize("multiline", [False, True])
def test_a_value_has_at_most_64_kib_and_is_never_cut(multiline: bool) -> None:
    end = b"\x04" if multiline else ENTER
    assert last(b"x" * MAX_VALUE + end, multiline=multiline) == Entered("x" * MAX_VALUE)
    for raw in (b"x" * (MAX_VALUE + 1), "é".encode() * (MAX_VALUE // 2) + b"x", b"x" * MAX_VALUE * 3):
        assert last(raw + end, multiline=multiline) == Refused("long")
    for erase in (b"\x7f", b"\x17"):
        assert last(b"x" * (MAX_VALUE + 1) + erase + end, multiline=multiline) == Refused("long")
    assert last(b"x" * (MAX_VALUE + 1) + b"\x15y" + end, multiline=multiline) == Entered("y")


def test_after_a_refusal_the_editor_starts_anew() -> None:
    editor = LineEditor()
    assert editor.feed(b"one\rtwo")[-1] == Refused("lines")
    assert editor.feed(b"three\r")[-1] == Entered("three")


def test_an_escape_key_alone_takes_no_letter_with_it() -> None:
    editor = LineEditor()
    assert editor.feed(b"a\x1b") == [Echo("a")]
    assert editor.undecided
    assert editor.settle() == [Unused("Esc")]
    assert not editor.undecided
    assert editor.feed(b"b\r")[-1] == Entered("ab")


def test_an_unfinished_sequence_is_what_was_typed_behind_the_escape_key() -> None:
    editor = LineEditor()
    editor.feed(b"a\x1b[")
    assert editor.settle() == [Unused("Esc"), Echo("[")]
    assert editor.feed(b"\r")[-1] == Entered("a[")


def test_settling_within_a_paste_or_without_need_changes_nothing() -> None:
    editor = LineEditor()
    assert editor.settle() == []
    editor.feed(PASTE + b"a\x1b[20")
    assert not editor.undecided
    assert editor.settle() == []
    assert editor.feed(b"1~\r")[-1] == Entered("a")


def test_bytes_that_are_no_utf8_arrive_as_what_is_refused_later() -> None:
    """Not as a letter that stands for them: the file would hold another value than was typed."""
    assert last(b"a\xe9b\r") == Entered("a\udce9b")


@given(st.data(), st.booleans())
def test_it_does_not_matter_where_the_bytes_are_cut(data: st.DataObject, multiline: bool) -> None:
    part = st.one_of(
        st.text(max_size=6).map(lambda text: text.encode("utf-8", "replace")),
        st.sampled_from([ENTER, b"\n", b"\r\n", b".\r", b"\x7f", b"\x15", b"\x17", b"\t", b"\x04"]),
        st.sampled_from([b"\x1b[A", b"\x1bOB", PASTE, PASTED]),
    )
    raw = b"".join(data.draw(st.lists(part, max_size=8)))
    whole = LineEditor(multiline=multiline)
    events = whole.feed(raw)
    if _end(events):
        return  # what stands behind the end depends on when it came
    cut = LineEditor(multiline=multiline)
    pieces = [event for at in range(len(raw)) for event in cut.feed(raw[at : at + 1])]
    assert _shown(pieces) == _shown(events)
    end = b"\x15" + PASTED + b"x\x04" + b"\r"
    assert _end(cut.feed(end)) == _end(whole.feed(end))


def _end(events: list[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Echo | Unused)]


def _shown(events: list[Event]) -> str:
    shown = ""
    for event in events:
        if isinstance(event, Unused):
            shown += f"<{event.key}>"  # the same keys at the same places
            continue
        assert isinstance(event, Echo)
        shown = shown[: len(shown) - len(event.erased)] + event.text
    return shown


@pytest.mark.parametrize("multiline", [False, True])
@pytest.mark.parametrize(
    "unit", [b"\x0b", b"\x1b", b"\x1b[", b"\x1b[0", b"a\x0b", b"\t", b"\x1b[200~", PASTE + b"a" + PASTED, b"a \x17"]
)
def test_the_time_grows_with_what_is_typed_or_pasted_and_no_faster(unit: bytes, multiline: bool) -> None:
    assert growth(lambda size: unit * size, lambda raw: LineEditor(multiline=multiline).feed(raw)) < LINEAR


def test_nothing_shows_the_value_by_accident() -> None:
    editor = LineEditor()
    events = editor.feed(b"made-up-marker\r")
    assert "made-up-marker" not in repr(events[-1])
    assert "made-up-marker" not in repr(editor)
