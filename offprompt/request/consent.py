"""Why a person has to agree before a target is written, in sentences: as `fill` and agents are told.

The page has sentences of its own, one for each of its languages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from offprompt.request.target import TargetState, Trust

_TRUSTS: dict[Trust, str] = {
    "shell": "Shells run what {path} holds.",
    "hooks": "Git, or a tool that hooks into it, runs what {path} names or holds.",
    "ci": "Build servers run what {path} names or holds.",
    "editor": "Editors trust {path}, and run what it names.",
    "build": "Build tools trust {path}, and run what it names.",
    "packages": "Package installers fetch and run what {path} names.",
    "agent": "Coding agents trust {path}, and do or run what it says.",
    "login": "What {path} holds decides who may log in, or what starts with a login.",
    "python": "Python runs what {path} holds whenever it starts in this project.",
    "runs": "{path} can be run as a program.",
}
_OTHER_TRUST = "A program trusts {path}, and runs or does what it says."
"""Of a code that this version does not know: a service that `fill` answers to may be newer."""


def reasons(target: TargetState, path: str) -> tuple[str, ...]:
    """Return one sentence for each reason; () when nobody has to agree. `path` is what was asked for."""
    shown = target.shown(path)
    lines = []
    if target.git == "tracked":
        lines.append(f"Git tracks {shown}, so values can end up in a commit.")
    if target.git == "unknown":
        lines.append(f"Git gave no answer about {shown}. If git tracks it, values can end up in a commit.")
    if target.public:
        lines.append(f"Web servers serve the files of {target.public}/ to everyone, and {shown} would be one of them.")
    if target.trusted:
        # A later service may know more of what trusts a file than this program.
        lines.append(
            _TRUSTS.get(target.trusted, "A program trusts {path}, and runs or does what it says.").format(path=shown)
        )
    return tuple(lines)
