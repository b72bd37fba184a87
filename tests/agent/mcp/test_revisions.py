"""What a client says about itself, and what goes around a result."""

from __future__ import annotations

import pytest

from offprompt import version
from offprompt.agent.mcp import revisions
from offprompt.agent.mcp.rpc import Invalid


@pytest.mark.parametrize("asked", revisions.LEGACY)
def test_H1_a_version_we_speak_is_spoken(asked: str):
    assert revisions.client_from_initialize({"protocolVersion": asked}).version == asked


@pytest.mark.parametrize("asked", ["2026-07-28", "2099-01-01", ""])
def test_H1_for_any_other_we_offer_our_newest(asked: str):
    assert revisions.client_from_initialize({"protocolVersion": asked}).version == "2025-11-25"


def test_H2_the_newest_version_stands_first():
    assert revisions.DISCOVERED["supportedVersions"] == ["2026-07-28", *sorted(revisions.LEGACY, reverse=True)]


def test_H3_a_modern_client_says_version_and_capabilities():
    whole = {
        revisions.VERSION_KEY: "2026-07-28",
        revisions.CAPABILITIES_KEY: {"roots": {}},
        revisions.CLIENT_KEY: {"name": "x"},
    }
    client = revisions.client_from_meta(whole)
    assert (client.modern, client.version, client.name, client.capabilities) == (True, "2026-07-28", "x", {"roots": {}})
    with pytest.raises(Invalid, match=revisions.CAPABILITIES_KEY):
        revisions.client_from_meta({revisions.VERSION_KEY: "2026-07-28"})
    with pytest.raises(Invalid) as caught:
        revisions.client_from_meta({**whole, revisions.VERSION_KEY: "2031-01-01"})
    assert caught.value.error["code"] == -32022


def test_H4_a_modern_result_says_that_it_is_complete_unless_it_says_otherwise():
    assert revisions.complete({"a": 1})["resultType"] == "complete"
    assert revisions.complete({"resultType": "input_required"})["resultType"] == "input_required"
    assert revisions.complete({"_meta": {"x": 1}})["_meta"] == {"x": 1, revisions.SERVER_KEY: revisions.SERVER_INFO}


def test_a_result_is_not_changed_by_its_envelope():
    result: dict[str, object] = {"_meta": {"x": 1}}
    revisions.complete(result)
    assert result == {"_meta": {"x": 1}}


def test_the_version_is_the_packages():
    assert revisions.SERVER_INFO["version"] == version.VERSION
