"""The page in Firefox: the whole way, masking, Enter, paste, right to left, and what the browser does on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser import mozlz4
from tests.browser.agent import Agent
from tests.browser.driven import Firefox
from tests.browser.other_site import other_site
from tests.browser.standin import StandIn, secret

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

ARTEFACTS = Path(__file__).parents[2] / "artefacts"

VALUE = "made-up-Value-of-1-test"
CONTROL = "made-up-text-that-is-kept"
ASKS = "Prompting user to save login"
SESSION_WRITTEN = "new Promise(then => setTimeout(then, 2500))"
"""Longer than the second within which a tab is written down (driven.py), and than a decision to ask takes."""

READY = "document.querySelector('#contact.connected') !== null"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with Firefox(tmp_path_factory.mktemp("firefox"), languages="ar, en") as started:
        yield started


def fill(firefox: Firefox, name: str, text: str) -> None:
    firefox.do("focus", f"#value-{name}")
    firefox.do("type", text)


def focused(firefox: Firefox) -> str:
    return str(firefox.do("read", "document.activeElement.id || document.activeElement.className"))


def test_an_agent_asks_a_person_answers_in_firefox_the_file_holds_it(firefox: Firefox, tmp_path: Path) -> None:
    """On the real service, in Arabic, as the browser is set; the switch makes it English and keeps what was typed."""
    project = tmp_path / "shop"
    project.mkdir()
    with Agent(project) as agent:
        asked = agent.call(
            "collect_secret",
            secrets=[
                {"name": "DATABASE_PASSWORD"},
                {"name": "OTHER_PASSWORD"},
                {"name": "AUTH_SECRET", "generate": {}},
            ],
        )
        assert firefox.do("open", asked["url"]) == 200
        firefox.do("wait", READY)
        assert firefox.do("read", "[document.documentElement.lang, document.documentElement.dir]") == ["ar", "rtl"]
        ARTEFACTS.mkdir(exist_ok=True)
        firefox.do("shot", str(ARTEFACTS / "firefox-ar.png"))
        assert "يطلب" in firefox.do("read", "document.querySelector('h1').textContent")
        fill(firefox, "DATABASE_PASSWORD", VALUE)
        firefox.do("press", "Enter")  # on to the next field; nothing is sent by it
        assert focused(firefox) == "value-OTHER_PASSWORD"
        firefox.do("read", "document.querySelector('#language').focus()")
        firefox.do("type", "English")
        firefox.do("wait", "document.documentElement.lang === 'en'")
        assert firefox.do("read", "document.documentElement.dir") == "ltr"
        assert firefox.do("read", "document.querySelector('h1').textContent").endswith("asks you to fill in .env")
        fill(firefox, "OTHER_PASSWORD", VALUE)
        assert not (project / ".env").exists()
        firefox.do("click", ".write")
        firefox.do("wait", "document.querySelector('.fingerprint') !== null")
        four = firefox.do("read", "[...document.querySelectorAll('.emoji')].map(one => one.textContent).join(' ')")
        answered = agent.call("await_secret", request_id=asked["request_id"])
        assert (answered["status"], answered["fingerprint"]) == ("written", four)
        assert VALUE.encode() not in agent.said()
    held = dict(line.split("=", 1) for line in (project / ".env").read_text().splitlines())
    assert {held[name].strip("'\"") for name in ("DATABASE_PASSWORD", "OTHER_PASSWORD")} == {VALUE}
    assert len(held["AUTH_SECRET"].strip("'\"")) == 43


def test_a_masked_value_looks_like_any_other_of_its_length(firefox: Firefox, stand_in: Start) -> None:
    firefox.do("open", stand_in(secret("ONE")).link)
    firefox.do("wait", READY)
    pictures = []
    for text in ("iiiiiiii", "WWWWWWWW"):
        firefox.do("read", "document.querySelector('#value-ONE').value = ''")
        fill(firefox, "ONE", text)
        firefox.do("read", "document.activeElement.blur()")
        pictures.append(firefox.do("picture", "#value-ONE"))
    assert pictures[0] == pictures[1]
    firefox.do("click", ".entry button:last-of-type")
    firefox.do("read", "document.activeElement.blur()")
    assert firefox.do("picture", "#value-ONE") != pictures[1]


def test_a_real_paste_keeps_its_lines_where_there_are_several(firefox: Firefox, stand_in: Start) -> None:
    service = stand_in(secret("SOURCE", secret=False), secret("LINE"), secret("PEM", multiline=True))
    firefox.do("open", service.link)
    firefox.do("wait", READY)
    fill(firefox, "SOURCE", VALUE)
    for taken, given in (("SOURCE", "LINE"), ("LINE", "PEM")):
        firefox.do("focus", f"#value-{taken}")
        firefox.do("chord", "Control", "a")
        firefox.do("chord", "Control", "c")
        firefox.do("focus", f"#value-{given}")
        firefox.do("chord", "Control", "v")
    firefox.do("press", "Enter")  # a line break, in a field for several lines
    firefox.do("chord", "Control", "v")
    firefox.do("chord", "Control", "Enter")
    firefox.do("wait", "document.querySelector('.fingerprint') !== null")
    assert service.script.opened[0]["values"] == {"SOURCE": VALUE, "LINE": VALUE, "PEM": f"{VALUE}\n{VALUE}"}


def test_enter_in_the_only_field_goes_to_the_button_and_sends_nothing(firefox: Firefox, stand_in: Start) -> None:
    service = stand_in(secret("ONE"))
    firefox.do("open", service.link)
    firefox.do("wait", READY)
    fill(firefox, "ONE", VALUE)
    firefox.do("press", "Enter")
    assert "write" in focused(firefox)
    assert service.script.posts == []
    assert VALUE not in firefox.do("read", "location.href")


LOGIN = b"""<!doctype html><input type=password id=value><textarea id=kept></textarea><button>go</button><script>
    document.querySelector('button').onclick = async () => {
        await fetch('/', {method: 'POST', body: '{}'});
        document.querySelector('#value').remove();
        document.body.append('done');
    };</script>"""
"""A page as one builds it without a thought: a password input, a text area, and a fetch."""


@pytest.fixture
def login() -> Iterator[str]:
    with other_site(lambda: LOGIN) as address:
        yield address


def kept(profile: Path) -> dict[str, bytes]:
    """All that a profile's files hold, those of its sessions unpacked."""
    files: dict[str, bytes] = {}
    for path in profile.rglob("*"):
        if path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            files[path.name] = mozlz4.unpacked(data) if data.startswith(mozlz4.MAGIC) else data
    return files


