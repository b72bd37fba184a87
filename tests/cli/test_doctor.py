"""The doctor's findings, by a real `offprompt doctor` in made-up environments."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from offprompt.cli.doctor import Finding, as_json
from tests.interpreter import head
from tests.tunnel.scripted_cloudflared import HOST
from tests.tunnel.world import SCRIPT


def examine(project: Path, *arguments: str, **environ: str) -> tuple[int, dict[str, dict[str, str]], str]:
    """The exit code, the findings by subject, and everything that was said."""
    program = "import sys; from offprompt.cli import main; sys.exit(main())"
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(project.parent), "LANG": "C.UTF-8", "PYTHONPATH": os.getcwd()}
    process = subprocess.run(
        [sys.executable, "-c", program, "doctor", "--json", *arguments],
        cwd=project,
        env={**clean, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = json.loads(process.stdout)
    assert said["works"] is (process.returncode == 0)
    return process.returncode, {one["subject"]: one for one in said["findings"]}, process.stdout + process.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def test_away_from_the_person_without_a_public_link_no_page_would_be_had(project):
    code, found, _ = examine(project, SSH_CONNECTION="x", OFFPROMPT_TUNNEL="off")
    assert code == 1
    assert "SSH_CONNECTION" in found["runs"]["text"]
    assert found["public link"]["state"] == "bad"
    assert "OFFPROMPT_TUNNEL" in found["public link"]["text"]


def test_with_a_display_and_a_browser_a_page_would_open(project):
    code, found, _ = examine(project, "--no-tunnel", DISPLAY=":0", BROWSER="true")
    assert code == 0
    text = "pages open with /usr/bin/true"
    assert found["browser"] == {"subject": "browser", "state": "good", "text": text, "advice": ""}
    assert found["project"]["text"] == str(project)


def test_a_browser_that_is_switched_off_is_said_and_is_no_fault(project):
    code, found, _ = examine(project, "--no-tunnel", DISPLAY=":0", OFFPROMPT_BROWSER="off")
    assert code == 0
    assert "OFFPROMPT_BROWSER=off" in found["browser"]["text"]


def test_a_project_that_would_be_refused_is_a_fault(project):
    code, found, _ = examine(project, "--no-tunnel", DISPLAY=":0", CLAUDE_PROJECT_DIR=str(project.parent))
    assert code == 1
    assert "home directory" in found["project"]["text"]


def test_a_project_that_would_be_refused_is_what_stands_in_the_way_wherever_the_person_is(project):
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(project.parent), "SSH_CONNECTION": "x", "PYTHONUTF8": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "doctor", "--no-tunnel"],
        cwd=project.parent,
        env={**environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stdout.endswith("\nA person would not get a page. The lines marked ✗ say why.\n")
    assert "  ✗ project" in ran.stdout


def test_proxies_are_named_and_their_addresses_are_not_said(project):
    _, found, said = examine(project, "--no-tunnel", DISPLAY=":0", HTTPS_PROXY="http://user:made-up-word@proxy")
    assert "HTTPS_PROXY" in found["proxy"]["text"]
    assert "made-up-word" not in said


def test_a_setting_that_cannot_be_used_is_said_with_what_is_used_instead(project):
    code, found, _ = examine(project, "--no-tunnel", DISPLAY=":0", OFFPROMPT_PORT="70000")
    assert code == 0
    assert found["setting"]["state"] == "bad"
    assert found["setting"]["text"].startswith("OFFPROMPT_PORT is not a number from 1 to 65535, so")
    assert found["port"]["text"].endswith(", any free port")


@pytest.mark.skipif(sys.platform == "win32", reason="no public links there")
@pytest.mark.parametrize(
    ("behaviour", "done", "failed"), [("no_dns", [], "link: name"), ("banner_then_exit", ["link: name"], "link: edge")]
)
def test_a_public_link_that_cannot_be_had_is_told_with_the_step_that_failed(project, tmp_path, behaviour, done, failed):
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "cloudflared"
    program.write_text(head("-IS") + SCRIPT.read_text(encoding="utf-8").split("\n", 1)[1])
    program.chmod(0o755)
    (programs / "script.json").write_text(json.dumps({"behaviour": behaviour}))
    code, found, said = examine(project, SSH_CONNECTION="x", PATH=f"{programs}:/usr/bin:/bin")
    assert code == 1
    assert found["cloudflared"]["text"].startswith(str(program))
    steps = {subject: finding["state"] for subject, finding in found.items() if subject.startswith("link: ")}
    assert steps == {**dict.fromkeys(done, "good"), failed: "bad"}
    assert found["public link"]["state"] == "bad"
    assert "Asking Cloudflare for a link" in said
    assert HOST not in said


def test_for_people_every_line_has_a_mark_and_the_last_says_whether_it_works(project):
    process = subprocess.run(
        [sys.executable, "-c", "import sys; from offprompt.cli import main; sys.exit(main())", "doctor", "--no-tunnel"],
        cwd=project,
        env={"PATH": "/usr/bin:/bin", "HOME": str(project.parent), "DISPLAY": ":0", "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = process.stdout.splitlines()
    assert lines[0].startswith("offprompt ")
    assert lines[-1] == "A person would get a page."
    assert process.returncode == 0


def test_advice_stands_below_what_was_found() -> None:
    finding = Finding("port", "bad", "is none", "Set another.")
    assert finding.lines(80) == ["  ✗ port          is none", "                  Set another."]


def test_a_finding_fits_its_terminal() -> None:
    lines = Finding("runs", "note", "word " * 30).lines(50)
    assert max(map(len, lines)) < 50
    assert {line[:18] for line in lines[1:]} == {" " * 18}


def test_programs_get_the_same() -> None:
    findings = [Finding("port", "good", "listens"), Finding("project", "note", "Größe")]
    said = json.loads(as_json(findings, works=True))
    assert said["works"] is True
    assert [one["text"] for one in said["findings"]] == ["listens", "Größe"]
