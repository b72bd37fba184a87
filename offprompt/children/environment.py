"""What a child gets of our environment: what is named, and nothing else. Hosts hand us their own keys in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from offprompt.programs import clean_path

ALWAYS = frozenset({"LANG", "PATH", "TMPDIR"} | {"PATHEXT", "SYSTEMROOT", "TEMP", "TMP"})
"""And `LC_*`. The second group is what Windows needs to start a program at all."""

FOLDERS = frozenset({"XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "XDG_DATA_DIRS", "XDG_DATA_HOME"})
"""Folders whose files name programs to start: a desktop's opener reads there which browser to run."""


def child_environment(
    environ: Mapping[str, str], more: Collection[str] = (), projects: Iterable[str] = ()
) -> dict[str, str]:
    """Return the variables of `environ` for a child: ALWAYS, `LC_*` and `more`.

    Its PATH, and those of FOLDERS that it gets, lead to nothing in `projects` and to nothing that another account can
    change (`offprompt.programs`).
    """
    projects = tuple(projects)
    names = ALWAYS | set(more)
    passed = {name: value for name, value in environ.items() if name in names or name.startswith("LC_")}
    for name in FOLDERS & passed.keys():
        passed[name] = clean_path(passed[name], projects, default="")
        if not passed[name]:
            del passed[name]
    return passed | {"PATH": clean_path(environ.get("PATH", ""), projects)}
