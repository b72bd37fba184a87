"""The house's own laws, with their reasons: they hold when nobody is looking."""

from __future__ import annotations

import ast
import configparser
import re
import string
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(p for p in (ROOT / "offprompt").rglob("*.py") if "node_modules" not in p.parts)
MODULES = [source for source in SOURCES if source.name != "__init__.py"]

WITHOUT_TESTS_OF_THEIR_OWN = {
    "offprompt/agent/timeouts.py": "numbers alone, each tested where it is kept",
    "offprompt/agent/tools/services.py": "declarations alone, which mypy checks",
    "offprompt/request/ports.py": "declarations alone, which mypy checks",
    "offprompt/tunnel/fetch.py": "tests/tunnel/test_download.py and test_metrics.py drive it over real sockets",
    "offprompt/tunnel/states.py": "tests/tunnel/test_supervisor.py plays every order of events",
    "offprompt/tunnel/sentences.py": "sentences alone",
}
"""Files that have no test file of their own name, with the reason. The set may only shrink."""

MAX_LINES = 400
"""Lines of a file: one idea each takes far fewer."""

NOUNS = frozenset({"encoding", "feed", "framing", "seed", "setting", "settings", "speed", "string", "thing"})
"""Words that look like a verb's form and name a thing of the field."""
PARTICIPLES = frozenset(
    {
        "begun", "born", "brought", "built", "chosen", "done", "drawn", "driven", "found", "given", "gone",
        "heard", "held", "hidden", "kept", "known", "left", "lost", "made", "meant", "met", "paid", "said",
        "seen", "sent", "shown", "spoken", "taken", "taught", "thought", "told", "understood", "written",
    }
)  # fmt: skip
"""Those that do not end in -ed."""

LOG_LEVELS = frozenset({"debug", "info", "warn", "error", "critical", "failure"})


def tracked() -> list[Path]:
    """Every file under version control; there must be some."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("this is not a checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def name_of(source: Path) -> str:
    return str(source.relative_to(ROOT))


def test_every_source_file_has_a_test_file_named_after_it() -> None:
    """Whoever changes a file finds its tests without searching: offprompt/http/guard.py, tests/http/test_guard*.py."""
    missing = set()
    for source in MODULES:
        room = source.parent.relative_to(ROOT / "offprompt")
        if room.name == "errors" and source.stem != "root":
            continue  # sentences: tests/errors/test_root.py reads every one
        if not list((ROOT / "tests" / room).glob(f"test_{source.stem}*.py")):
            missing.add(name_of(source))
    assert missing == set(WITHOUT_TESTS_OF_THEIR_OWN)


def test_every_package_is_packed_and_nothing_else() -> None:
    """setup.cfg names the packages one by one; a forgotten one would be missing from the wheel alone."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    packed = set(config["options"]["packages"].split()) - {"twisted.plugins"}
    there = {".".join(p.parent.relative_to(ROOT).parts) for p in SOURCES if p.name == "__init__.py"}
    assert packed == there
    assert {p.parent for p in SOURCES} == {p.parent for p in SOURCES if p.name == "__init__.py"}


def test_the_plugin_folder_is_no_package() -> None:
    """Twisted looks into every folder twisted/plugins on the path that has no __init__.py."""
    assert not list((ROOT / "twisted").rglob("__init__.py"))
    assert [p.name for p in (ROOT / "twisted" / "plugins").glob("*.py")] == ["offprompt_plugin.py"]


def test_nothing_is_named_after_nothing() -> None:
    """A manager, a helper or a util may do anything: such a name tells the reader nothing."""
    empty = re.compile(r"(^|_)(manager|helper|util|misc|common)s?(_|$)")
    definitions = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = []
    for source in SOURCES:
        defined = [node.name for node in ast.walk(tree_of(source)) if isinstance(node, definitions)]
        for name in [source.stem, source.parent.name, *defined]:
            if empty.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()):
                found.append(f"{name_of(source)}: {name}")
    assert not found, found


def is_verb_form(stem: str) -> bool:
    """Whether the last word of a file's name is a gerund or a participle."""
    word = re.split(r"[_-]", stem)[-1]
    return word not in NOUNS and (word.endswith(("ing", "ed")) or word in PARTICIPLES)


