"""Every error that a person or an agent may read.

One root; a leaf's docstring is the sentence that is shown. `{field}` in it is filled from the keyword arguments, which
stay on the exception as attributes. A value typed by a person is never an argument of an error.
"""

from __future__ import annotations

import inspect
import os
import traceback


class OffpromptError(Exception):
    """Something went wrong."""

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


# --- request ----------------------------------------------------------------------------------------------------------


class BadRequest(OffpromptError):
    """What was asked for cannot be asked for like this."""


class BadName(BadRequest):
    """A name has capital letters, digits and _, starts with a letter and is at most {most} long, as OPENAI_API_KEY."""


class TwoWays(BadRequest):
    """{name}: give one of provider, format and generate, not several."""


class BadCaption(BadRequest):
    """{name}: a caption is plain text of at most {most} characters."""


class BadGenerate(BadRequest):
    """A generated value has {least} to {most} random bytes."""


class BadEncoding(BadRequest):
    """The encoding of a generated value is one of {encodings}."""


class BadSink(BadRequest):
    """The kind of a sink is one of {kinds}."""


class BadPath(BadRequest):
    """The path is a relative path inside the project, of at most {most} characters."""


class BadCount(BadRequest):
    """Ask for one to {most} values in a call."""


class NameTwice(BadRequest):
    """{name} is asked for twice; name each value once."""


class SeveralForFile(BadRequest):
    """A sink of kind file takes exactly one value, and {count} were asked for; make one call for each file."""


class BadReason(BadRequest):
    """The reason is text of at most {most} characters."""


class TooManyOpen(OffpromptError):
    """There are {count} open requests already: {names}.
    Wait for them with await_secret, or cancel one with cancel_secret."""


class ServiceFull(OffpromptError):
    """The service has {count} open requests, which is all it takes; yours: {names}.
    Try again when some are answered."""


class RequestBusy(OffpromptError):
    """This request is being written right now."""


class RequestClosed(OffpromptError):
    """This request is closed: it is {status}."""


class NotALink(OffpromptError):
    """This is not a link of offprompt. A link looks like https://…/r/1b6e…#k=BL0y…"""


class LinkCut(OffpromptError):
    """The link was cut: the part after #k= is missing or not whole. Copy the whole link from the agent's message."""


class NotAKey(OffpromptError):
    """The key in the link is none that can seal anything. Copy the whole link from the agent's message, or ask for a
    new one."""


class TooMuch(OffpromptError):
    """The values are too long together: {most} KiB can be sent at once."""


class SealMalformed(OffpromptError):
    """What was sent is not a sealed submission. Reload the page and try again."""


class SealForeign(OffpromptError):
    """What was sent does not belong to this request, or was changed on its way. Reload the page and try again."""


# --- registry ---------------------------------------------------------------------------------------------------------


class UnknownProvider(OffpromptError):
    """offprompt does not know the provider given for {name}. Leave "provider" out: it is not needed."""


class MisspeltProvider(UnknownProvider):
    """offprompt does not know the provider given for {name}. Nearest: {nearest}. Or leave "provider" out."""


class UnclearProvider(OffpromptError):
    """The provider given for {name} does not say which key is meant. Give one of these as "provider": {keys}."""


class UnknownFormat(OffpromptError):
    """offprompt does not know the format given for {name}. Use one of them, or leave "format" out: {formats}."""


# --- sinks ------------------------------------------------------------------------------------------------------------


class SinkRefused(OffpromptError):
    """The values cannot be written there. Nothing was written."""


class PathUnusable(SinkRefused):
    """{path} cannot be written to: give a relative path with forward slashes that names a file inside the project."""


class PathOutside(SinkRefused):
    """{path} leads out of the project. Give a path inside it, such as .env."""


class PathInGit(SinkRefused):
    """{path} leads into git's own folder, where no value is ever written. Give another path inside the project."""


