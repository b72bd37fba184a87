"""What a missing Node.js, or a missing package, does to the tests that need it."""

from __future__ import annotations

import pytest

from tests.node import program


@pytest.mark.parametrize(("require", "outcome"), [("", pytest.skip.Exception), ("browser", pytest.fail.Exception)])
def test_missing_packages_skip_with_the_command_and_fail_where_all_is_required(
    require: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFPROMPT_REQUIRE", require)
    with pytest.raises(outcome, match=r"run: npm ci --prefix tests/node/nowhere$"):
        program.node("tests/node/nowhere")


def test_without_node_the_set_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OFFPROMPT_REQUIRE", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(pytest.skip.Exception, match="run: make setup"):
        program.node()