@pytest.mark.parametrize("stem", ["serving", "asking", "told", "held", "made", "url_asked", "shown", "reading"])
def test_a_gerund_or_a_participle_is_known_as_such(stem: str) -> None:
    assert is_verb_form(stem)


def test_a_file_is_named_after_what_it_holds() -> None:
    """`serving.py` may hold anything that serves; `tools.py` holds the tools."""
    scripts = [path for path in tracked() if path.suffix == ".js" and "offprompt" in path.parts]
    assert scripts
    found = [name_of(path) for path in [*SOURCES, *scripts] if is_verb_form(path.stem)]
    assert not found, found


def test_no_file_grows_into_a_warehouse() -> None:
    """A file of one idea is far shorter."""
    long = {name_of(s) for s in SOURCES if len(s.read_text(encoding="utf-8").splitlines()) > MAX_LINES}
    assert long == set()


def tree_of(source: Path) -> ast.Module:
    return ast.parse(source.read_text(encoding="utf-8"))


def log_calls(source: Path) -> Iterator[ast.Call]:
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOG_LEVELS:
            owner = node.func.value
            called = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
            if called in ("_log", "log"):
                yield node


def test_a_log_format_is_constant_and_names_all_it_is_given() -> None:
    """What is given to a logger and not shown by its format still lands in a JSON log."""
    for source in SOURCES:
        for call in log_calls(source):
            where = f"{name_of(source)}:{call.lineno}"
            assert call.args, where
            words = call.args[0]
            assert isinstance(words, ast.Constant), where
            assert isinstance(words.value, str), where
            fields = [field for _, field, _, _ in string.Formatter().parse(words.value) if field]
            shown = {re.split(r"[.\[(]", field)[0] for field in fields}
            unseen = {keyword.arg for keyword in call.keywords} - shown - {"failure", "log_failure"}
            assert not unseen, f"{where}: {unseen}"


def test_no_tracked_file_names_a_machine_or_a_package_index() -> None:
    """The project stands on any machine; which index packages come from is that machine's affair."""
    forbidden = re.compile(
        "|".join(
            [
                "/wo" + r"rk/(main|shared|notes)",
                "/tm" + "p/venv",
                "/ro" + r"ot/\.",
                r"registry\.np" + r"mjs\.",
                r"files\.python" + "hosted",
                r"pyp" + r"i\.org/simple",
            ]
        )
    )
    found = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{name_of(path)}: {hit[0]}" for hit in forbidden.finditer(text)]
    assert not found, found


def test_nothing_that_is_installed_or_made_is_under_version_control() -> None:
    made = {"node_modules", ".venv", "__pycache__", ".e2e", "dropin.cache"}
    assert [name_of(path) for path in tracked() if made & set(path.relative_to(ROOT).parts)] == []


def test_no_lock_file_names_where_a_package_came_from() -> None:
    locks = [path for path in tracked() if path.name == "package-lock.json"]
    assert len(locks) >= 2
    for lock in locks:
        text = lock.read_text(encoding="utf-8")
        assert '"resolved"' not in text, name_of(lock)
        assert '"integrity"' in text, name_of(lock)


def test_the_pinned_versions_are_exact() -> None:
    pins = (ROOT / "requirements" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [pin for pin in pins if not pin.startswith("#")]
    assert len(pins) > 30
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9A-Za-z.]+", pin) for pin in pins)


def test_the_architecture_page_shows_the_rooms_and_the_layers_that_are_kept() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    kept = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    there = {path.stem for path in (ROOT / "offprompt").iterdir()}
    layers = [[room for room in re.findall(r"\w+", layer) if room in there] for layer in kept]
    shown = re.search(r"## Who may import whom\n\n```\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    named = [re.split(r"\s{2,}", line)[0].split(" | ") for line in shown[1].splitlines()]
    assert named == [layer for layer in layers if layer]
    table = page.partition("## Who may import whom")[0]
    rooms = {room for layer in layers for room in layer} - {"version"}
    assert {room for room in rooms if f"`{room}/`" not in table and f"`{room}.py`" not in table} == set()
