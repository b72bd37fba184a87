"""Whether the program on disk is still the one that runs. Standard library only.

A session lasts for days, and most of the program is loaded at its first call. By then an upgrade may have replaced the
files, or an uninstall removed them.
"""

from __future__ import annotations

import os

from offprompt import version

_FOLDER = os.path.dirname(version.__file__)


def is_intact() -> bool:
    """Return whether the installed files are there and of the version that runs."""
    try:
        on_disk = version.__loader__.get_data(version.__file__)  # type: ignore[union-attr]
    except (OSError, ImportError):  # the second where the program is a zip archive
        return False
    return version.VERSION.encode() in on_disk


def is_cause_of(error: BaseException) -> bool:
    """Return whether `error` tells of files of the program that are gone or do not fit together."""
    if isinstance(error, OSError):
        return str(error.filename or "").startswith(_FOLDER + os.sep)
    return isinstance(error, (ImportError, SyntaxError)) or not is_intact()