def holding(files: dict[str, bytes], text: str) -> set[str]:
    """The files in which `text` stands, in one of the two forms in which a browser writes text down."""
    return {name for name, data in files.items() if text.encode() in data or text.encode("utf-16-le") in data}


def test_firefox_neither_offers_to_save_a_value_nor_keeps_one_on_disk(
    tmp_path: Path, login: str, stand_in: Start
) -> None:
    """The password manager says what it decides; sessions keep what text areas hold, to restore a tab after a crash. A
    page with a password input and a text area shows first that both would have been seen.
    """
    service = stand_in(secret("DATABASE_PASSWORD"), secret("PEM", multiline=True), secret("USERNAME", secret=False))
    with Firefox(tmp_path) as firefox:
        firefox.do("open", login)
        for place, text in (("#value", CONTROL), ("#kept", CONTROL)):
            firefox.do("focus", place)
            firefox.do("type", text)
        firefox.do("click", "button")
        firefox.do("wait", "document.body.textContent.includes('done')")
        firefox.do("read", SESSION_WRITTEN)
        asked = firefox.said().count(ASKS)
        assert asked > 0
        assert any("session" in name or "recovery" in name for name in holding(kept(firefox.profile), CONTROL))

        firefox.do("open", service.link)
        firefox.do("wait", READY)
        for name in ("USERNAME", "DATABASE_PASSWORD", "PEM"):
            fill(firefox, name, VALUE)
        firefox.do("click", ".entry button:last-of-type")
        firefox.do("read", SESSION_WRITTEN)
        assert holding(kept(firefox.profile), VALUE) == set()
        firefox.do("click", ".write")
        firefox.do("wait", "document.querySelector('.fingerprint') !== null")
        firefox.do("open", "about:blank")
        firefox.do("read", SESSION_WRITTEN)
        assert firefox.said().count(ASKS) == asked
        firefox.close()
        files = kept(firefox.profile)
    assert len(files) > 20
    assert holding(files, VALUE) == set()
