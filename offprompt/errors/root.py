"""The root of all errors.

A leaf's docstring is the sentence that is shown. `{field}` in it is filled from the keyword arguments, which
stay on the exception as attributes. A value typed by a person is never an argument of an error.
"""

from __future__ import annotations

import inspect
import os
import traceback
from typing import ClassVar


class OffpromptError(Exception):
    """Something went wrong."""

    http_status: ClassVar[int] = 500
    """The status of the answer to a request that met this error."""

    def __init__(self, **details: object) -> None:
        self.details = details
        for name, detail in details.items():
            setattr(self, name, detail)
        super().__init__(inspect.cleandoc(type(self).__doc__ or "").replace("\n", " ").format(**details))

    def __getattr__(self, name: str) -> object:  # for mypy: details are attributes
        raise AttributeError(name)


def places(error: BaseException) -> str:
    """The type of `error` and the places it came through, the innermost last: for logs.

    Not its words: those of an unforeseen error may quote what it was about, and that may be a value.
    """
    passed = [
        f"{os.path.basename(frame.f_code.co_filename)}:{line} in {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return ", ".join([type(error).__name__, *passed])


def reason(error: Exception) -> str:
    """Why the system refused, in its own words; Twisted's CannotListenError has them inside, or words of Twisted's."""
    cause = getattr(error, "socketError", error)
    return getattr(cause, "strerror", None) or str(cause)
