"""The arguments of a call, and the request that they ask for. Pure.

The reader is lenient where models and hosts are known to differ: "45" for an integer, null or "" for what is optional.
It is strict in everything else, and names all problems at once, in sentences that say how to mend the call. A sentence
repeats nothing of the call but names that are well formed: anything else may be a value that should not be there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from offprompt.agent.mcp.schema import AWAIT, CANCEL, COLLECT
from offprompt.agent.timeouts import DEFAULT_WAIT, MAX_WAIT, SHORT_WAIT
from offprompt.errors import CallRefused
from offprompt.request.spec import (
    ENCODINGS,
    MAX_CAPTION,
    MAX_ENTRIES,
    MAX_GENERATED,
    MAX_NAME,
    MAX_PATH,
    MAX_REASON,
    MIN_GENERATED,
    NAME,
    Entry,
    Generate,
    RequestSpec,
    SinkSpec,
)
from offprompt.text import is_storable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from offprompt.agent.mcp.events import Object
    from offprompt.sinks.sink import Sink

MAX_WORD = 128
"""Characters of a provider, a format and a request_id: the longest of ours has 43."""

MAX_PROBLEMS = 5
"""Problems named at once: a call with more of them is written anew anyway."""

_PROPERTY = re.compile(r"[a-z][a-z_]{0,31}\Z")
_INTEGER = re.compile(r"-?[0-9]{1,9}\Z", re.ASCII)

_EXAMPLE = '[{"name": "OPENAI_API_KEY"}]'

_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True, slots=True)
class Collect:
    """A whole call of collect_secret.

    Attributes:
        spec: what is asked for.
        sandbox: None when the call does not say.
        wait: seconds to wait for the person (docs/protocol.md, W2).
        longest: seconds that the call may take in all while there is no link yet.
    """

    spec: RequestSpec
    sandbox: bool | None
    wait: int
    longest: int


def parse_collect(arguments: Object, sinks: Mapping[str, Sink], *, progress: bool) -> Collect:
    """Return the arguments of collect_secret, for the kinds of `sinks`. A token for `progress` lets it wait longer.

    Raises:
        CallRefused: with all that is wrong.
    """
    look = Look(f"{COLLECT} takes", arguments, ("secrets", "reason", "sink", "sandbox", "wait_seconds"))
    entries = _entries(look)
    reason = look.text("reason", MAX_REASON)
    sink = _sink(look, sinks)
    if sinks[sink.kind].takes_one and len(entries) > 1:
        look.wrong(f"a sink of kind {sink.kind} takes exactly one secret: make a call for each, with its own path.")
    sandbox = look.boolean("sandbox")
    wait = look.integer("wait_seconds")
    look.done()
    longest, most = (DEFAULT_WAIT, MAX_WAIT) if progress else (SHORT_WAIT, SHORT_WAIT)
    bounded = longest if wait is None else max(0, min(wait, most))
    return Collect(RequestSpec(entries, reason, sink), sandbox, bounded, longest)


def parse_await(arguments: Object) -> tuple[str, int]:
    """Return the arguments of await_secret: the request id, and the seconds to wait.

    Raises:
        CallRefused: with all that is wrong.
    """
    look = Look(f"{AWAIT} takes", arguments, ("request_id", "wait_seconds"))
    request_id = _request_id(look)
    wait = look.integer("wait_seconds")
    look.done()
    return request_id, SHORT_WAIT if wait is None else max(0, min(wait, SHORT_WAIT))


def parse_cancel(arguments: Object) -> str:
    """Return the argument of cancel_secret: the request id.

    Raises:
        CallRefused: with all that is wrong.
    """
    look = Look(f"{CANCEL} takes", arguments, ("request_id",))
    request_id = _request_id(look)
    look.done()
    return request_id


class Look:
    """Reads one object of a call, and keeps what is wrong with it.

    `where` is how a sentence names the object: "" for the call itself, else as in `sink`.
    """

    __slots__ = ("_given", "_problems", "_where")

    def __init__(
        self,
        takes: str,
        given: Object,
        known: tuple[str, ...],
        where: str = "",
        problems: list[str] | None = None,
    ) -> None:
        self._given = given
        self._where = where
        self._problems: list[str] = [] if problems is None else problems
        strange = [name for name in given if name not in known]
        if not strange:
            return
        named = [f'"{name}"' for name in strange if _PROPERTY.match(name)][:3]
        which = ", ".join(named) if named else "a property"
        self.wrong(f"{which} is not known here. {takes} {', '.join(known)}.")
        if "value" in strange or "default" in strange:
            self.wrong("never send a value: the person types it on the page.")

    def wrong(self, sentence: str) -> None:
        """Note one problem more."""
        where = f"{self._where}: " if self._where else ""
        self._problems.append(f"{where}{sentence}")

    def done(self) -> None:
        """Refuse the call when anything is wrong."""
        if not self._problems:
            return
        said = [sentence[0].upper() + sentence[1:] for sentence in self._problems[:MAX_PROBLEMS]]
        more = len(self._problems) - len(said)
        if more:
            said.append(f"And {more} more of this kind.")
        raise CallRefused(sentence="\n".join(said))

    def inner(self, name: str, takes: str, known: tuple[str, ...]) -> Look | None:
        """Return the object under `name`; None when absent or wrong."""
        given = self._given.get(name)
        if given is None:
            return None
        if not isinstance(given, dict):
            self.wrong(f"{name} is an object.")
            return None
        where = f"{self._where}, {name}" if self._where else name
        return Look(takes, given, known, where, self._problems)

    def entries(self, name: str) -> list[object] | None:
        """Return the list under `name`; None when absent or wrong."""
        given = self._given.get(name)
        if given is None:
            self.wrong(f"{name} is missing: give a list such as {_EXAMPLE}.")
        elif not isinstance(given, list):
            self.wrong(f"{name} is a list, such as {_EXAMPLE}.")
        else:
            return given
        return None

    def entry(self, given: object, number: int, takes: str, known: tuple[str, ...]) -> Look | None:
        """Return one object of a list, whose entries are counted from 1; None when it is wrong."""
        if isinstance(given, dict):
            return Look(takes, given, known, f"entry {number}", self._problems)
        self.wrong(f'entry {number} is an object, such as {{"name": "OPENAI_API_KEY"}}.')
        return None

    def text(self, name: str, most: int) -> str:
        """Return the text under `name`; "" when absent or wrong."""
        given = self._given.get(name)
        if given is None:
            return ""
        if not isinstance(given, str):
            self.wrong(f"{name} is a string.")
        elif len(given) > most:
            self.wrong(f"{name} has {len(given):,} characters; at most {most:,} are allowed.")
        elif not is_storable(given):
            self.wrong(f"{name} holds a NUL or half of a surrogate pair: send plain Unicode text.")
        else:
            return given
        return ""

    def integer(self, name: str) -> int | None:
        """Return the integer under `name`, also one that is written as text or as 45.0; None when absent or wrong."""
        given = self._given.get(name)
        if given is None or given == "":
            return None
        if isinstance(given, str) and _INTEGER.match(given):
            return int(given)
        if isinstance(given, float) and given.is_integer():
            return int(given)
        if isinstance(given, int) and not isinstance(given, bool):
            return given
        self.wrong(f"{name} is an integer.")
        return None

    def boolean(self, name: str) -> bool | None:
        """Return the boolean under `name`; None when absent or wrong."""
        given = self._given.get(name)
        if given is not None and not isinstance(given, bool):
            self.wrong(f"{name} is true or false.")
            return None
        return given

    def one_of(self, name: str, choices: tuple[_Choice, ...], usual: _Choice) -> _Choice:
        """Return the one of `choices` under `name`; `usual` when absent or wrong."""
        given = self._given.get(name)
        if given is None or given == "":
            return usual
        for choice in choices:
            if given == choice:
                return choice
        self.wrong(f"{name} is one of {', '.join(choices)}.")
        return usual


def _entries(look: Look) -> tuple[Entry, ...]:
    """Return the entries that are well formed."""
    given = look.entries("secrets")
    if given is None:
        return ()
    if not 1 <= len(given) <= MAX_ENTRIES:
        look.wrong(f"secrets has 1 to {MAX_ENTRIES} entries, not {len(given):,}. Make several calls for more.")
        return ()
    entries = tuple(entry for number, one in enumerate(given, 1) if (entry := _entry(look, one, number)))
    names = [entry.name for entry in entries]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        look.wrong(f"{twice} is asked for twice: give each name once.")
    return entries


def _entry(look: Look, given: object, number: int) -> Entry | None:
    known = ("name", "provider", "format", "caption", "generate", "secret")
    entry = look.entry(given, number, "An entry takes", known)
    if entry is None:
        return None
    name = entry.text("name", MAX_NAME)
    named = NAME.match(name) is not None
    if not named:
        entry.wrong(
            "name is an environment variable such as OPENAI_API_KEY: capital letters A-Z, digits and _, a letter first,"
            f" at most {MAX_NAME} characters."
        )
    provider = entry.text("provider", MAX_WORD)
    format = entry.text("format", MAX_WORD)
    generate = _generate(entry)
    ways = [way for way, used in (("provider", provider), ("format", format), ("generate", generate)) if used]
    if len(ways) > 1:
        entry.wrong(f"give at most one of provider, format and generate, not {' and '.join(ways)}.")
    caption, secret = entry.text("caption", MAX_CAPTION), entry.boolean("secret")
    return Entry(name, provider, format, caption, generate, secret) if named and len(ways) <= 1 else None


def _generate(entry: Look) -> Generate | None:
    look = entry.inner("generate", "It takes", ("bytes", "encoding"))
    if look is None:
        return None
    usual = Generate()
    size = look.integer("bytes")
    encoding = look.one_of("encoding", ENCODINGS, usual.encoding)
    if size is not None and not MIN_GENERATED <= size <= MAX_GENERATED:
        look.wrong(f"bytes is {MIN_GENERATED} to {MAX_GENERATED}.")
        size = None
    return Generate(usual.bytes if size is None else size, encoding)


def _sink(look: Look, sinks: Mapping[str, Sink]) -> SinkSpec:
    usual = SinkSpec()
    sink = look.inner("sink", "It takes", ("kind", "path"))
    if sink is None:
        return usual
    kind = sink.one_of("kind", tuple(sinks), usual.kind)
    path = sink.text("path", MAX_PATH) or sinks[kind].usual_path
    if not path:
        sink.wrong(f"a sink of kind {kind} has a path, relative to the project.")
    return SinkSpec(kind, path)


def _request_id(look: Look) -> str:
    request_id = look.text("request_id", MAX_WORD)
    if not request_id:
        look.wrong("request_id is the one that collect_secret has returned.")
    return request_id
