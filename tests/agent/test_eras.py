"""What a client says about itself, and what goes around a result."""

from __future__ import annotations

import pytest

from offprompt import version
from offprompt.agent import eras
from offprompt.agent.rpc import Invalid


@pytest.mark.parametrize("asked", eras.LEGACY)
def test_H1_a_version_we_speak_is_spoken(asked: str):
    assert eras.introduced({"protocolVersion": asked}).version == asked


@pytest.mark.parametrize("asked", ["2026-07-28", "2099-01-01", ""])
def test_H1_for_any_other_we_offer_our_newest(asked: str):
    assert eras.introduced({"protocolVersion": asked}).version == "2025-11-25"


def test_H2_the_newest_version_stands_first():
    assert eras.DISCOVERED["supportedVersions"] == ["2026-07-28", *sorted(eras.LEGACY, reverse=True)]


def test_H3_a_modern_client_says_version_and_capabilities():
    whole = {eras.VERSION_KEY: "2026-07-28", eras.CAPABILITIES_KEY: {"roots": {}}, eras.CLIENT_KEY: {"name": "x"}}
    client = eras.self_described(whole)
    assert (client.modern, client.version, client.name, client.capabilities) == (True, "2026-07-28", "x", {"roots": {}})
    with pytest.raises(Invalid, match=eras.CAPABILITIES_KEY):
        eras.self_described({eras.VERSION_KEY: "2026-07-28"})
    with pytest.raises(Invalid) as caught:
        eras.self_described({**whole, eras.VERSION_KEY: "2031-01-01"})
    assert caught.value.error["code"] == -32022


def test_H4_a_modern_result_says_that_it_is_complete_unless_it_says_otherwise():
    assert eras.complete({"a": 1})["resultType"] == "complete"
    assert eras.complete({"resultType": "input_required"})["resultType"] == "input_required"
    assert eras.complete({"_meta": {"x": 1}})["_meta"] == {"x": 1, eras.SERVER_KEY: eras.SERVER_INFO}


def test_a_result_is_not_changed_by_its_envelope():
    result: dict[str, object] = {"_meta": {"x": 1}}
    eras.complete(result)
    assert result == {"_meta": {"x": 1}}


def test_the_version_is_the_packages():
    assert eras.SERVER_INFO["version"] == version.VERSION