class PathNotFolder(SinkRefused):
    """{path} goes through something that is not a folder. Give another path inside the project."""


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
    open quote. Mend or remove that line, then try again."""


class ValueNotCarried(SinkRefused):
    """{name}: this value cannot be written there so that everything that reads it gets what was typed. Use another
    value, or ask for it in a file of its own (sink kind "file")."""


class TrackedTarget(SinkRefused):
    """Git has begun to track {path} since this was asked for, so the values would end up in a commit. Take it out of
    git (git rm --cached) and try again, or let the agent ask anew: then the page has a box to tick."""


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


class ProjectUnclear(ProjectRefused):
    """Several folders are open and none holds the working directory: {folders}. Start the agent inside one of them."""


class ProjectTooWide(ProjectRefused):
    """{folder} is {what}, not a project. Start the agent inside the project, or set CLAUDE_PROJECT_DIR to its absolute
    path."""


class ServiceProjectUnfit(ProjectRefused):
    """This service was started for {folder}, which is {what}, so nothing can be written. Whoever runs it has to start
    it with --project and the project's folder."""


# --- agent ------------------------------------------------------------------------------------------------------------


class CallRefused(OffpromptError):
    """{sentence}"""


class UnknownRequest(OffpromptError):
    """There is no request with this request_id in this session, or it ended over an hour ago. Call collect_secret
    again."""


class AgentExposed(OffpromptError):
    """Agents connect to a socket that only its owner may open: unix:PATH:mode=600, and not {endpoint}"""


class NoUnixSockets(OffpromptError):
    """This system has no Unix sockets; let each agent start offprompt mcp instead."""


class StrangeState(OffpromptError):
    """This call was repeated with a state that does not belong to it. Call collect_secret again, without any state."""


class GeneratedTracked(OffpromptError):
    """{path} is tracked by git, so keys are written there only when a person agrees. Put them into a file that git
    ignores, or ask in the same call for something that the person has to type.
    """


# --- page -------------------------------------------------------------------------------------------------------------


class NotAnswered(OffpromptError):
    """This request cannot be answered."""


class WrongHost(NotAnswered):
    """Wrong host: this address does not belong to offprompt. Open the link as the agent shows it."""


class ForeignSite(NotAnswered):
    """Another site asked for this. Open the link itself."""


class NoSuchPage(NotAnswered):
    """Nothing is known here. The link may have been cut, or the session that made it has ended."""


class MethodRefused(NotAnswered):
    """This address takes {methods}."""


class BodyTooLarge(NotAnswered):
    """This is too much: at most {most} KiB can be sent at once."""


class HeadTooLarge(NotAnswered):
    """The first line or the headers are too long."""


class NotHttp(NotAnswered):
    """This is not HTTP as it is understood here."""


class TooSlow(NotAnswered):
    """The request took more than {seconds} seconds to arrive."""


class NotJsonType(NotAnswered):
    """Send JSON, with the header Content-Type: application/json."""


class NotTheseMembers(NotAnswered):
    """Send a JSON object that holds {members} and nothing else, each a string."""


class TooOften(NotAnswered):
    """Too many tries in a minute. Try again in {seconds} seconds."""


class PageBroke(NotAnswered):
    """Answering ended in a fault of offprompt itself. Try again."""


class PageExposed(OffpromptError):
    """The page listens on this computer only: give tcp:PORT:interface=127.0.0.1, not {endpoint}"""


# --- tunnel -----------------------------------------------------------------------------------------------------------


class TunnelUnavailable(OffpromptError):
    """There is no public link right now."""


class TunnelOff(TunnelUnavailable):
    """Public links are switched off here by OFFPROMPT_TUNNEL=off."""


class TunnelStopped(TunnelUnavailable):
    """offprompt is stopping, and its public link with it."""


class TunnelUnsupported(TunnelUnavailable):
    """offprompt cannot make public links on Windows, as it could not be sure to end them there."""


class NoRelease(TunnelUnavailable):
    """There is no cloudflared to download for {system} on {machine}. Install cloudflared and put it on PATH."""


class DownloadFailed(TunnelUnavailable):
    """cloudflared could not be downloaded: {reason}.
    Try again, or install cloudflared and put it on PATH."""


class CacheRefused(TunnelUnavailable):
    """cloudflared could not be kept in {folder}: {reason}.
    Make room there, or install cloudflared and put it on PATH."""


class CannotRun(TunnelUnavailable):
    """cloudflared cannot be run on this computer: {reason}. Install one that can, and put it on PATH."""


class RateLimited(TunnelUnavailable):
    """Cloudflare is limiting new links from this network (429). Try again in a few minutes."""


class TooManyStarts(TunnelUnavailable):
    """offprompt has asked Cloudflare for {count} links in a short time and makes a pause.
    Try again in {seconds} seconds."""


