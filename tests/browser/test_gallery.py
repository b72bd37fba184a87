"""Every state of the page: it can be brought about, fits its window, and is clean for axe-core.

`make test` looks at each state once, in one width and scheme. `make test-deep` looks at all, and takes pictures:
`artefacts/gallery/index.html` shows them side by side, for people to look at. `make gallery` makes them alone.
"""

from __future__ import annotations

import html
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from offprompt.page.pages import Pages
from tests.browser.reading import findings, overflow
from tests.browser.standin import StandIn
from tests.browser.states import STATES, Scene

pytestmark = pytest.mark.browser

Start = Callable[..., StandIn]

GALLERY = Path(__file__).parents[2] / "artefacts" / "gallery"

WIDTHS = (390, 768, 1280)
"""A phone, a tablet, a desk."""

SCHEMES = {"light": 390, "dark": 1280}
"""Each with the width at which axe-core looks at it."""

ALSO = {"de": ("form", "written"), "ja": ("form", "written"), "ar": ("form", "warned", "written", "expired")}
"""States that are shown in other languages too: the longest words, no blanks between words, right to left."""

NOTICES = ("403", "404", "410.written", "410.expired", "410.cancelled", "421")


@pytest.fixture(scope="module")
def gallery() -> Iterator[Path]:
    """The folder, emptied first; its index is written last."""
    shutil.rmtree(GALLERY, ignore_errors=True)
    GALLERY.mkdir(parents=True)
    yield GALLERY
    names = sorted({path.stem.rsplit("-", 2)[0] for path in GALLERY.glob("*.png")})
    (GALLERY / "index.html").write_text(index(names), "utf-8")


def index(names: list[str]) -> str:
    """A row for each state, a picture for each width and scheme."""
    rows = []
    for name in names:
        pictures = "".join(
            f'<a href="{name}-{width}-{scheme}.png"><img src="{name}-{width}-{scheme}.png" alt="{width} {scheme}"></a>'
            for scheme in SCHEMES
            for width in WIDTHS
        )
        rows.append(f"<h2>{html.escape(name)}</h2><p>{pictures}</p>")
    style = "body{font:14px system-ui;margin:24px}p{display:flex;gap:8px;align-items:start}img{max-height:420px}"
    return f"<!doctype html><meta charset=utf-8><title>The page</title><style>{style}</style>{''.join(rows)}"


@pytest.fixture
def view(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": WIDTHS[-1], "height": 800})
    yield context.new_page()
    context.close()


def pictures(page: Page, folder: Path, name: str) -> dict[str, list[str]]:
    """Take them all, and say what is wrong, by scheme and width."""
    wrong: dict[str, list[str]] = {}
    for scheme, read_at in SCHEMES.items():
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # a Literal there
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate("scrollTo(0, 0)")  # else the bar stands where the focus is, in the middle of the picture
            page.screenshot(path=folder / f"{name}-{width}-{scheme}.png", full_page=True, animations="disabled")
            if overflow(page):
                wrong[f"{scheme} {width}"] = [f"{overflow(page)} px too wide"]
            if width == read_at and (found := findings(page)):
                wrong[scheme] = found
    return wrong


GLANCES = [(state, *list(SCHEMES.items())[at % len(SCHEMES)]) for at, state in enumerate(STATES)]
"""Each state with one scheme and the width that goes with it, turn by turn."""


@pytest.mark.parametrize(("state", "scheme", "width"), GLANCES)
def test_a_state_fits_and_is_clean_at_a_glance(
    view: Page, stand_in: Start, state: str, scheme: Literal["light", "dark"], width: int
) -> None:
    view.set_viewport_size({"width": width, "height": 800})
    view.emulate_media(color_scheme=scheme)
    STATES[state](Scene(view, stand_in))
    assert (overflow(view), findings(view)) == (0, [])


@pytest.mark.deep
@pytest.mark.parametrize("state", STATES)
def test_a_state_fits_and_is_clean_in_every_width_and_scheme(
    view: Page, stand_in: Start, gallery: Path, state: str
) -> None:
    STATES[state](Scene(view, stand_in))
    assert pictures(view, gallery, f"en-{state}") == {}


@pytest.mark.deep
@pytest.mark.parametrize(("lang", "state"), [(lang, state) for lang, states in ALSO.items() for state in states])
def test_so_it_is_in_other_languages(view: Page, stand_in: Start, gallery: Path, lang: str, state: str) -> None:
    STATES[state](Scene(view, stand_in, lang))
    assert pictures(view, gallery, f"{lang}-{state}") == {}


@pytest.mark.deep
@pytest.mark.parametrize("lang", ["en", "ar"])
def test_a_small_page_fits_and_is_clean(view: Page, gallery: Path, lang: str) -> None:
    pages = Pages(lambda: "gallery")
    wrong = {}
    for code in NOTICES:
        view.set_content(pages.notice(int(code[:3]), code, languages=lang).body.decode())
        wrong[code] = pictures(view, gallery, f"{lang}-notice-{code}")
    assert wrong == {code: {} for code in NOTICES}
