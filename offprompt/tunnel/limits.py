"""How long each step of a public link may take, in seconds. In one place, so that tests can be in more of a hurry."""

from __future__ import annotations

from dataclasses import dataclass

from offprompt.children.process import DRAIN, GRACE


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds; the defaults are the service's."""

    answer: float = 20.0
    """From the start of the child until callers are told why there is no link yet; it goes on behind that."""

    version: float = 5.0
    """For an answer to `--version`; a real cloudflared needs 0.1."""

    # One run of cloudflared.
    asking: float = 17.0
    """From the start to the address: cloudflared itself gives up after 15 s."""
    connecting: float = 20.0
    """From the address to the registration: with UDP blocked it takes 7 s, with a slow resolver 17."""
    checking: float = 25.0
    """From the registration to the proof."""
    invisible: float = 90.0
    """The same where the name is not visible yet: healthy tunnels were invisible for more than a minute."""
    poll_every: float = 1.0
    """Between two questions to cloudflared while it connects."""
    metrics: float = 2.0
    """For an answer of cloudflared's own over loopback."""
    grace: float = GRACE
    """Between TERM and KILL."""
    drain: float = DRAIN
    """That the pipes of a dead child may stay open."""

    # The proof.
    fresh: float = 10.0
    """That a proof is good for: nobody is given a link that was proven longer ago."""
    reproving: float = 5.0
    """For a new proof of a tunnel that is up, from the first try to the start of the last; then it is given up."""
    one_try: float = 5.0
    """For one request through the tunnel; a healthy one takes a tenth of a second."""
    pause: float = 1.0
    """Between two tries."""

    # The name.
    first_question: float = 2.0
    """From the registration to the first question: records appeared after 1.9 to 5.6 s (fastagent PR 437)."""
    question_every: float = 1.0
    """From one question to the next."""
    server: float = 1.0
    """For one server's answer to one question."""
    zone: float = 5.0
    """For the names and addresses of the zone's servers together; some sandboxes' resolvers need 2 s a question."""
    over_https_at: tuple[float, ...] = (6.0, 8.0)
    """From the registration to the one question to each resolver over HTTPS, where the zone's servers are silent."""
    over_https: float = 3.0
    """For such an answer."""
    system_at: float = 10.0
    """From the registration to the one question to the system, where nobody else has answered."""

    # A tunnel that is up.
    look_every: float = 10.0
    """Between two looks."""
    look_sooner: float = 3.0
    """To the next look when one has failed: cloudflared mends a lost connection within a second by itself."""
