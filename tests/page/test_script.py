"""The page's script: its own tests under node, its rebuild, and its seals opened by libsodium."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.public import PrivateKey, SealedBox

from offprompt.request.fingerprint import fingerprint
from tests.node import program

ROOM = Path(__file__).parents[2] / "offprompt" / "page"
TESTS = Path(__file__).parent / "script"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def node() -> str:
    """Node, with the packages that the script is built from."""
    return program.node("offprompt/page/script")


def test_the_modules_pass_their_own_tests(node: str) -> None:
    files = sorted(str(path) for path in TESTS.glob("*.test.mjs"))
    done = subprocess.run([node, "--test", *files], capture_output=True, text=True, timeout=120, check=False)
    assert files
    assert done.returncode == 0, done.stdout


def test_every_deciding_module_is_tested(node: str) -> None:
    """What touches neither document nor network has its test under node; what does is tested in a browser."""
    touching = ("document", "fetch(", "location", "addEventListener(", "./dom.js", "./icons.js")
    files = [*(ROOM / "script").glob("*.js"), *(ROOM / "script" / "checks").glob("*.js")]
    sources = {path.name: path.read_text() for path in files}
    pure = {name for name, text in sources.items() if not any(word in text for word in touching)}
    tested = "".join(path.read_text() for path in TESTS.glob("*.test.mjs"))
    assert {"seal.js", "watch.js", "answer.js", "draft.js", "words.js"} <= pure
    assert not {name for name in pure if f"/{name}'" not in tested}


def test_no_line_is_longer_than_a_line_of_python() -> None:
    """120 characters; what a build writes, and tables of data, have none."""
    folders = (ROOM / "script", ROOM / "style", ROOM.parent / "look")
    files = [path for folder in folders for path in folder.glob("*.*") if path.suffix in (".js", ".mjs", ".css")]
    lines = [(path.name, line) for path in files for line in path.read_text().splitlines()]
    long = [(name, line) for name, line in lines if len(line) > 120]
    assert not long
    assert len(files) > 40


def test_a_rebuild_gives_the_committed_bytes(node: str) -> None:
    done = subprocess.run(
        [node, "build.mjs", "--check"], cwd=ROOM / "script", capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_bundle_can_stand_inside_the_page() -> None:
    script = (ROOM / "static" / "bundle.js").read_text()
    style = (ROOM / "static" / "bundle.css").read_text()
    assert not [end for end in ("</script", "<!--", "{{") if end in script.lower()]
    assert "</style" not in style.lower()
    assert "url(" not in style
    assert not [word for word in ("eval(", "new Function", "innerHTML", "localStorage", "console.") if word in script]


def test_the_page_is_at_most_48_kb_compressed() -> None:
    """The budget is 60 KB; what a request brings along (rules, logos, the reason) is not in here."""
    parts = ["static/page.html", "static/bundle.css", "static/bundle.js"]
    whole = b"".join((ROOM / part).read_bytes() for part in parts)
    sizes = {path.stem: len(gzip.compress(whole + path.read_bytes(), 6)) for path in (ROOM / "words").glob("*.json")}
    assert len(sizes) > 1
    assert max(sizes.values()) < 48_000, sizes


@pytest.fixture(scope="module")
def page_code(node: str) -> Iterator[subprocess.Popen[str]]:
    """The page's code behind a pipe."""
    with subprocess.Popen(
        [node, str(TESTS / "answer_lines.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def _text() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=300)


@settings(max_examples=60)
@given(
    values=st.dictionaries(st.from_regex(r"[A-Z][A-Z0-9_]{0,20}", fullmatch=True), _text(), max_size=12),
    key=st.binary(min_size=32, max_size=32),
)
def test_what_the_page_seals_libsodium_opens_and_both_see_the_same_fingerprint(
    page_code: subprocess.Popen[str], values: dict[str, str], key: bytes
) -> None:
    ours = PrivateKey.generate()

    def encoded(raw: bytes) -> str:
        return base64.urlsafe_b64encode(raw).decode().rstrip("=")

    question = {
        "key": encoded(bytes(ours.public_key)), "token": "0" * 32, "nonce": "1" * 32, "values": values,
        "fingerprint_key": encoded(key),
    }  # fmt: skip
    assert page_code.stdin is not None
    assert page_code.stdout is not None
    page_code.stdin.write(json.dumps(question) + "\n")
    page_code.stdin.flush()
    said: dict[str, Any] = json.loads(page_code.stdout.readline())
    version, _, box = said["sealed"].partition(".")
    text = SealedBox(ours).decrypt(base64.urlsafe_b64decode(box + "=" * (-len(box) % 4)))
    opened = json.loads(text)
    assert version == "v1"
    assert len(text) in {4096, 8192, 16384, 32768, 65536, 131072}
    assert opened["values"] == values
    assert opened["fingerprint_key"] == encoded(key)
    assert tuple(said["fingerprint"]) == fingerprint(key, values)
