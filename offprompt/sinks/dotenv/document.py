"""A dotenv file's text, and setting a name in it while every other byte stays."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import attrgetter

from offprompt.errors import TargetInTheWay
from offprompt.sinks.dotenv import forms, node, python, shell
from offprompt.sinks.dotenv.forms import Carried
from offprompt.sinks.dotenv.statement import Statement

_NEWLINE = re.compile(r"\r\n|\n|\r")
# What both readers take for a comment, or for nothing, behind a value that ends where it starts.
_REST_IS_COMMENT = re.compile(r"(?P<gap>[^\S\r\n]*)(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_START = re.compile(r"\ufeff?[^\S\r\n]*(?:export[^\S\r\n]+)?")
# What `forms` may put behind a value, told from a comment by the nothing that follows it.
_CLOSING = re.compile(f"(?:{'|'.join(forms.CLOSINGS.values())})(?=[ \\t]*(?:[#\\r\\n]|\\Z))")


class Document:
    """The text of a dotenv file, read once by each reader. Immutable; its repr shows no text."""

    def __init__(self, text: str) -> None:
        self.text = text
        # A file that is still to be made has no statements, and nobody needs to look for them.
        self.node = tuple(node.statements(text)) if text else ()
        self.python = tuple(python.statements(text)) if text else ()
        self.by_node: Mapping[str, str | None] = {found.name: found.value for found in self.node}
        self.by_python: Mapping[str, str | None] = {found.name: found.value for found in self.python}

    def holds(self, name: str) -> bool:
        """Whether a reader finds a value behind the name. `NAME=`, as in a copied example file, has none yet."""
        return bool(self.by_node.get(name) or self.by_python.get(name))

    def names(self) -> tuple[str, ...]:
        """Return the names that both readers find at the same place, in the order of the file.

        One of them may be a piece of a value: they stay inside this program. file_keys.py has those for agents.
        """
        by_both = {(found.at, found.name) for found in self.python}
        return tuple(dict.fromkeys(found.name for found in self.node if (found.at, found.name) in by_both))

    @property
    def newline(self) -> str:
        r"""Return the line end of the last line that has one; "\n" when none does."""
        end = self._starts[-1]
        return "\r\n" if self.text.endswith("\r\n", 0, end) else self.text[end - 1] if end else "\n"

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in _NEWLINE.finditer(self.text)))

    def line(self, at: int) -> int:
        """Return the number of the line that holds an offset, counted from 1."""
        return bisect_right(self._starts, at)

    def line_text(self, number: int) -> str:
        """Return a line with its end; "" for line 0."""
        if number == 0:
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end]

    @cached_property
    def _script(self) -> shell.Script:
        return shell.script(self.text)

    def sourced(self, name: str, value: str) -> shell.View:
        """Return how a shell reads `name`, which was put here with `value`."""
        found = next(found for found in reversed(self.node) if found.name == name)
        return self._script.view(found.at, _behind_closing(self.text, found.end), name, value)

    def doubtful_line(self, lost_at: int | None) -> int:
        """Return the line to look at: where a shell is lost, else where the readers first part, else the last."""
        doubts = [max(0, len(self.text) - 1)] if lost_at is None else [lost_at]
        for ours, others in ((self.node, self.python), (self.python, self.node)) if lost_at is None else ():
            seen = {(other.at, other.name) for other in others}
            apart = next((found.at for found in ours if (found.at, found.name) not in seen), None)
            if apart is not None:
                around = _last_before(others, apart)
                doubts += [apart, around.at] if around and apart < around.end else [apart]
        return self.line(min(doubts))


def _last_before(statements: Sequence[Statement], at: int) -> Statement | None:
    """Return the last of the statements that starts before `at`."""
    number = bisect_left(statements, at, key=attrgetter("at"))
    return statements[number - 1] if number else None


def put(document: Document, carried: Carried, path: str) -> Document:
    """Set a name to its value: in place of its first assignment, else on a new last line. Drop later assignments of it.

    Both readers read the new text back before it is returned: they agree on the value, and read every other name as
    before. Among the forms that do so and run nothing when the file is sourced, one that a shell reads exactly is
    preferred.

    Raises:
        TargetInTheWay: the file cannot hold it, because of another line (`path` is for the sentence).
    """
    name, value = carried.name, carried.value
    lost_at = None
    second: Document | None = None
    for form in carried.forms(document.newline):
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
    at = _behind_closing(text, end)
    rest = _REST_IS_COMMENT.match(text, at)
    if rest is None:
        at = _line_end(text, at)
    elif rest["gap"].strip(" \t") or rest[0].startswith("#"):
        # A shell takes what stands right behind a value for a part of it, and other white space than blanks too.
        kept.append(" " if "#" in rest[0] else "")
        at = rest.end("gap")
    for start, end in places[1:]:
        if start < at:
            continue
        line_start = max(at, 1 + text.rfind("\n", at, start), 1 + text.rfind("\r", at, start))
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
    """Return from where to where the name is assigned: a reader sees it, and the other sees no other name there."""
    by_node = {found.at: found.end for found in document.node if found.name == name}
    by_python = {found.at: found.end for found in document.python if found.name == name}
    strangers = {
        "python": [found for found in document.python if found.name != name],
        "node": [found for found in document.node if found.name != name],
    }
    places = []
    for at in sorted(by_node.keys() | by_python.keys()):
        end = max(by_node.get(at, at), by_python.get(at, at))
        others = strangers["python"] if at not in by_python else strangers["node"] if at not in by_node else []
        other = _last_before(others, end)
        if other is None or other.end <= at:
            places.append((at, end))
    return places


def _line_end(text: str, at: int) -> int:
    found = _REST_OF_LINE.match(text, at)
    assert found is not None  # it matches the empty string
    return found.end()


def _nothing_else_changed(before: Document, after: Document, name: str, value: str) -> bool:
    return after.by_node == {**before.by_node, name: value} and after.by_python == {**before.by_python, name: value}
