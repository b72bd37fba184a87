from __future__ import annotations

import pytest

from offprompt import errors
from offprompt.cli.fill.client import Reply
from offprompt.cli.fill.dialogue import BUSY_PAUSE, BUSY_TRIES, Exit
from offprompt.cli.fill.terminal import EndOfInput, Interrupted, NotTaken
from offprompt.request.fields import describe
from offprompt.request.spec import Entry, SinkSpec
from offprompt.request.target import TargetState
from tests.cli.fills import Page, Person, fill
from tests.request.made import record

MARKER = "made-up-marker-6d11"
ENTER = ""


def test_values_are_asked_for_sealed_written_and_compared() -> None:
    page, person = Page(record("A", "B")), Person("one", "two", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"A": "one", "B": "two"}
    result = page.record.result
    assert result is not None
    assert " ".join(result.fingerprint) in person.seen
    assert "exactly what you typed" in person.seen


def test_who_asks_why_and_where_stands_before_anything_is_typed() -> None:
    person = Person(EndOfInput)
    page = Page(record("A", target=TargetState(exists=True, git="untracked", ignored=True)))
    assert fill(page, person) is Exit.LEFT
    for word in ("| Test agent", "| Because.", "| /made/up", "| .env", "ignored by git", "10 minutes"):
        assert word in person.seen
    assert page.sent == []


