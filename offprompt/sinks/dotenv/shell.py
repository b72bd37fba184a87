"""What a shell does with a dotenv file that is sourced, without running one.

The rules that sh, dash, bash and zsh share cut the file into words (POSIX.1-2024, Shell & Utilities 2.2 Quoting, 2.3
Token Recognition, 2.6.2 Parameter Expansion). Two things can go wrong on the way:

* derailed: quotes are still in pairs, but the shell may stop reading or assign something else from here on (a syntax
  error such as `KEY=<yours>`, an `exit`, an array). What is quoted stays quoted, so nothing in it runs.
* lost: nobody knows any more whether a character is quoted (an open quote as in `MOTTO=it's`, a here-document, a quote
  inside a substitution). From here on only characters that mean nothing to a shell are safe.

tests/sinks/dotenv/test_shell.py compares this module, bash and dash on random text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

HARMLESS = re.compile(r"[A-Za-z0-9_./:@%+,=-]*")
"""Characters that mean nothing to a shell, wherever they stand."""

# White space is looked at one by one: \r, \v and others are plain characters to a shell.
_RUN = re.compile(r"[^\s'\"\\$`&;|<>()\0]+")
_NEXT_ACTIVE = re.compile(r'["\\$`\0]')
_SIMPLE_NAME = re.compile(r"\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]|\{[A-Za-z_][A-Za-z0-9_]*\})")
_SIMPLE_COMMAND = re.compile(
    r"\$\((?:[^()<'\"`\\#\n\0]++|'[^()<'\"`\\#\n\0]*'|\"[^()<'\"`\\#\n\0]*\")*+\)"
    r"|`[^`<'\"\\#\n\0]*`|\$\(\([^()'\"`\\\n\0]*\)\)"
)
# `${NAME` and what may follow it. POSIX has the operators; bash has more, and dash gives up on the file for those.
_PARAMETER = re.compile(r"\$\{(#?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])")
_OPERATOR = re.compile(r":?[-=?+]|%%?|##?")
# What all shells take alike behind the operator, in quotes around the whole or without.
_EXPANSION_TEXT = re.compile(r"(?:[^'\"\\$`{}()<>\n\0]++|'[^'\"\\$`{}()<>\n\0]*'|\"[^'\"\\$`{}()<>\n\0]*\")+")
_MOST_NESTED = 16
"""Expansions inside each other that are followed. People write two; more would cost the stack."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_OTHER_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[|\+=)")
_EXPANDED_AFTER_EXPORT = re.compile(r"[*?\[{]")

# fmt: off
# Words that change how the rest is read or whether it is read at all: keywords, and builtins of POSIX and bash that
# act on the shell itself. An outside program cannot touch the shell's variables.
_STEERING = frozenset(
    {
        "!", ".", "[[", "{", "}", "alias", "break", "builtin", "case", "command", "continue", "coproc", "declare", "do",
        "done", "elif", "else", "enable", "esac", "eval", "exec", "exit", "export", "fi", "for", "function", "getopts",
        "if", "in", "let", "local", "logout", "mapfile", "printf", "read", "readarray", "readonly", "return", "select",
        "set", "shift", "shopt", "source", "then", "time", "trap", "typeset", "umask", "unalias", "unset", "until",
        "wait", "while",
    }
)
# bash computes or protects these: assigning them does something else, or nothing.
_OWN_NAMES = frozenset(
    {
        "BASHOPTS", "BASHPID", "BASH_ARGC", "BASH_ARGV", "BASH_COMMAND", "BASH_LINENO", "BASH_SOURCE", "BASH_SUBSHELL",
        "BASH_VERSINFO", "COMP_WORDBREAKS", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "FUNCNAME", "GROUPS",
        "HISTCMD", "LINENO", "OPTIND", "PPID", "RANDOM", "SECONDS", "SHELLOPTS", "SRANDOM", "UID",
    }
)
# fmt: on


