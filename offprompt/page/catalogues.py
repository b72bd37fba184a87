"""The page's words, a JSON file for each language, and which of them a browser is sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from offprompt.http.accept import best_language

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT = "en"
"""The language that is complete, and sent where none of the browser's is there."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One language: `words` are what the page gets, `notices` the small pages' headings and bodies by status."""

    lang: str
    dir: str
    words: Mapping[str, Any]
    notices: Mapping[str, Mapping[str, str]]

    def phrase(self, key: str, **facts: str) -> str:
        """Return a phrase of the page with its `{fact}`s filled in; no fact is searched for others.

        In a language written from right to left each fact stands in isolates (Unicode TR9, 2.4): else the point of
        `.env` would move to its other end.
        """
        text: str = self.words["page"][key]
        if self.dir == "rtl":
            facts = {name: f"\u2068{fact}\u2069" for name, fact in facts.items()}
        pieces = text.split("{")
        filled = [pieces[0]]
        for piece in pieces[1:]:
            name, brace, after = piece.partition("}")
            filled.append(facts[name] + after if brace and name in facts else "{" + piece)
        return "".join(filled)


def load_catalogues() -> dict[str, Catalogue]:
    """Return all languages that are installed, by their tag in lower case."""
    found = {}
    for file in resources.files("offprompt.page").joinpath("words").iterdir():
        if file.name.endswith(".json"):
            members = json.loads(file.read_text("utf-8"))
            notices = members.pop("notice")
            tag = file.name.removesuffix(".json").lower()
            found[tag] = Catalogue(members["lang"], members["dir"], members, notices)
    return found


def choose(languages: str, catalogues: Mapping[str, Catalogue]) -> Catalogue:
    """Return the catalogue that suits an Accept-Language best."""
    return catalogues[best_language(languages, catalogues, DEFAULT)]