def test_secrets_are_hidden_and_what_is_no_secret_is_shown_while_typed() -> None:
    page, person = Page(record("A", "B", plain=("B",))), Person("one", "", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert [shown for _, shown, _ in person.asked[:2]] == [False, True]
    assert page.held == {"A": "one", "B": ""}, "the empty text is a value where it is no secret"


def test_no_value_is_ever_shown() -> None:
    page = Page(record("A", "B"), [Reply(422, {"errors": {"A": ["No."]}, "form": []}), Reply(500, {})])
    person = Person(MARKER + "1", MARKER + "2", ENTER, MARKER + "3", ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert MARKER not in person.seen
    assert page.held == {"A": MARKER + "3", "B": MARKER + "2"}


def test_generated_values_are_left_to_the_service() -> None:
    page, person = Page(record("A", "AUTH_SECRET", generated=("AUTH_SECRET",))), Person("one", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"A": "one"}
    assert "Made by offprompt, nothing to type: AUTH_SECRET" in person.seen
    assert "AUTH_SECRET  generated" in person.seen


def test_a_present_value_may_be_kept_by_entering_nothing() -> None:
    page = Page(record("A", "B", target=TargetState(exists=True, keys=("B",))))
    person = Person("one", "", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"A": "one"}
    assert "Kept as it is." in person.seen


def test_when_everything_is_kept_there_is_no_fingerprint_to_compare() -> None:
    page = Page(record("B", target=TargetState(exists=True, keys=("B",))))
    person = Person("", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert "Fingerprint" not in person.seen


def test_a_kept_value_that_the_file_lost_is_asked_for_again() -> None:
    page = Page(
        record("B", target=TargetState(exists=True, keys=("B",))),
        [Reply(422, {"errors": {"B": ["Gone."]}, "form": []})],
    )
    person = Person("", ENTER, "", "new", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"B": "new"}


@pytest.mark.parametrize("bad", ["", "a\0", "a\udce9"])
def test_what_cannot_be_written_is_asked_for_again_before_it_is_sent(bad: str) -> None:
    page, person = Page(record("A")), Person(bad, "good", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert len(page.sent) == 1
    assert page.held == {"A": "good"}


@pytest.mark.parametrize("why", ["lines", "long"])
def test_what_was_not_taken_is_asked_for_again(why: str) -> None:
    page, person = Page(record("A")), Person(NotTaken(why), "good", NotTaken(why), ENTER)  # type: ignore[arg-type]
    assert fill(page, person) is Exit.WRITTEN


def test_only_what_was_refused_is_asked_for_again() -> None:
    page = Page(record("A", "B", "C"), [Reply(422, {"errors": {"B": ["Too short.", "\x1b[2JNo."]}, "form": []})])
    person = Person("a", "b", "c", ENTER, "better", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"A": "a", "B": "better", "C": "c"}
    assert "B: Too short." in person.seen
    assert "\x1b" not in person.seen


@pytest.mark.parametrize(
    "members",
    [
        {"errors": {}, "form": ["Something else."]},
        {"errors": {"OTHER": ["No."]}, "form": []},
        {"errors": [], "form": "x"},
        {},
    ],
)
def test_what_only_others_can_mend_is_sent_again_when_the_person_says_so(members: dict[str, object]) -> None:
    page, person = Page(record("A"), [Reply(422, members)]), Person("a", ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"A": "a"}
    assert "Your values are still here" in person.seen


@pytest.mark.parametrize(
    "target",
    [
        TargetState(exists=True, git="tracked"),
        TargetState(git="unknown"),
        TargetState(trusted="shell"),
        TargetState(public="public", lands="public/env.txt"),
    ],
)
def test_a_file_that_needs_consent_needs_a_yes(target: TargetState) -> None:
    page, person = Page(record("A", target=target)), Person("yes", "one", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held == {"A": "one"}
    for no in ("", "no", "nope", "j"):
        refusing = Page(record("A", target=target))
        assert fill(refusing, Person(no)) is Exit.LEFT
        assert refusing.sent == []


def test_a_value_that_looks_wrong_is_told_before_it_is_sent_and_may_be_used_all_the_same() -> None:
    wrong, right = f"pk_test_{'A1b2' * 10}", f"sk_test_{'A1b2' * 10}"
    asked = (describe(Entry("STRIPE_SECRET_KEY")),)
    page, person = Page(record("STRIPE_SECRET_KEY", fields=asked)), Person(wrong, "", right, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert "This is the publishable key. What is asked for is the secret key from the same page." in person.seen
    assert page.held == {"STRIPE_SECRET_KEY": right}
    assert not any(shown for _, shown, _ in person.asked[:3]), "the better value may be typed where yes is asked for"
    insisting = Page(record("STRIPE_SECRET_KEY", fields=asked))
    assert fill(insisting, Person(wrong, "yes", ENTER)) is Exit.WRITTEN
    assert insisting.held == {"STRIPE_SECRET_KEY": wrong}


def test_a_value_that_would_be_refused_is_asked_for_again_before_it_is_sent() -> None:
    asked = (describe(Entry("RETRIES", format="integer")),)
    page, person = Page(record("RETRIES", fields=asked)), Person("three", "3", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert "This is not an integer" in person.seen
    assert len(page.sent) == 1


def test_a_service_that_wrote_something_else_is_told_apart() -> None:
    page = Page(record("A"))
    honest = page._written
    page._written = lambda values, key: honest({"A": "something else"}, key)  # type: ignore[method-assign]
    person = Person("one", ENTER)
    assert fill(page, person) is Exit.NOT_WRITTEN
    assert "is not what you typed" in person.seen


def test_values_survive_a_failing_disk() -> None:
    page = Page(record("A"), [Reply(500, {"error": "The disk is full.\x1b[2J"})])
    person = Person("one", ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert "The disk is full." in person.seen
    assert "Your values are still here" in person.seen
    assert "\x1b" not in person.seen


@pytest.mark.parametrize("error", [errors.Unreachable(host="h"), errors.TooSlowToAnswer(host="h", seconds="30")])
def test_values_survive_a_lost_connection(error: Exception) -> None:
    page, person = Page(record("A"), [error]), Person("one", ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert "not known" in person.seen


def test_a_write_whose_answer_got_lost_is_recognised_by_its_fingerprint() -> None:
    page, person = Page(record("A"), lose_answer=True), Person("one", ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert "its answer got lost" in person.seen


def test_an_older_try_that_was_written_is_not_taken_for_the_last() -> None:
    """Its answer gets lost, the next try is refused, and the person changes the value."""
    page = Page(record("A", "B"), lose_answer=True)
    real = page.submit
    tries: list[str] = []

    def submit(nonce: str, sealed: str) -> Reply:
        tries.append(sealed)
        return Reply(422, {"errors": {"A": ["No."]}, "form": []}) if len(tries) == 2 else real(nonce, sealed)

    page.submit = submit  # type: ignore[method-assign]
    person = Person("old", "b", ENTER, ENTER, "new", ENTER)
    assert fill(page, person) is Exit.NOT_WRITTEN
    assert page.held == {"A": "old", "B": "b"}
    assert "does not hold what you typed last for A, but what you typed before" in person.seen
    assert "exactly what you typed" not in person.seen


def test_a_request_that_somebody_else_answered_is_closed() -> None:
    page = Page(record("A"), [Reply(410, {"status": "written", "expires_in": 0, "fingerprint": ["🐶"] * 4})])
    person = Person("one", ENTER)
    assert fill(page, person) is Exit.CLOSED
    assert "answered already" in person.seen


@pytest.mark.parametrize("status", ["expired", "cancelled", "unheard-of", 7, None])
def test_a_request_that_closed_meanwhile_says_how(status: object) -> None:
    page = Page(record("A"), [Reply(410, {"status": status})])
    person = Person("one", ENTER)
    assert fill(page, person) is Exit.CLOSED
    assert "Your values were not written." in person.seen


def test_a_write_from_elsewhere_is_waited_for() -> None:
    slept: list[float] = []
    page, person = Page(record("A"), [Reply(409)] * 2), Person("one", ENTER)
    assert fill(page, person, slept) is Exit.WRITTEN
    assert slept == [BUSY_PAUSE] * 2


def test_a_write_from_elsewhere_is_not_waited_for_without_end() -> None:
    slept: list[float] = []
    page, person = Page(record("A"), [Reply(409)] * BUSY_TRIES), Person("one", ENTER, ENTER)
    assert fill(page, person, slept) is Exit.WRITTEN
    assert len(slept) == BUSY_TRIES - 1


@pytest.mark.parametrize(("told", "waited"), [(7, 7.0), (0, 1.0), (86_400, 60.0)])
def test_too_many_tries_are_waited_for_as_told_within_reason(told: int, waited: float) -> None:
    slept: list[float] = []
    page, person = Page(record("A"), [Reply(429, {}, told)]), Person("one", ENTER)
    assert fill(page, person, slept) is Exit.WRITTEN
    assert slept == [waited]


def test_every_try_is_sealed_anew_with_another_fingerprint_key() -> None:
    page, person = Page(record("A"), [Reply(500), Reply(409), Reply(429)]), Person("one", ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert len(set(page.sent)) == 4
    assert len({len(each) for each in page.sent}) == 1


@pytest.mark.parametrize("status", [400, 403, 404, 413, 415, 418, 421, 301, 503])
def test_any_other_answer_is_an_error_with_the_services_words(status: int) -> None:
    page, person = Page(record("A"), [Reply(status, {"error": "Because\x1b[2J."})]), Person("one", ENTER)
    with pytest.raises(errors.PageRefused, match=rf"\({status}\): Because") as refused:
        fill(page, person)
    assert "\x1b" not in str(refused.value)


def test_values_too_long_together_are_asked_for_again_from_the_longest() -> None:
    page = Page(record("A", "B", "C"))
    person = Person("a" * 60_000, "b" * 60_001, "c" * 60_000, ENTER, "short", ENTER)
    assert fill(page, person) is Exit.WRITTEN
    assert page.held["B"] == "short"
    assert "too long together" in person.seen


def test_ctrl_c_twice_says_no_to_the_agent() -> None:
    page, person = Page(record("A", "B")), Person("one", Interrupted, Interrupted)
    assert fill(page, person) is Exit.DECLINED
    assert (page.record.status, page.record.cancelled_by) == ("cancelled", "person")
    assert page.sent == []


def test_ctrl_c_once_and_enter_goes_on() -> None:
    page, person = Page(record("A")), Person(Interrupted, ENTER, "one", Interrupted, ENTER, ENTER)
    assert fill(page, person) is Exit.WRITTEN


@pytest.mark.parametrize("answers", [(EndOfInput,), (Interrupted, EndOfInput), ("one", EndOfInput)])
def test_ctrl_d_leaves_and_the_link_stays_good(answers: tuple[object, ...]) -> None:
    page = Page(record("A"))
    assert fill(page, Person(*answers)) is Exit.LEFT  # type: ignore[arg-type]
    assert page.record.open
    assert page.sent == []


def test_ctrl_c_while_it_is_sent_says_that_the_end_is_not_known() -> None:
    page, person = Page(record("A"), [KeyboardInterrupt]), Person("one", ENTER)  # type: ignore[list-item]
    assert fill(page, person) is Exit.LEFT
    assert "not known" in person.seen


@pytest.mark.parametrize(("reply", "done"), [(Reply(409), Exit.NOT_WRITTEN), (Reply(410), Exit.CLOSED)])
def test_a_no_may_come_too_late(reply: Reply, done: Exit) -> None:
    assert fill(Page(record("A"), [reply]), Person(Interrupted, Interrupted)) is done


def test_what_the_agent_wrote_cannot_move_the_cursor() -> None:
    page = Page(record("A", project="/made/\x1b[2Jup", sink=SinkSpec("dotenv", "a\u202eb")))
    person = Person(EndOfInput)
    fill(page, person)
    assert "\x1b" not in person.seen
    assert "\u202e" not in person.seen
