"""What a call asks for arrives whole in the request's own words."""

from __future__ import annotations

from offprompt.agent.arguments import parse_collect
from offprompt.agent.ordering import spec_of
from offprompt.request.spec import Entry, Generate, RequestSpec, SinkSpec


def test_every_argument_has_its_place():
    arguments = {
        "secrets": [
            {"name": "A", "provider": "stripe/webhook_secret", "caption": "there", "secret": True},
            {"name": "B", "format": "postgres_url", "secret": False},
            {"name": "C", "generate": {"bytes": 48, "encoding": "hex"}},
            {"name": "D", "generate": {}},
        ],
        "reason": "why",
        "sink": {"kind": "dotenv", "path": "config/.env.local"},
        "sandbox": True,
        "wait_seconds": 3,
    }
    assert spec_of(parse_collect(arguments, progress=False)) == RequestSpec(
        (
            Entry("A", provider="stripe/webhook_secret", caption="there", secret=True),
            Entry("B", format="postgres_url", secret=False),
            Entry("C", generate=Generate(48, "hex")),
            Entry("D", generate=Generate(32, "base64url")),
        ),
        "why",
        SinkSpec("dotenv", "config/.env.local"),
    )


def test_what_is_left_out_is_the_usual():
    asked = parse_collect({"secrets": [{"name": "A"}]}, progress=False)
    assert spec_of(asked) == RequestSpec((Entry("A"),), "", SinkSpec("dotenv", ".env"))
