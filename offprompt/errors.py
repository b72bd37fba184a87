"""Every error that a person or an agent may read.

One root; a leaf's docstring is the sentence that is shown. `{field}` in it is filled from the keyword arguments, which
stay on the exception as attributes. A value typed by a person is never an argument of an error.
"""

from __future__ import annotations

import inspect


class OffpromptError(Exception):
    """Something went wrong."""

    def __init__(self, **details: object) -> None:
        self.details = details
        for name, detail in details.items():
            setattr(self, name, detail)
        super().__init__(inspect.cleandoc(type(self).__doc__ or "").replace("\n", " ").format(**details))

    def __getattr__(self, name: str) -> object:  # for mypy: details are attributes
        raise AttributeError(name)


# --- request ----------------------------------------------------------------------------------------------------------

# --- registry ---------------------------------------------------------------------------------------------------------

# --- sinks ------------------------------------------------------------------------------------------------------------

# --- agent ------------------------------------------------------------------------------------------------------------

# --- page -------------------------------------------------------------------------------------------------------------

# --- tunnel -----------------------------------------------------------------------------------------------------------

# --- service and cli --------------------------------------------------------------------------------------------------
