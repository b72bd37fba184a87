"""Both sides of `offprompt fill` for its tests: a real request behind a door in memory, and a person with a script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from offprompt import errors
from offprompt.cli.fill.client import Reply
from offprompt.cli.fill.dialogue import Dialogue, Exit
from offprompt.cli.fill.request import read_request
from offprompt.page.data import faults_object, request_object, status_object, written_object
from offprompt.request.fingerprint import fingerprint
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.submission import judge, read_submission
from tests.request.made import counting


class Person:
    """Answers each question with the next of their answers: text, or an exception to raise."""

    def __init__(self, *answers: str | Exception | type[Exception]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, bool, bool]] = []
        self.read: list[str] = []
        self.columns = 80

    def say(self, *lines: str) -> None:
        self.read += lines

    def ask(self, prompt: str, *, shown: bool = False, multiline: bool = False) -> str:
        self.asked.append((prompt, shown, multiline))
        answer = self.answers.pop(0)
        if isinstance(answer, str):
            return answer
        raise answer

    @property
    def seen(self) -> str:
        """Everything that was shown, questions too."""
        return "\n".join([*self.read, *(prompt for prompt, _, _ in self.asked)])


@dataclass
class Page:
    """The page of a real request; `instead` are replies or errors that come first, whatever is sent."""

    record: Record
    instead: list[Reply | Exception | type[Exception]] = field(default_factory=list)
    lose_answer: bool = False
    host: str = "127.0.0.1:1"
    held: dict[str, str] = field(default_factory=dict)
    sent: list[str] = field(default_factory=list)

    def submit(self, nonce: str, sealed: str) -> Reply:
        self.sent.append(sealed)
        if self.instead:
            reply = self.instead.pop(0)
            if not isinstance(reply, Reply):
                raise reply
            return reply
        if not self.record.open:
            return Reply(410, status_object(self.record, 1.0))
        submission = read_submission(self.record, nonce, sealed)
        faults = judge(self.record.order, submission)
        if faults:
            return Reply(422, faults_object(faults))
        self.record.begin_write()
        self.held |= submission.values
        written = self._written(submission.values, submission.fingerprint_key)
        self.record.finish_write(written, 1.0)
        if self.lose_answer:
            raise errors.Unreachable(host=self.host)
        return Reply(200, written_object(written))

    def _written(self, values: Any, key: bytes) -> Written:
        outcomes = tuple(Outcome(field.name, self._outcome(field.name, values)) for field in self.record.fields)
        return Written(fingerprint(key, values) if values else (), ".env", outcomes)

    def _outcome(self, name: str, values: Any) -> Any:
        if name in values:
            return "replaced" if name in self.record.present else "added"
        return "kept" if name in self.record.present else "generated"

    def decline(self, nonce: str) -> Reply:
        if self.instead:
            reply = self.instead.pop(0)
            assert isinstance(reply, Reply)
            return reply
        assert nonce == self.record.nonce
        self.record.cancel("person", 1.0)
        return Reply(200, status_object(self.record, 1.0))


def fill(
    page: Page, person: Person, slept: list[float] | None = None, random: Callable[[int], bytes] | None = None
) -> Exit:
    """Hold the whole dialogue; every answer of the person has to be used."""
    request = read_request(request_object(page.record, 0.0, tunnel=False), page.host)
    naps = [] if slept is None else slept
    dialogue = Dialogue(request, page.record.public_key, page, person, random or counting(), naps.append)
    done = dialogue.run()
    assert person.answers == [], "the person had more to say"
    return done
