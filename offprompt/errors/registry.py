"""What the registry does not know."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class UnknownProvider(OffpromptError):
    """offprompt does not know the provider given for {name}. Leave "provider" out: it is not needed."""


class MisspeltProvider(UnknownProvider):
    """offprompt does not know the provider given for {name}. Nearest: {nearest}. Or leave "provider" out."""


class UnclearProvider(OffpromptError):
    """The provider given for {name} does not say which key is meant. Give one of these as "provider": {keys}."""


class UnknownFormat(OffpromptError):
    """offprompt does not know the format given for {name}. Use one of them, or leave "format" out: {formats}."""
