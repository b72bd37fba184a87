"""What we believe of a shell is what bash and dash do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings

from offprompt.sinks.dotenv import shell
from offprompt.sinks.dotenv.forms import forms
from tests.sinks import reading
from tests.sinks.texts import contents, values

often = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def harmless(text: str) -> bool:
    """Whether what stands around ours starts nothing itself, so that what runs is ours."""
    return reading.CANARY not in text and ">" not in text


@often
@example("MOTTO=it's\n", "plain", "")
@example("A='x' # it's\n", "$(canary)", "B='$(true)'\n")
@example("U=<your-key>\n", "$(canary)", "")
@example("", "a\\", "B=1\n")
@example("cat <<'X'\n", "b", "X\n")
@given(contents(), values, contents())
def test_a_shell_reads_and_runs_what_we_believe(tmp_path: Path, before: str, value: str, after: str) -> None:
    assume(harmless(before) and harmless(after) and len(value) < 5000)
    if before and not before.endswith(("\n", "\r")):
        before += "\n"
    for number, form in enumerate(forms(value)):
        statement = f"OURS={form}"
        text = f"{before}{statement}\n{after}"
        seen = shell.script(text).view(len(before), len(before) + len(statement), "OURS", value)
        if seen.runs:
            continue
        path = tmp_path / f"env{number}"
        path.write_bytes(text.encode())
        for name in reading.SHELLS:
            sourced = reading.Sourced(name, path, tmp_path)
            assert not sourced.ran, (name, form)
            assert not sourced.made, (name, form)
            if seen.exact and "OURS" not in after:
                assert sourced.values["OURS"] == value.encode(), (name, form)


@pytest.mark.parametrize(
    "line",
    [
        "plain text of a command",
        "A=$(true) B=`true`",
        "export A=1 B='2'",
        "A=$HOME/x B=${HOME} C=$1",
        "MSG=hello world",
        "A=b&c=d",
        "A=\"it's\" B='\"'",
        "A=a\\ b",
        "A=continued\\\nline",
        "UID=1000",
        "A-B=1",
        "A=x;B=y;",
        "A=${C:-x}",
        'A="${C:-x y}"',
        "A=${C-} B=${C:+x} D=${C+x}",
        "A=${C:=x} B=${C=y}",
        "A=${C%.*} B=${C%%/*} D=${C#*x} E=${C##*/}",
        "A=${#C} B=${#} D=${1:-x} E=${@:-x} F=${10}",
        "A=${C:-${D:-x}} B=${C:-$D} E=${C:-a${D}b}",
        "A=${C:-a;b&c|d #e}",
        "A=${C:-'x y'} B=${C:-\"x y\"}",
        'A="${C:-"x"}"',
        "A=${C:-$(true)} B=${C:-`true`}",
        "A=$(true \"x y\") B=$(true 'x')",
    ],
)
def test_lines_that_people_write_leave_the_shell_in_its_right_mind(tmp_path: Path, line: str) -> None:
    text = f"{line}\nOURS='$(canary) x'\n"
    at = len(line) + 1
    seen = shell.script(text).view(at, len(text) - 1, "OURS", "$(canary) x")
    assert not seen.runs
    path = tmp_path / ".env"
    path.write_text(text)
    for name in reading.SHELLS:
        sourced = reading.Sourced(name, path, tmp_path)
        assert not sourced.ran
        assert sourced.values["OURS"] == b"$(canary) x"
    assert seen.exact


@pytest.mark.parametrize(
    "line",
    [
        "MOTTO=it's",
        'A="open',
        "A=$(echo 'x'",
        "A=`echo 'x",
        "A=${X:-'}'}",
        "A=$'it\\'s'",
        "A=${X:-it's}",
        "A=${X:-",
        "A=${X:-\\}}",
        "A=${",
        "A=${}",
        "A=${X:-<(x)}",
        "A=" + "${X:-" * 40 + "}" * 40,
        "cat <<X",
        "A=((1 + 'x'",
        "A=\0'",
        "A=trailing\\\\\\",
    ],
)
def test_after_a_line_that_leaves_it_open_only_harmless_characters_pass(line: str) -> None:
    text = f"{line}\nOURS=abc\n"
    seen = shell.script(text).view(len(line) + 1, len(text) - 1, "OURS", "abc")
    assert not seen.runs
    assert not seen.exact
    text = f"{line}\nOURS='a b'\n"
    assert shell.script(text).view(len(line) + 1, len(text) - 1, "OURS", "a b").runs


@pytest.mark.parametrize(
    "line",
    [
        "U=<your-key>",
        "A=(1 2)",
        "exit",
        "return 1",
        "A[0]=1",
        "A+=x",
        "set -k",
        "export -n A",
        "export $",
        "export A B-C",
        "A=1 | B=2",
        ";;",
        "&& x",
        "A=${X:?not set}",
        "A=${X?}",
        "A=${X/a/b}",
        "A=${X^^}",
        "A=${X:1:2}",
        "A=${!X}",
        "A=${X[0]}",
    ],
)
def test_after_a_line_that_may_stop_the_shell_quotes_hold_and_nothing_is_promised(tmp_path: Path, line: str) -> None:
    text = f"{line}\nOURS='$(canary)'\n"
    seen = shell.script(text).view(len(line) + 1, len(text) - 1, "OURS", "$(canary)")
    assert (seen.exact, seen.runs) == (False, False)
    path = tmp_path / ".env"
    path.write_text(text)
    assert not any(reading.Sourced(name, path, tmp_path).ran for name in reading.SHELLS)


@pytest.mark.parametrize(
    "form",
    [
        "$(canary)",
        "`canary`",
        '"$(canary)"',
        '"`canary`"',
        "a b",
        "a;canary",
        "a&canary",
        "a|canary",
        "a>made",
        "'open",
        '"open',
        "a\\",
        "$'x'",
        "${X:=$(canary)}",
        '"${',
        "a<(canary)",
        "'a'\ncanary",
    ],
)
def test_a_form_that_runs_opens_or_swallows_something_is_seen(form: str) -> None:
    text = f"OURS={form}\nNEXT='x'\n"
    assert shell.script(text).view(0, len(f"OURS={form}"), "OURS", form).runs


@pytest.mark.parametrize("name", ["UID", "RANDOM", "SECONDS"])
def test_a_name_that_the_shell_keeps_for_itself_is_not_exact(name: str) -> None:
    assert not shell.script(f"{name}=5\n").view(0, len(name) + 2, name, "5").exact
    assert shell.script("USERID=5\n").view(0, 8, "USERID", "5").exact


def test_in_a_crlf_file_a_shell_takes_the_cr_with_it() -> None:
    assert shell.script("A='x'\r\n").view(0, 5, "A", "x") == shell.View(exact=False, runs=False)


def test_an_expansion_behind_it_that_sets_the_name_may_change_it(tmp_path: Path) -> None:
    text = "OURS=''\nB=${OURS:=other}\n"
    assert not shell.script(text).view(0, 7, "OURS", "").exact
    path = tmp_path / ".env"
    path.write_text(text)
    assert {reading.Sourced(name, path, tmp_path).values["OURS"] for name in reading.SHELLS} == {b"other"}
    assert shell.script("OURS=x\nB=${OTHER:=other}\n").view(0, 6, "OURS", "x").exact


@pytest.mark.parametrize("before", ["\ufeff", "\u00a0", "\v", "export\u00a0", "\ufeffexport "])
def test_a_mark_before_the_name_makes_it_the_name_of_a_command_that_is_not_there(tmp_path: Path, before: str) -> None:
    """The readers of dotenv files skip it."""
    text = f"{before}OURS='$(canary) x'\n"
    seen = shell.script(text).view(len(before), len(text) - 1, "OURS", "$(canary) x")
    assert not seen.runs
    path = tmp_path / ".env"
    path.write_text(text)
    for name in reading.SHELLS:
        sourced = reading.Sourced(name, path, tmp_path)
        assert not sourced.ran
        assert not sourced.made
        assert seen.exact is (sourced.values.get("OURS") == b"$(canary) x")
