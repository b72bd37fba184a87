"""Whose key a text is, beside whose it should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from offprompt.registry.findings import Line, Summary
from offprompt.registry.owner import Named, claims, named, near_claims
from offprompt.registry.providers import kind_of
from offprompt.registry.rules import Either, Exposed, FormatRule, Rule, StartsWith, Usually

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.registry.expected_key import Issued

TELL_NOTHING = ("text", "password", "random_secret")
"""Formats that nearly every text has: to be of one of them is worth no word."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A text (without spaces at its ends) in the field of a key.

    `key_ids` are the keys that it can be, by the forms that explain most of it: `explained` characters. The field's own
    rules explain `own`.
    """

    key: Issued | None
    rules: Sequence[Rule]
    text: str
    explained: int
    key_ids: tuple[str, ...]
    own: int

    @staticmethod
    def of(key: Issued | None, rules: Sequence[Rule], text: str) -> Origin:
        """Whose key `text` is, when `key` is asked for and `rules` hold."""
        explained, key_ids = claims(text)
        own = max((len(prefix) for prefix in _prefixes(rules) if text.startswith(prefix)), default=0)
        return Origin(key, rules, text, explained, key_ids, own)

    @property
    def _mine(self) -> bool:
        assert self.key is not None
        provider = self.key.key_id.partition("/")[0]
        return not {self.key.key_id, *(f"{provider}/{short}" for short in self.key.also)}.isdisjoint(self.key_ids)

    @property
    def _outweighed(self) -> bool:
        """Whether the own rules explain less of the text than a form of another key does."""
        assert self.key is not None
        return self.own < self.explained or (self.own == self.explained and self.key.formed)

    def named(self) -> Named | None:
        """What the text surely is."""
        return named(self.key_ids) if self.key_ids else None

    def line(self) -> Line | None:
        """The line that says whose it is, when it is not the key that is asked for."""
        if self.key is None or self._mine:
            return None
        provider = self.key.key_id.partition("/")[0]
        key_ids = self.key_ids
        if not key_ids and not self.own:
            key_ids = tuple(
                key_id
                for key_id in near_claims(self.text)
                if key_id.startswith(f"{provider}/") and kind_of(key_id) != self.key.kind
            )
        elif not self._outweighed:
            return None
        name = named(key_ids) if key_ids else None
        if name is None:
            return None
        if all(key_id.startswith(f"{provider}/") for key_id in key_ids):
            if len(key_ids) > 1:
                return None
            same_page = key_ids[0].partition("/")[2] in self.key.same_page
            return Line("sibling", "warn", {"label": name.label, "own": self.key.label, "same_page": same_page})
        return Line("other_key", "warn", {"provider": name.provider, "label": name.label, "an": name.an})

    def summary(self) -> Summary | None:
        """What nothing stands against."""
        formats = [rule.format_id for rule in self.rules if isinstance(rule, FormatRule)]
        kinds = [format_id for format_id in formats if format_id not in TELL_NOTHING]
        if self.key is None:
            name = self.named()
            if name:
                return Summary("looks_like", {"provider": name.provider, "label": name.label, "an": name.an})
            return Summary("is", {"format": kinds[0]}) if kinds else None
        if all(isinstance(rule, Exposed) for rule in self.rules):
            return None
        name = self.named()
        telling = any(self.text.startswith(prefix) for prefix in _prefixes(self.rules) if prefix not in self.key.vague)
        sure = self._mine and name is not None if self.key_ids else telling
        label = self.key.label
        if name and self._mine and self.key.key_id not in self.key_ids:
            label = name.label
        facts = {"provider": self.key.provider, "label": label, "an": self.key.an}
        return Summary("looks_like" if sure else "fits", facts)


def _prefixes(rules: Sequence[Rule]) -> list[str]:
    found: list[str] = []
    for rule in rules:
        if isinstance(rule, StartsWith | Usually):
            found += rule.prefixes
        elif isinstance(rule, Either):
            found += [prefix for form in rule.forms for prefix in form.prefixes]
    return found
