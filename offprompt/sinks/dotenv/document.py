"""A dotenv file's text, and setting a name in it while every other byte stays."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from offprompt.errors import TargetInTheWay, ValueNotCarried
from offprompt.sinks.dotenv import forms, node, python, shell
from offprompt.sinks.dotenv.statement import Statement

_NEWLINE = re.compile(r"\r\n|\n|\r")
_REST_IS_COMMENT = re.compile(r"(?:[ \t]+#[^\r\n]*|[ \t]*)(?=[\r\n]|\Z)")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_START = re.compile(r"\ufeff?[^\S\r\n]*(?:export[^\S\r\n]+)?")
_LINE_OF_ITS_OWN = re.compile(r"\s*(?:#|-----END|$)|[^=:]*[=:]")
# What `forms` may put behind a value, told from a comment by the nothing that follows it.
_CLOSING = re.compile(f"(?:{'|'.join(forms.CLOSINGS.values())})(?=[ \\t]*(?:[#\\r\\n]|\\Z))")
_USUAL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


class Document:
    """The text of a dotenv file, read once by each reader. Immutable; its repr shows no text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.node = tuple(node.statements(text))
        self.python = tuple(python.statements(text))
        self.by_node: Mapping[str, str | None] = {found.name: found.value for found in self.node}
        self.by_python: Mapping[str, str | None] = {found.name: found.value for found in self.python}

    def holds(self, name: str) -> bool:
        """Whether a reader finds a value behind the name. `NAME=`, as a copied example file has it, is a place for
        one.
        """
        return bool(self.by_node.get(name) or self.by_python.get(name))

    def names(self) -> tuple[str, ...]:
        """The names that both readers find, in the order of the file.

        Left out is what may be a piece of a value: a base64 line that stands without quotes ends in `=` and reads like
        a name with nothing behind it. These names are shown to agents.
        """
        by_both = {found.at for found in self.python}
        names: dict[str, None] = {}
        piece_in = -1  # the line in which the last piece of a value stood
        for found in self.node:
            line = self.line(found.at)
            if found.value in ("", "=") and self._may_be_a_piece(found, follows_one=line == piece_in + 1):
                piece_in = line
            elif found.at in by_both and _USUAL_NAME.fullmatch(found.name):
                names[found.name] = None
        return tuple(names)

    def _may_be_a_piece(self, found: Statement, *, follows_one: bool) -> bool:
        """Whether an assignment of nothing, or of `=`, may be the end of some base64."""
        line = self.line(found.at)
        above = self.text[self._starts[line - 2] : self._starts[line - 1]] if line > 1 else ""
        follows_junk = _LINE_OF_ITS_OWN.match(above) is None
        return found.value == "=" or not found.name.isupper() or follows_one or follows_junk

    @property
    def newline(self) -> str:
        r"""How the last line that ends does so; "\n" when none does."""
        end = self._starts[-1]
        return "\r\n" if self.text.endswith("\r\n", 0, end) else self.text[end - 1] if end else "\n"

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in _NEWLINE.finditer(self.text)))

    def line(self, at: int) -> int:
        """The number of the line in which an offset lies, counted from 1."""
        return bisect_right(self._starts, at)

    def sourced(self, name: str, value: str) -> shell.View:
        """How a shell reads `name`, which was put here with `value`."""
        found = next(found for found in reversed(self.node) if found.name == name)
        return shell.view(self.text, found.at, _behind_closing(self.text, found.end), name, value)

    def doubtful_line(self, lost_at: int | None) -> int:
        """The line to look at: where a shell's reading was lost, else where the readers first part, else the last."""
        if lost_at is not None:
            return self.line(lost_at)
        doubts = [len(self.text)]
        for ours, others in ((self.node, self.python), (self.python, self.node)):
            seen = {(other.at, other.name) for other in others}
            for found in ours:
                if (found.at, found.name) not in seen:
                    doubts += [found.at, *(other.at for other in others if other.at < found.at < other.end)]
        return self.line(min(doubts))


def put(document: Document, name: str, value: str, path: str) -> Document:
    """Sets `name` to `value`: in place of its first assignment, else on a new last line; later assignments of it are
    dropped.

    The new text is read back by both readers before it is returned: they agree on `value`, and on every other name they
    read what they read before. Among the ways of writing it that do so and run nothing when the file is sourced, one
    that a shell reads exactly is preferred.

    Raises:
        ValueNotCarried: no dotenv file can hold this value.
        TargetInTheWay: this one cannot, because of another line of it (`path` is for the sentence).
    """
    if forms.objections(name, value):
        raise ValueNotCarried(name=name)
    lost_at = None
    second: Document | None = None
    for form in forms.forms(value, document.newline):
        after = Document(_with_statement(document, name, f"{name}={form}"))
        if not _nothing_else_changed(document, after, name, value):
            continue
        seen = after.sourced(name, value)
        if seen.exact:
            return after
        if not seen.runs and second is None:
            second = after
        lost_at = lost_at if seen.lost_at is None else seen.lost_at
    if second is None:
        raise TargetInTheWay(name=name, path=path, line=document.doubtful_line(lost_at))
    return second


def _with_statement(document: Document, name: str, statement: str) -> str:
    text = document.text
    places = _places(document, name)
    if not places:
        newline = document.newline
        before = text if text in ("", "\ufeff") or text.endswith(("\n", "\r")) else text + newline
        return before + statement + newline
    first, end = places[0]
    kept = [text[:first], statement]
    end = _behind_closing(text, end)
    at = end if _REST_IS_COMMENT.match(text, end) else _line_end(text, end)
    for start, end in places[1:]:
        if start < at:
            continue
        line_start = max(at, 1 + max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)))
        dropped = line_start if _LINE_START.fullmatch(text, line_start, start) else start
        kept.append(text[at:dropped])
        at = _line_end(text, end)
        newline_found = _NEWLINE.match(text, at)
        at = newline_found.end() if newline_found else at
    kept.append(text[at:])
    return "".join(kept)


def _behind_closing(text: str, end: int) -> int:
    found = _CLOSING.match(text, end)
    return found.end() if found and (text[end - 1] == "\\" or found[0] != " #") else end


def _places(document: Document, name: str) -> list[tuple[int, int]]:
    """From where to where the name is assigned: what both readers see, and what one sees that is nothing else to the
    other.
    """
    by_node = {found.at: found.end for found in document.node if found.name == name}
    by_python = {found.at: found.end for found in document.python if found.name == name}
    places = []
    for at in sorted(by_node.keys() | by_python.keys()):
        end = max(by_node.get(at, at), by_python.get(at, at))
        others = document.python if at not in by_python else document.node if at not in by_node else ()
        if not any(other.name != name and other.at < end and at < other.end for other in others):
            places.append((at, end))
    return places


def _line_end(text: str, at: int) -> int:
    found = _REST_OF_LINE.match(text, at)
    assert found is not None  # it matches the empty string
    return found.end()


def _nothing_else_changed(before: Document, after: Document, name: str, value: str) -> bool:
    return after.by_node == {**before.by_node, name: value} and after.by_python == {**before.by_python, name: value}