class LinkServiceDown(TunnelUnavailable):
    """Cloudflare's free link service is not working right now. Nothing is wrong on this computer. Try again later."""


class NoDns(TunnelUnavailable):
    """This computer cannot look up api.trycloudflare.com. Check the connection or the DNS settings."""


class Intercepted(TunnelUnavailable):
    """A security product or the router answers for trycloudflare.com (certificate of {owner}).
    Allow it, or use another network."""


class NoNetwork(TunnelUnavailable):
    """No answer from api.trycloudflare.com:443. cloudflared does not use HTTP proxies. Check the connection."""


class NoEdgeDns(TunnelUnavailable):
    """The link was made, but argotunnel.com cannot be looked up here, so it cannot connect. Check the DNS settings."""


class PortBlocked(TunnelUnavailable):
    """This network blocks port 7844 (UDP and TCP), which Cloudflare needs. Try another network or a phone hotspot."""


class EdgeRefused(TunnelUnavailable):
    """Cloudflare did not accept the connection of the link it made. Try again for a new link."""


class NotConnected(TunnelUnavailable):
    """Cloudflare has not connected the link yet. offprompt goes on trying for a while."""


class NotVisible(TunnelUnavailable):
    """The link exists but is not yet visible everywhere. offprompt goes on checking, up to {seconds} seconds."""


class NotAnswering(TunnelUnavailable):
    """The link exists but does not answer yet. offprompt goes on checking."""


class NeverWorked(TunnelUnavailable):
    """The link that Cloudflare made never worked from here. Try again later, or use another network."""


class NeverVisible(TunnelUnavailable):
    """The link that Cloudflare made never became visible. Try again for a new one."""


class ForeignPage(TunnelUnavailable):
    """Another page than offprompt's answers at the link, so it was given up.
    Look for other settings of cloudflared on this computer."""


class TunnelLost(TunnelUnavailable):
    """The old link has stopped working. Ask for a new one, and send that."""


class StartFailed(TunnelUnavailable):
    """cloudflared did not start ({words}). Please report this."""


class TunnelCrashed(TunnelUnavailable):
    """cloudflared ended unexpectedly ({words}). Try again in a minute."""


# --- service and cli --------------------------------------------------------------------------------------------------


class EndpointUnknown(OffpromptError):
    """{endpoint} is no endpoint that can be listened at. Give one such as tcp:4173:interface=127.0.0.1."""


class SocketNotMade(OffpromptError):
    """Nobody could connect at {endpoint}: {reason}"""


class NoTerminal(OffpromptError):
    """A terminal is needed to type into, and there is none here. Run this in a terminal window, or open the link in a
    browser."""


class Unreachable(OffpromptError):
    """Nobody answers at {host}. The agent's session has probably ended: ask the agent for a new link."""


class TooSlowToAnswer(OffpromptError):
    """{host} did not answer within {seconds} seconds. Try again; if it stays like this, ask the agent for a new
    link."""


class NotTrusted(OffpromptError):
    """The certificate of {host} does not prove that it is {host}, so nothing was sent. Something on the way may read
    along: try another network."""


class StrangeAnswer(OffpromptError):
    """What {host} answers is no request of offprompt. Check the link, or ask the agent for a new one."""


class OtherVersion(OffpromptError):
    """This request is of version {version}, which this offprompt does not know. Update offprompt, or open the link in a
    browser."""


class LinkOfAnother(OffpromptError):
    """The key in the link is not this request's: the link was changed or mixed up on its way. Nothing was sent. Copy
    the whole link from the agent's message."""


class NoSuchRequest(OffpromptError):
    """The link leads to no request: it is over for more than an hour, or from another session. Ask the agent for a new
    link."""


class PageRefused(OffpromptError):
    """{host} refused ({status}): {sentence}"""


class NotPrivate(OffpromptError):
    """{path} is not private: it must be a folder or file of your own that nobody else can read or write
    (chmod go= {path})."""


class NoManhole(OffpromptError):
    """No manhole answers at {place}. Start the service with --manhole=default as the same user, or say where it is
    with --at."""


class NoSsh(OffpromptError):
    """The manhole is reached with OpenSSH's client, and there is no ssh on this computer's PATH. Install it first."""


class ManholeExposed(OffpromptError):
    """A manhole listens on this computer only: give tcp:PORT:interface=127.0.0.1 or unix:PATH, not {endpoint}."""
