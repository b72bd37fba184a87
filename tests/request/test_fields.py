from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from offprompt.registry.providers import key
from offprompt.registry.rules import Exposed, FormatRule, Generated
from offprompt.request.fields import Field, describe
from offprompt.request.spec import Entry, Generate


def test_a_field_is_a_secret_of_one_line_unless_said_otherwise() -> None:
    field = Field("API_KEY")
    assert (field.secret, field.multiline, field.generate, field.rules) == (True, False, None, ())


def test_what_the_registry_knows_of_a_value_is_in_its_field() -> None:
    field = describe(Entry("STRIPE_SECRET_KEY"))
    stripe = key("stripe/secret_key")
    assert (field.label, field.url, field.key, field.rules) == (
        "Stripe secret key", stripe.url, stripe.expected, stripe.rules,
    )  # fmt: skip
    (rule,) = describe(Entry("LIMITS", format="json")).rules
    assert isinstance(rule, FormatRule)
    assert rule.firm


def test_a_value_that_is_made_is_judged_by_how_it_is_made() -> None:
    made = Generate(48, "hex")
    assert describe(Entry("AUTH_SECRET", generate=made)).rules == (Generated(48, "hex"),)
    assert describe(Entry("STRIPE_SECRET_KEY", generate=made)).rules == (Generated(48, "hex"),)
    exposed = describe(Entry("VITE_AUTH_SECRET", generate=made)).rules
    assert exposed == (Generated(48, "hex"), Exposed("VITE_", secret=True))


def test_equal_entries_have_equal_fields_and_fields_can_be_kept_in_sets() -> None:
    """A repeated call is the same request only if its fields are the same."""
    entries = [Entry("GITHUB_TOKEN"), Entry("DATABASE_URL"), Entry("A", format="pem"), Entry("B", generate=Generate())]
    assert {describe(entry) for entry in entries} == {describe(entry) for entry in entries}


def test_a_field_cannot_be_changed_after_the_page_was_made() -> None:
    with pytest.raises(FrozenInstanceError):
        Field("API_KEY").secret = False  # type: ignore[misc]
