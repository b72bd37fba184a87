"""Why a folder or file is not private enough."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class NotPrivate(OffpromptError):
    """{path} is not private: it must be a folder or file of your own that nobody else can read or write
    (chmod go= {path})."""


class ChangeableByOthers(NotPrivate):
    """{path} can be changed by another account of this computer. It must belong to you or to root, and nobody else may
    write there (chmod go-w {path})."""
