"""Why values are not written, and why a folder is no project."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class SinkRefused(OffpromptError):
    """The values cannot be written there. Nothing was written."""


class PathUnusable(SinkRefused):
    """{path} cannot be written to: give a relative path with forward slashes that names a file inside the project."""


class PathTooLong(SinkRefused):
    """{path} is too long: {what} has more than {most} {unit}. Give a shorter path inside the project."""


class PathAddress(SinkRefused):
    """{path} is an address and not a path. Give a relative path with forward slashes, such as .env."""


class PathBlank(SinkRefused):
    """A name in "{path}" begins or ends with a blank, or holds several in a row, so that it looks like another name.
    Give a path without them, such as .env."""


class PathUnseen(SinkRefused):
    """{path} holds a character that cannot be seen ({code}), so that it looks like another path. Give a path without
    it, such as .env."""


class PathMixed(SinkRefused):
    """In {path} a word mixes letters of several scripts, some of which look alike. Write each word in one script, such
    as .env."""


class PathOutside(SinkRefused):
    """{path} leads out of the project. Give a path inside it, such as .env."""


class PathInGit(SinkRefused):
    """{path} leads into git's own folder, where no value is ever written. Give another path inside the project."""


class PathNotFolder(SinkRefused):
    """{path} goes through something that is not a folder. Give another path inside the project."""


class FolderClosed(SinkRefused):
    """{path} cannot be looked at: a folder on the way may not be listed or entered by this account. Give it the right
    to (chmod u+rwx), or give another path."""


class TooManyLinks(SinkRefused):
    """{path} goes through too many symbolic links. Give the path of the file itself."""


class TargetNotFile(SinkRefused):
    """{path} is not a regular file, so it is left alone. Give the path of a file, such as .env."""


class TargetLinked(SinkRefused):
    """{path} has more than one name on this disk (hard links): writing one would part it from the other. Remove the
    other name, or give another path."""


class TargetMounted(SinkRefused):
    """{path} is mounted from elsewhere and cannot be replaced in one step. Give another path inside the project."""


class TargetUnreadable(SinkRefused):
    """{path} exists and cannot be read, so it is left alone. Make it readable for this user, or give another path."""


class TargetNotText(SinkRefused):
    """{path} is not UTF-8 text, so node and Python cannot read it as a dotenv file. Save it as UTF-8, or give another
    path."""


class TargetTooLarge(SinkRefused):
    """{path} is larger than {most} bytes, too large for a dotenv file. Give another path."""


class TargetInTheWay(SinkRefused):
    """{name} cannot be written into {path}: line {line} can be read in more than one way there, often because of an
    open quote or a backslash at its end. Mend or remove that line, then try again."""


class ValueNotCarried(SinkRefused):
    """{name}: this value cannot be written there so that everything that reads it gets what was typed. Use another
    value, or ask for it in a file of its own (sink kind "file")."""


class TrackedTarget(SinkRefused):
    """Git has begun to track {path} since this was asked for, so the values would end up in a commit. Take it out of
    git (git rm --cached) and try again, or let the agent ask anew: then the page has a box to tick."""


class ConsentMissing(SinkRefused):
    """{reasons} That was not so when this was asked for. Let the agent ask anew: then the page says it, and has a box
    to tick."""


class TargetMoved(SinkRefused):
    """{path} leads to {now} now, and led to {then} when this was asked for. Nothing was written; let the agent ask
    anew."""


class NotHeld(SinkRefused):
    """{name} was to be kept as it is, but {path} no longer holds it. Fill it in."""


class SystemLacks(SinkRefused):
    """Values cannot be written safely on this system: it has no {what}. On Windows, run the agent under WSL."""


class SinkFailed(OffpromptError):
    """The file could not be written. Nothing was changed; try again."""


class DiskFull(SinkFailed):
    """{path} could not be written: the disk is full. Nothing was changed; make room, then try again."""


class NoPermission(SinkFailed):
    """{path} could not be written: the folder is read-only or belongs to someone else. Nothing was changed; make it
    writable, then try again."""


class FolderBusy(SinkFailed):
    """{path} could not be written: another program has held its folder for {seconds} seconds. Nothing was changed; try
    again."""


class TargetRestless(SinkFailed):
    """{path} could not be written: it changed {times} times while it was being written. Nothing was changed; try again
    when the other program is done."""


class WriteFailed(SinkFailed):
    """{path} could not be written ({reason}). Nothing was changed; try again."""


class WriteBroke(SinkFailed):
    """Writing ended in a fault of offprompt itself. Look at {path} before you try again."""


class ProjectRefused(OffpromptError):
    """There is no project folder to write into. Start the agent inside one, or set CLAUDE_PROJECT_DIR to it."""


class ProjectElsewhere(ProjectRefused):
    """This service writes in {folder} only, and the workspace is another folder. Start a service for it, or let the
    agent start offprompt mcp itself.
    """


class ProjectMissing(ProjectRefused):
    """The project folder {folder} is not there. Start the agent inside the project, or set CLAUDE_PROJECT_DIR to its
    absolute path."""


class RootsUnusable(ProjectMissing):
    """The workspace is no folder of this machine: {folders}. Start the agent on the machine where the project is, with
    the project's folder open."""


class StartFolderGone(ProjectMissing):
    """The folder in which the agent was started is not there any more, so nobody knows the project. Start the agent
    inside the project, or set CLAUDE_PROJECT_DIR to its absolute path."""


class ProjectUnclear(ProjectRefused):
    """Several folders are open and none holds the working directory: {folders}. Start the agent inside one of them."""


class ProjectTooWide(ProjectRefused):
    """{folder} is {what}, not a project. Start the agent inside the project, or set CLAUDE_PROJECT_DIR to its absolute
    path."""


class ServiceProjectUnfit(ProjectRefused):
    """This service was started for {folder}, which is {what}, so nothing can be written. Whoever runs it has to start
    it with --project and the project's folder."""