@dataclass(frozen=True, slots=True)
class View:
    """How a shell reads one assignment.

    `exact`: it certainly reads the value that is meant. `runs`: sourcing the file might run a part of it, open a file
    for it or read what follows otherwise. `lost_at`: the offset of what made the reading lost before, if anything did.
    """

    exact: bool
    runs: bool
    lost_at: int | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A text as a shell reads it: commands up to its end, or up to `lost_at`, behind which nothing is certain."""

    _text: str = field(repr=False)
    _commands: tuple[_Command, ...] = field(repr=False)
    lost_at: int | None

    def view(self, at: int, end: int, name: str, value: str) -> View:
        """Return how the assignment of `value` to `name` is read that stands from `at` to `end`.

        `end` is the end of its line, or a comment follows.
        """
        seen = None
        for command in self._commands:
            for word in command.words:
                if word.at <= at < word.end and seen is None:
                    if word.at < at and not _STANDS_BEFORE.fullmatch(self._text, word.at, at):
                        return View(False, self._may_run(at, end), _before(self._text, at, word.at))
                    # In a CRLF file a shell takes the CR for a part of the word.
                    whole = self._text[end : word.end] in ("", "\r") and word.end >= end
                    exact = word.at == at and whole and command.assigns and name not in _OWN_NAMES
                    seen = View(exact and word.value == f"{name}={value}", word.runs or not whole)
                elif seen is not None and name in word.sets:
                    seen = View(False, seen.runs)
            # dash gives up on a whole file for one line of it that it cannot read.
            if seen is not None and (command.derailed or command.steers):
                return View(False, seen.runs)
        if seen is None:
            return View(False, self._may_run(at, end), self.lost_at)
        return seen if self.lost_at is None else View(False, seen.runs)

    def _may_run(self, at: int, end: int) -> bool:
        """Whether what stands there could do anything, quoted or not."""
        return HARMLESS.fullmatch(self._text, at, end) is None


# The readers of dotenv files skip these before a name. A shell takes all of it but blanks for a part of the word, which
# then is the name of a command: one that is not there.
_STANDS_BEFORE = re.compile(r"(?:\ufeff|[^\S\r\n])*(?:export[^\S\r\n]+)?")


def _before(text: str, at: int, word_at: int) -> int:
    """Return what makes a word swallow the line that starts at `at`: a backslash before it, or an open quote."""
    return at - 2 if text.endswith("\\\n", 0, at) else word_at


def script(text: str) -> Script:
    """Read a text to its end, or to where its words are not certain any more."""
    commands = []
    lost_at = None
    try:
        for command in _commands(text):
            commands.append(command)
    except _Lost as lost:
        lost_at = lost.at
    return Script(text, tuple(commands), lost_at)


@dataclass(frozen=True, slots=True)
class _Word:
    at: int
    end: int
    value: str | None = field(repr=False)  # None: the shell puts something else in place of a part of it
    assigns: bool
    assigns_oddly: bool  # an element of an array, or `+=`
    runs: bool
    derails: bool  # a shell may give up on the file for it
    sets: tuple[str, ...]  # the names that `${NAME:=…}` in it may set


@dataclass(slots=True)
class _Command:
    words: list[_Word]
    derailed: bool

    @property
    def exports(self) -> bool:
        return bool(self.words) and self.words[0].value == "export"

    @property
    def assigns(self) -> bool:
        """Whether it is assignments and nothing else, with or without `export` before them."""
        return all(word.assigns for word in self.words[self.exports :])

    @property
    def steers(self) -> bool:
        """Whether it may change how the rest of the file is read."""
        for word in self.words[self.exports :]:
            if word.assigns_oddly:
                return True
            if word.assigns:
                continue
            if not self.exports:  # the command's name, behind the variables it is given
                return word.value is None or word.value in _STEERING
            if word.value is None or _NAME.fullmatch(word.value) is None:  # an option; or dash gives up on the file
                return True
        return False


class _Lost(Exception):
    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at


def _commands(text: str) -> Iterator[_Command]:
    """Return the commands of the text. Raise _Lost where their words are not certain."""
    command = _Command([], False)
    at = 0
    while at < len(text):
        mark = text[at]
        if mark in " \t":
            at += 1
        elif text.startswith("\\\n", at):
            at += 2
        elif mark == "#":
            at = _line_end(text, at)
        elif mark in "\n&;|<>()":
            if text.startswith(("<<", "(("), at):
                raise _Lost(at)
            if mark in "|<>()" or (mark in "&;" and not command.words):
                command.derailed = True
            derailed = command.derailed or command.steers
            if command.words:
                command.derailed = command.derailed or mark == "&"
                yield command
            command = _Command([], derailed)
            at += 1
        else:
            word = _word(text, at, command.exports)
            command.words.append(word)
            command.derailed = command.derailed or word.derails
            at = word.end
    if command.words or command.derailed:
        yield command


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


@dataclass(slots=True)
class _Parts:
    """What is known of a word so far."""

    said: list[str] = field(default_factory=list)
    certain: bool = True  # nothing in it is replaced by the shell
    runs: bool = False  # a command in it runs
    derails: bool = False
    sets: list[str] = field(default_factory=list)


def _word(text: str, at: int, exported: bool) -> _Word:
    """Return the word that starts at `at`. Raise _Lost where its end is not certain."""
    start = at
    parts = _Parts()
    while at < len(text):
        mark = text[at]
        if mark in " \t\n&;|<>()":
            break
        if mark == "'":
            end = text.find("'", at + 1)
            if end < 0:
                raise _Lost(start)
            parts.said.append(text[at + 1 : end])
            at = end + 1
        elif mark == '"':
            at = _double_quoted(text, at + 1, parts)
        elif mark == "\\":
            if at + 1 == len(text):
                raise _Lost(start)
            parts.said.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
        elif mark in "$`":
            at = _dollar(text, at, parts, quoted=False)
        elif mark == "\0":
            raise _Lost(start)
        else:
            found = _RUN.match(text, at)
            run = found[0] if found else mark
            # A tilde at the start of a value, or behind a colon in it, is the home directory.
            if "~" in run or (exported and _EXPANDED_AFTER_EXPORT.search(run)):
                parts.certain = False
            parts.said.append(run)
            at += len(run)
    return _Word(
        start,
        at,
        "".join(parts.said) if parts.certain else None,
        assigns=_ASSIGNMENT.match(text, start) is not None,
        assigns_oddly=_OTHER_ASSIGNMENT.match(text, start) is not None,
        runs=parts.runs,
        derails=parts.derails,
        sets=tuple(parts.sets),
    )


def _double_quoted(text: str, at: int, parts: _Parts) -> int:
    """Return the offset behind the closing quote of what starts at `at`."""
    start = at
    while at < len(text):
        mark = text[at]
        if mark == '"':
            return at + 1
        if mark == "\\":
            escaped = text[at + 1 : at + 2]
            parts.said.append("" if escaped == "\n" else escaped if escaped in '$`"\\' else mark + escaped)
            at += 2
        elif mark in "$`":
            at = _dollar(text, at, parts, quoted=True)
        elif mark == "\0":
            break
        else:
            stop = _NEXT_ACTIVE.search(text, at + 1)
            end = stop.start() if stop else len(text)
            parts.said.append(text[at:end])
            at = end
    raise _Lost(start)


def _dollar(text: str, at: int, parts: _Parts, *, quoted: bool) -> int:
    """Return the offset behind what starts with `$` or a backtick."""
    name = _SIMPLE_NAME.match(text, at)
    found = name or _SIMPLE_COMMAND.match(text, at)
    if found is not None:
        parts.certain = False
        parts.runs = parts.runs or name is None
        return found.end()
    following = text[at + 1 : at + 2]
    if following == "{" and text[at] == "$":
        parts.certain = False
        return _expansion(text, at, parts, 0)
    if text[at] == "`" or (following and following in "([") or (following == "'" and not quoted):
        raise _Lost(at)
    if following == '"' and not quoted:  # bash and zsh translate what follows, dash takes the `$` for itself
        parts.certain = False
    parts.said.append("$")
    return at + 1


def _expansion(text: str, at: int, parts: _Parts, depth: int) -> int:
    """Return the offset behind the `${…}` that starts at `at`. Raise _Lost where shells differ about its end."""
    found = _PARAMETER.match(text, at)
    if found is None or depth > _MOST_NESTED:
        raise _Lost(at)
    end = found.end()
    operator = _OPERATOR.match(text, end)
    if operator is not None and not found[1]:
        end = operator.end()
        parts.derails = parts.derails or "?" in operator[0]
        if "=" in operator[0]:
            parts.sets.append(found[2])
    elif not text.startswith("}", end):
        parts.derails = True
    while not text.startswith("}", end):
        if text.startswith("${", end) and _SIMPLE_NAME.match(text, end) is None:
            end = _expansion(text, end, parts, depth + 1)
            continue
        command = _SIMPLE_COMMAND.match(text, end)
        piece = command or _SIMPLE_NAME.match(text, end) or _EXPANSION_TEXT.match(text, end)
        if piece is None:
            raise _Lost(at)
        parts.runs = parts.runs or command is not None
        end = piece.end()
    return end + 1
