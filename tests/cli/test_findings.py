"""A finding reads well on a terminal and parses as JSON."""

from __future__ import annotations

import json

from offprompt.cli.findings import Finding, as_json


def test_advice_stands_below_what_was_found():
    finding = Finding("port", "bad", "is none", "Set another.")
    first, second = finding.line().splitlines()
    assert first == "  ✗ port          is none"
    assert second.index("Set") == first.index("is none")


def test_programs_get_the_same():
    findings = [Finding("port", "good", "listens"), Finding("project", "note", "Größe")]
    said = json.loads(as_json(findings, works=True))
    assert said["works"] is True
    assert [one["text"] for one in said["findings"]] == ["listens", "Größe"]
