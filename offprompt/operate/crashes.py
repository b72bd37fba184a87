"""What a crash leaves behind: nothing of the memory, where values may be."""

from __future__ import annotations


def leave_no_core() -> None:
    """Let no core dump be written of this process, nor of those it starts (setrlimit(2), RLIMIT_CORE).

    Where there are no such limits (Windows) this does nothing; a crash reporter there is the person's own choice.
    """
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
