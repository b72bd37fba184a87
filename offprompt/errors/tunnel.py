"""Why there is no public link."""

from __future__ import annotations

from offprompt.errors.root import OffpromptError


class TunnelUnavailable(OffpromptError):
    """There is no public link right now."""


class TunnelOff(TunnelUnavailable):
    """Public links are switched off here by OFFPROMPT_TUNNEL."""


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


class CacheShared(TunnelUnavailable):
    """cloudflared is not kept in {folder}, because another account of this computer can change {place}.
    Make that yours alone, set XDG_CACHE_HOME to another folder, or install cloudflared and put it on PATH."""


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
