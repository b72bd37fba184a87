"""Values written into files that hold anything, read back by everybody who reads them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from offprompt.errors import TargetInTheWay, ValueNotCarried
from offprompt.request.fingerprint import fingerprint
from offprompt.sinks.dotenv_file import DotenvFile
from offprompt.sinks.sink import Change
from tests.sinks import reading
from tests.sinks.put import KEY, put
from tests.sinks.texts import contents, values

often = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
names = st.sampled_from(["KEY", "A", "OURS", "DATABASE_URL", "T"])


def _is_refused(name: str, value: str) -> bool:
    return not isinstance(DotenvFile().change(name, value), Change)


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@often
@example("MOTTO=it's\n", {"KEY": "$(canary)"})
@example("A='x' # it's\n", {"A": "back\\"})
@example("A=1\r\n", {"KEY": "-----BEGIN-----\nMII=\n-----END-----\n"})
@example("KEY=`\nA=1\n`", {"A": "x"})
@given(contents(), st.dictionaries(names, values, min_size=1, max_size=4))
def test_all_readers_agree_with_what_was_typed_or_nothing_is_written(
    tmp_path: Path, node: reading.Node, content: str, typed: dict[str, str]
) -> None:
    path = tmp_path / ".env"
    path.write_bytes(content.encode())
    before_node = node.read([content.encode()])[0]
    before_python = reading.python(path, interpolate=False)
    ran_before = {shell: reading.Sourced(shell, path, tmp_path) for shell in reading.SHELLS}
    refusal = None
    try:
        written = put(tmp_path, *(Change(*pair) for pair in typed.items()), agreed=True)
    except (ValueNotCarried, TargetInTheWay) as refused:
        refusal = refused
    if refusal is not None:
        name = str(refusal.details["name"])
        assert _is_refused(name, typed[name]) is isinstance(refusal, ValueNotCarried)
        assert path.read_bytes() == content.encode()
        return

    assert not any(_is_refused(name, value) for name, value in typed.items())
    assert written.fingerprint == fingerprint(KEY, typed)
    text = path.read_bytes()
    for before, after in zip(before_node, node.read([text])[0], strict=True):
        assert {name: after.get(name) for name in typed} == typed
        assert {**before, **typed} == after
    assert reading.python(path, interpolate=False) == {**before_python, **typed}
    filled = reading.python(path)
    assert {name: filled[name] for name in typed} == typed
    for shell in reading.SHELLS:
        sourced = reading.Sourced(shell, path, tmp_path)
        assert not sourced.ran or ran_before[shell].ran or "canary" in content
        assert not sourced.made or ran_before[shell].made or ">" in content
        for name, value in typed.items():
            if name not in written.shell_differs and not any(len(value) > 100_000 for value in typed.values()):
                assert sourced.values.get(name) == value.encode(), (shell, name)


@often
@given(contents(), st.dictionaries(names, values, min_size=1, max_size=3))
def test_only_our_bytes_change(tmp_path: Path, content: str, typed: dict[str, str]) -> None:
    """Names that the file did not hold go to its end: all that was there is there, byte for byte."""
    path = tmp_path / ".env"
    path.write_bytes(content.encode())
    fresh = {f"NEW_{name}": value for name, value in typed.items()}
    try:
        put(tmp_path, *(Change(*pair) for pair in fresh.items()), agreed=True)
    except (ValueNotCarried, TargetInTheWay):
        return
    assert path.read_bytes().startswith(content.encode())
