"""Core dumps: a crash leaves nothing of the memory, where values may be."""

from __future__ import annotations


def leave_no_core() -> None:
    """Forbid core dumps of this process and of those that it starts (setrlimit(2), RLIMIT_CORE).

    Windows has no such limit: there this does nothing, and a crash reporter is the person's own choice.
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
