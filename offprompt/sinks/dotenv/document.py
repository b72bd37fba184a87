"""A dotenv file's text, and setting a name in it while every other byte stays."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import attrgetter

from offprompt.errors import TargetInTheWay
from offprompt.request import key_names
from offprompt.sinks.dotenv import forms, node, python, shell
from offprompt.sinks.dotenv.forms import Carried
from offprompt.sinks.dotenv.statement import Statement

_NEWLINE = re.compile(r"\r\n|\n|\r")
# What both readers take for a comment, or for nothing, behind a value that ends where it starts.
_REST_IS_COMMENT = re.compile(r"(?P<gap>[^\S\r\n]*)(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
_LINE_START = re.compile(r"\ufeff?[^\S\r\n]*(?:export[^\S\r\n]+)?")
_LINE_OF_ITS_OWN = re.compile(r"\s*(?:#|-----END|$)|[^=:]*[=:]")
# What `forms` may put behind a value, told from a comment by the nothing that follows it.
_CLOSING = re.compile(f"(?:{'|'.join(forms.CLOSINGS.values())})(?=[ \\t]*(?:[#\\r\\n]|\\Z))")
_QUOTES = "'\"`"

MAX_REPORTED = 100
"""Names of a file that an agent is told. They help it to find its way; a file of more is not read for them."""


class Document:
    """The text of a dotenv file, read once by each reader. Immutable; its repr shows no text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.node = tuple(node.statements(text))
        self.python = tuple(python.statements(text))
        self.by_node: Mapping[str, str | None] = {found.name: found.value for found in self.node}
        self.by_python: Mapping[str, str | None] = {found.name: found.value for found in self.python}

    def holds(self, name: str) -> bool:
        """Whether a reader finds a value behind the name. `NAME=`, as in a copied example file, has none yet."""
        return bool(self.by_node.get(name) or self.by_python.get(name))

    def names(self) -> tuple[str, ...]:
        """Return the names that both readers find at the same place, in the order of the file.

        One of them may be a piece of a value: they stay inside this program. `reported_keys` is for agents.
        """
        by_both = {(found.at, found.name) for found in self.python}
        return tuple(dict.fromkeys(found.name for found in self.node if (found.at, found.name) in by_both))

    def reported_keys(self, limit: int = MAX_REPORTED) -> tuple[tuple[str, ...], int]:
        """Return the names that an agent may be told, and how many more there are or may be.

        Told are names that both readers find at the same place and that are no piece of a value as far as
        `key_names` can say. At most `limit` names are told. All others are counted, each once.
        """
        by_both = {(found.at, found.name) for found in self.python}
        told: dict[str, None] = {}
        others = {found.name for found in self.python if found.value is not None}
        open_quote = False
        piece_ends = 0  # the line that the last piece of a value ends in
        above = _Above("")
        found_before: Statement | None = None
        for found in self.node:
            others.add(found.name)
            line = self.line(found.at)
            if line != above.line + 1:
                # What stands in the lines of a quoted value is told by its quotes, not by the last of the lines.
                inside = found_before is not None and self.line(found_before.at) < line - 1 <= self.line(
                    found_before.end
                )
                above = _Above(
                    self.text[self._starts[line - 2] : self._starts[line - 1]] if line > 1 and not inside else "",
                    line - 1,
                )
            found_before = found
            in_doubt = open_quote or (found.at, found.name) not in by_both
            if in_doubt or not _is_name(found, above, continues=0 < piece_ends == line - 1):
                piece_ends = piece_ends if (found.value or "").strip("=") else self.line(found.end)
            elif len(told) < limit:
                told[found.name] = None
            open_quote = open_quote or _leaves_quote_open(self.text, found)
        return tuple(told), len(others - told.keys())

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


class _Above:
    """The line above an assignment.

    `is_junk`: it is no assignment, no comment and no end of a PEM text. `may_go_on`: its value stands without quotes
    and is no word or number, so that it may go on in the next line.
    """

    def __init__(self, text: str, line: int = 0) -> None:
        self.line = line
        self.is_junk = _LINE_OF_ITS_OWN.match(text) is None
        last = re.split("[=:]", text, maxsplit=1)[-1].split()[-1:]
        self.may_go_on = bool(last) and last[0][-1] not in _QUOTES and not key_names.is_word(last[0])


def _is_name(found: Statement, above: _Above, *, continues: bool) -> bool:
    """Whether a name stands before the `=`. `continues`: the line above ends with a piece of a value."""
    trust = key_names.trust(found.name)
    value = found.value or ""
    if trust == "doubtful" or (value and not value.strip("=")):
        return False
    if key_names.turned_round(found.name, value):
        return False
    if continues or above.is_junk:
        return trust == "sure"
    return bool(value) or trust == "sure" or (found.name.isupper() and not above.may_go_on)


def _leaves_quote_open(text: str, found: Statement) -> bool:
    """Whether the value starts with a quote that its line does not close: what follows may belong to it."""
    raw = text[found.at : found.end].partition("=")[2].strip()
    return raw[:1] in _QUOTES and raw != "" and (len(raw) == 1 or raw[-1] != raw[0])


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
