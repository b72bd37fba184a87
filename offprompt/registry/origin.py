"""Whose key a text is, held against whose it should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from offprompt.registry.findings import Line
from offprompt.registry.owner import Owner, candidates, near_candidates, owner_of
from offprompt.registry.providers import kind_of
from offprompt.registry.rules import Either, Rule, StartsWith, Usually

if TYPE_CHECKING:
    from collections.abc import Sequence

    from offprompt.registry.expected_key import ExpectedKey


@dataclass(frozen=True, slots=True)
class Origin:
    """A text, without spaces at its ends, in the field of a key.

    Attributes:
        key_ids: the keys that it can be, by the forms that explain most of it.
        explained: how many characters those forms explain.
        own: how many characters the field's own rules explain.
    """

    key: ExpectedKey | None
    rules: Sequence[Rule]
    text: str
    explained: int
    key_ids: tuple[str, ...]
    own: int

    @staticmethod
    def of(key: ExpectedKey | None, rules: Sequence[Rule], text: str) -> Origin:
        """Return whose key `text` is, where `key` is asked for and `rules` say how it looks."""
        explained, key_ids = candidates(text)
        own = max((len(prefix) for prefix in prefixes_of(rules) if text.startswith(prefix)), default=0)
        return Origin(key, rules, text, explained, key_ids, own)

    @property
    def mine(self) -> bool:
        """Whether the text can be the key that is asked for, or one that the same variable may hold."""
        assert self.key is not None
        provider = self.key.key_id.partition("/")[0]
        return not {self.key.key_id, *(f"{provider}/{short}" for short in self.key.also)}.isdisjoint(self.key_ids)

    @property
    def outweighed(self) -> bool:
        """Whether the own rules explain less of the text than a form of another key does."""
        assert self.key is not None
        return self.own < self.explained or (self.own == self.explained and self.key.formed)

    def owner(self) -> Owner | None:
        """Return whose key the text surely is, or None."""
        return owner_of(self.key_ids) if self.key_ids else None

    def line(self) -> Line | None:
        """Return the line that says whose it is, or None where it is the key that is asked for, or nobody's."""
        if self.key is None or self.mine:
            return None
        provider = self.key.key_id.partition("/")[0]
        key_ids = self.key_ids
        if not key_ids and not self.own:
            key_ids = tuple(
                key_id
                for key_id in near_candidates(self.text)
                if key_id.startswith(f"{provider}/") and kind_of(key_id) != self.key.kind
            )
        elif not self.outweighed:
            return None
        name = owner_of(key_ids) if key_ids else None
        if name is None:
            return None
        if all(key_id.startswith(f"{provider}/") for key_id in key_ids):
            if len(key_ids) > 1:
                return None
            same_page = key_ids[0].partition("/")[2] in self.key.same_page
            return Line("sibling", "warn", {"label": name.label, "own": self.key.label, "same_page": same_page})
        return Line("other_key", "warn", {"provider": name.provider, "label": name.label, "an": name.an})


def prefixes_of(rules: Sequence[Rule]) -> list[str]:
    """Return all prefixes that the rules name."""
    found: list[str] = []
    for rule in rules:
        if isinstance(rule, StartsWith | Usually):
            found += rule.prefixes
        elif isinstance(rule, Either):
            found += [prefix for form in rule.forms for prefix in form.prefixes]
    return found
