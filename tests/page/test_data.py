"""A request as objects for JSON."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import Any

from offprompt.page.data import faults_object, request_object, status_object, written_object
from offprompt.request.fields import Field, describe
from offprompt.request.outcome import Outcome, Written
from offprompt.request.record import Record
from offprompt.request.spec import Entry, SinkSpec
from offprompt.request.submission import Faults
from offprompt.request.target import TargetState
from tests.page.world import World


def test_what_the_page_should_know_of_the_target_is_there(world: World) -> None:
    target = TargetState(True, "tracked", True, True, ("STRIPE_SECRET_KEY",), "public/env.txt", "public", "runs", False)
    found = request_object(world.record(target=target), 0.0, tunnel=False)
    sink = found["sink"]
    assert sink == {
        "kind": "dotenv",
        "path": ".env",
        "lands": "public/env.txt",
        "exists": True,
        "tracked": True,
        "git": "tracked",
        "ignored": True,
        "readable_by_others": True,
        "public": "public",
        "trusted": "runs",
        "writable": False,
        "agree": True,
    }
    assert found["secrets"][0]["present"] is True


def test_the_objects_hold_nothing_that_opens_a_seal(world: World) -> None:
    record = world.record()
    texts = json.dumps([request_object(record, 0.0, tunnel=False), status_object(record, 0.0)])
    assert record.private_key.hex() not in texts
    assert record.link("").key not in texts
    assert record.request_id not in texts


def test_text_from_outside_cannot_turn_or_hide_what_stands_beside_it(world: World) -> None:
    sly = "a\u202eb\x1b[2Jc"
    record = world.record(
        Field("K", caption=sly), reason=sly, host=sly, project=f"/home/{sly}/shop", sink=SinkSpec("dotenv", sly)
    )
    for tunnel in (True, False):
        text = json.dumps(request_object(record, 0.0, tunnel=tunnel), ensure_ascii=False)
        assert not set("\u202e\x1b") & set(text)
        assert text.count("\ufffd") == 10 - 2 * tunnel


def test_through_a_tunnel_no_folder_above_the_project_is_named(world: World) -> None:
    for project in ("/home/kim/shop", "C:\\Users\\kim\\shop", "/shop"):
        record = world.record(project=project, session=project)
        assert request_object(record, 0.0, tunnel=True)["project"] == "shop"
        assert request_object(record, 0.0, tunnel=False)["project"] == project


def test_time_left_is_never_negative(world: World) -> None:
    record = world.record()
    assert request_object(record, 1e9, tunnel=False)["expires_in"] == 0
    assert status_object(record, 599.9)["expires_in"] == 0


def test_a_write_under_way_counts_as_awaiting(world: World) -> None:
    record = world.record()
    record.begin_write()
    assert status_object(record, 0.0)["status"] == "awaiting"


def written(world: World, result: Written, **settled: Any) -> Record:
    record = world.record(**settled)
    record.begin_write()
    record.finish_write(result, 0.0)
    return record


def test_notes_are_there_only_when_there_is_something_to_note() -> None:
    plain = Written(("🍋",) * 4, "a/.env", (Outcome("A", "added"), Outcome("B", "kept")))
    assert written_object(plain) == {
        "status": "written",
        "fingerprint": ["🍋"] * 4,
        "file": "a/.env",
        "keys": [{"name": "A", "outcome": "added"}, {"name": "B", "outcome": "kept"}],
    }
    differs = replace(plain, shell_differs=("A", "B"))
    (note,) = written_object(differs)["notes"]
    assert written_object(differs)["shell_differs"] == ["A", "B"]
    assert "a/.env would read A and B differently" in note


def test_the_file_is_named_with_the_place_where_it_lands() -> None:
    result = Written((), ".env → public/env\u202e.txt", (Outcome("A", "added"),), shell_differs=("A",))
    assert written_object(result)["file"] == ".env → public/env\ufffd.txt"
    assert written_object(result)["notes"][0].startswith("A shell that sources .env → public/env\ufffd.txt would")


def test_whose_answer_was_lost_gets_all_of_it_from_the_status(world: World) -> None:
    """By fingerprint and outcomes a page finds out which of its presses was written."""
    result = Written(("🍋",) * 4, ".env", (Outcome("A", "added"), Outcome("B", "kept")), shell_differs=("A",))
    record = written(world, result)
    assert status_object(record, 0.0) == {**written_object(result), "expires_in": 0}


def test_faults_are_lines_by_name_and_for_the_form() -> None:
    assert faults_object(Faults({"A": ("one", "two")}, ("three",))) == {
        "errors": {"A": ["one", "two"]},
        "form": ["three"],
    }


def test_a_value_comes_with_its_key_its_rules_and_its_provider_s_logo(world: World) -> None:
    names = ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "FLUX_CAPACITOR")
    found = request_object(world.record(*(describe(Entry(name)) for name in names)), 0.0, tunnel=False)
    stripe, hook, nobody = found["secrets"]
    assert stripe["key"]["id"] == "stripe/secret_key"
    assert [rule["id"] for rule in stripe["rules"]] == ["starts_with", "length", "charset"]
    assert hook["key"]["id"] == "stripe/webhook_secret"
    assert (nobody["key"], nobody["rules"]) == (None, [])
    assert list(found["icons"]) == ["stripe"]


def test_what_is_known_of_twelve_values_stays_small(world: World) -> None:
    """It is sent with every page, whose budget is 60 KB compressed with everything."""
    names = [
        "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET", "OPENAI_API_KEY", "ANTHROPIC_API_KEY",
        "DATABASE_URL", "RESEND_API_KEY", "GITHUB_TOKEN", "SUPABASE_SERVICE_ROLE_KEY", "NEXT_PUBLIC_SUPABASE_URL",
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
    ]  # fmt: skip
    found = request_object(world.record(*(describe(Entry(name)) for name in names)), 0.0, tunnel=False)
    text = json.dumps(found, separators=(",", ":")).encode()
    assert len(text) < 9_000
    assert len(gzip.compress(text, 6)) < 3_000
