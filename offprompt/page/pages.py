"""Whole pages for a person: the request's, and the small ones that say why there is none."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from offprompt.http.answer import HTML, Answer
from offprompt.http.headers import Policy
from offprompt.page.catalogues import choose, load_catalogues
from offprompt.page.data import request_object, shown_path
from offprompt.page.markdown import render_reason
from offprompt.page.template import Template, as_html, as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from offprompt.page.catalogues import Catalogue
    from offprompt.request.record import Record


def page_policy(nonce: str) -> Policy:
    """Return what a page of ours may do: run its own script and style, known by `nonce`, and ask where it came from."""
    own = f"script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; img-src data:"
    return Policy(
        content=f"default-src 'none'; {own}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'", copies=True
    )


class Pages:
    """The templates and words, read once."""

    def __init__(self, fresh_nonce: Callable[[], str]) -> None:
        """`fresh_nonce()` gives each page the nonce of its Content-Security-Policy (CSP Level 3, section 2.3.1)."""
        self._fresh_nonce = fresh_nonce
        self.catalogues = load_catalogues()
        bundles = {"style": _static("bundle.css"), "script": _static("bundle.js")}
        page = Template(_static("page.html")).part(bundles)
        self._page = page.part({"languages": _options(self.catalogues.values())})
        self._notice = Template(_static("notice.html")).part(bundles)

    def request_page(self, record: Record, now: float, *, languages: str, tunnel: bool) -> Answer:
        """Return the page of an open request, in the best of `languages` (an Accept-Language)."""
        catalogue = choose(languages, self.catalogues)
        data = request_object(record, now, tunnel=tunnel)
        host, path = data["host"], shown_path(record)
        return self._answer(
            200,
            self._page,
            catalogue,
            {
                "title": as_html(catalogue.phrase("title", host=host, path=path)),
                "says": as_html(catalogue.phrase("says")),
                "noscript": as_html(catalogue.phrase("noscript")),
                "reason": render_reason(record.spec.reason),
                "request": as_json(data),
                "words": as_json(catalogue.words),
            },
        )

    def notice(self, status: int, key: str, *, languages: str) -> Answer:
        """Return the small page for `key`: a status, and after a dot what became of the request ("410.expired")."""
        catalogue = choose(languages, self.catalogues)
        words = catalogue.notices[key]
        texts = {"heading": as_html(words["heading"]), "body": as_html(words["body"])}
        return self._answer(status, self._notice, catalogue, texts)

    def _answer(self, status: int, template: Template, catalogue: Catalogue, texts: Mapping[str, str]) -> Answer:
        nonce = self._fresh_nonce()
        frame = {"lang": as_html(catalogue.lang), "dir": as_html(catalogue.dir), "nonce": as_html(nonce)}
        body = template.fill({**frame, **texts}).encode("utf-8", "replace")
        return Answer(status, HTML, body, page_policy(nonce))


def _options(catalogues: Iterable[Catalogue]) -> str:
    """Return the options of the page's switch: each language by its own name, for who reads no other."""
    return "".join(
        f'<option value="{as_html(lang)}" lang="{as_html(lang)}">{as_html(name)}</option>'
        for name, lang in sorted((str(one.words["name"]), one.lang) for one in catalogues)
    )


def _static(name: str) -> str:
    return resources.files("offprompt.page").joinpath("static", name).read_text("utf-8")
