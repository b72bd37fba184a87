"""Every error has its status and its form."""

from __future__ import annotations

import inspect

import pytest

from offprompt import errors
from offprompt.http.head import RequestHead
from offprompt.page.pages import Pages
from offprompt.page.refusals import closed, refusal
from tests.page.world import World

PAGES = Pages(lambda: "N0nce")
BROWSER = RequestHead("GET", "/", modes=("navigate",))
SCRIPT = RequestHead("POST", "/", modes=("cors",))


def leaves(root: type[errors.OffpromptError]) -> list[type[errors.OffpromptError]]:
    return [
        kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, root) and kind is not root
    ]


def made(kind: type[errors.OffpromptError]) -> errors.OffpromptError:
    details = dict.fromkeys(("host", "path", "methods", "members", "most", "seconds", "times", "reason", "places"), "9")
    return kind(**details)


@pytest.mark.parametrize("kind", leaves(errors.NotAnswered), ids=lambda kind: kind.__name__)
def test_every_refusal_of_the_page_has_a_status_of_its_own(kind: type[errors.OffpromptError]) -> None:
    answer = refusal(made(kind), SCRIPT, PAGES)
    assert 400 <= answer.status <= 431 or kind is errors.AnswerBroke
    assert answer.phrase


@pytest.mark.parametrize("kind", [errors.SinkFailed, *leaves(errors.SinkFailed)], ids=lambda kind: kind.__name__)
def test_what_the_file_system_refuses_is_500_with_its_sentence(kind: type[errors.OffpromptError]) -> None:
    error = made(kind)
    answer = refusal(error, SCRIPT, PAGES)
    assert answer.status == 500
    assert str(error).encode() in answer.body


def test_an_error_that_nobody_thought_of_is_500() -> None:
    assert refusal(errors.ProjectRefused(), SCRIPT, PAGES).status == 500


@pytest.mark.parametrize(
    ("kind", "status"), [(errors.ForeignSite, 403), (errors.NoSuchPage, 404), (errors.WrongHost, 421)]
)
def test_a_person_gets_a_page_and_a_script_gets_json(kind: type[errors.OffpromptError], status: int) -> None:
    page, data = refusal(kind(), BROWSER, PAGES), refusal(kind(), SCRIPT, PAGES)
    assert page.status == data.status == status
    assert page.content_type.startswith("text/html")
    assert data.content_type == "application/json"
    assert refusal(kind(), None, PAGES).content_type == "application/json"


@pytest.mark.parametrize("end", ["written", "expired", "cancelled"])
def test_the_page_of_a_closed_request_says_how_it_ended(world: World, end: str) -> None:
    record = world.record()
    if end == "expired":
        record.expire(600.0)
    elif end == "cancelled":
        record.cancel("agent", 0.0)
    else:
        world.submit_again(record)
    heading = PAGES.catalogues["en"].notices[f"410.{end}"]["heading"]
    assert heading.encode() in closed(record, 0.0, BROWSER, PAGES).body
    assert closed(record, 0.0, SCRIPT, PAGES).content_type == "application/json"
