"""A Python prompt inside the running service, over SSH, on this computer only.

It has the service's own rights: whoever logs in can do all that the service can (docs/security.md, "The manhole"). So
it is off by default, listens on loopback or on a socket of mode 0600, and takes public keys alone.

Importing `twisted.conch.manhole` installs a reactor: import this module inside a function.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from twisted.application.service import MultiService
from twisted.conch import interfaces as conch
from twisted.conch.avatar import ConchUser
from twisted.conch.checkers import SSHPublicKeyChecker
from twisted.conch.insults.insults import ServerProtocol
from twisted.conch.manhole import ColoredManhole, ManholeInterpreter
from twisted.conch.manhole_ssh import TerminalSession
from twisted.conch.ssh.factory import SSHFactory
from twisted.conch.ssh.session import SSHSession
from twisted.conch.ssh.transport import DISCONNECT_BY_APPLICATION, SSHServerTransport
from twisted.cred.portal import IRealm, Portal
from twisted.internet.defer import Deferred
from twisted.internet.error import ProcessDone, ProcessTerminated
from twisted.logger import Logger
from twisted.python.components import Adapter, Componentized
from twisted.python.failure import Failure
from zope.interface import implementer

from offprompt import errors
from offprompt.emptyable_set import EmptyableSet
from offprompt.endpoints import LocalReactor, local_service
from offprompt.operate.manhole.keys import AuthorizedKeys, host_key, operator_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twisted.application.service import IService
    from twisted.conch.ssh.keys import Key
    from twisted.internet.interfaces import IAddress, IDelayedCall
    from twisted.internet.protocol import ProcessProtocol

MAX_SESSIONS = 16
"""Connections at once, logged in or not: operators are few, and each costs a key exchange."""
LOGIN_TIME = 30.0
"""Seconds to log in: a key exchange and a passphrase, not so long that strangers hold all sessions."""
PATIENCE = 2.0
"""Seconds that a session has to say goodbye when the service stops; then its connection is cut."""


def manhole_service(
    description: str, namespace: Mapping[str, object], state_dir: str, authorized_keys: str | None, reactor: Any
) -> IService:
    """Return a service that lets operators in at `description`.

    Its stop fires when it listens no more and every session is gone.

    Args:
        description: an endpoint, `tcp:PORT:interface=127.0.0.1` or `unix:PATH`; a socket always has mode 0600.
        namespace: the names of the prompt.
        state_dir: holds the host's key, made once; without `authorized_keys` the operators' key, too.
        authorized_keys: a file in OpenSSH's form, or None for a key made once in `state_dir`.
        reactor: listens and keeps the time.

    Raises:
        NotPrivate: other accounts can read or change the state folder or a key in it.
        EndpointUnknown: there is no such endpoint.
        ManholeExposed: at the start, when other computers could reach `description`.
        SocketNotMade: at the start, when its socket cannot be made.
    """
    keys = AuthorizedKeys(authorized_keys or operator_keys(state_dir))
    portal = Portal(_Realm(namespace, reactor), [SSHPublicKeyChecker(keys)])
    factory = ManholeFactory(host_key(state_dir), portal, reactor)
    here = LocalReactor(reactor, description, errors.ManholeExposed)
    return _Manhole(factory, local_service(description, factory, here))


_log = Logger()
_quiet = Logger(namespace="twisted.conch")
"""The log of Conch's own classes, also where ours inherit from them."""


class ManholeFactory(SSHFactory):
    """Makes SSH's server side with one Ed25519 host key, for a few connections at once."""

    noisy = False

    def __init__(self, key: Key, portal: Portal, reactor: Any) -> None:
        """Prove ourselves with `key`, and let operators in by `portal`."""
        self._log = _quiet
        self.portal = portal
        self.publicKeys = {key.sshType(): key.public()}
        self.privateKeys = {key.sshType(): key}
        self.reactor = reactor
        self.sessions: EmptyableSet[Session] = EmptyableSet()

    def protocol(self) -> Session:
        """Return a conversation that is counted."""
        session = Session()
        session._log = _quiet
        self.sessions.add(session)
        return session

    def buildProtocol(self, addr: IAddress | None) -> SSHServerTransport:
        """Return a conversation, or None, which hangs up, when there are `MAX_SESSIONS`."""
        if len(self.sessions) >= MAX_SESSIONS:
            return None  # type: ignore[return-value]  # IProtocolFactory allows it, SSHFactory's annotation does not
        return super().buildProtocol(addr)

    def gone(self, session: Session) -> None:
        """Forget `session`, whose connection is lost."""
        self.sessions.discard(session)

    async def end(self) -> None:
        """Say goodbye to every session, and return when their connections are gone."""
        sessions = tuple(self.sessions)
        for session in sessions:
            session.loseConnection()
        cut = self.reactor.callLater(PATIENCE, _cut, sessions)
        await self.sessions.when_empty()
        if cut.active():
            cut.cancel()


def _cut(sessions: tuple[Session, ...]) -> None:
    for session in sessions:
        session.cut()


class Session(SSHServerTransport):
    """One operator's connection."""

    factory: ManholeFactory
    _deadline: IDelayedCall | None = None

    def connectionMade(self) -> None:
        """Give the client `LOGIN_TIME` to log in."""
        super().connectionMade()
        self._deadline = self.factory.reactor.callLater(LOGIN_TIME, self._late)

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Tell the factory."""
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        try:
            super().connectionLost(reason)
        finally:
            self.factory.gone(self)

    def receiveError(self, reasonCode: int, description: str) -> None:
        """Report an error, unless the client hung up in order (RFC 4253, section 11.1)."""
        if reasonCode != DISCONNECT_BY_APPLICATION:
            super().receiveError(reasonCode, description)

    def cut(self) -> None:
        """End the connection at once."""
        self.transport.abortConnection()  # type: ignore[union-attr]  # sockets have it, TCP's and Unix's

    def _late(self) -> None:
        if not hasattr(self, "avatar"):  # Conch gives it one with the login
            self.cut()


class _Manhole(MultiService):
    def __init__(self, factory: ManholeFactory, port: IService) -> None:
        super().__init__()
        self._factory = factory
        port.setServiceParent(self)

    def stopService(self) -> Deferred[None]:
        """Fire when neither socket nor session is left."""
        return Deferred.fromCoroutine(self._stop(super().stopService()))

    async def _stop(self, port: Deferred[Any]) -> None:
        await port
        await self._factory.end()


@implementer(IRealm)
class _Realm:
    def __init__(self, namespace: Mapping[str, object], reactor: Any) -> None:
        self._namespace = namespace
        self._reactor = reactor

    def requestAvatar(
        self, avatarId: bytes | tuple[()], mind: object, *interfaces: Any
    ) -> tuple[Any, Any, Callable[[], None]]:
        """Let everybody with a key in as the operator."""
        if conch.IConchUser not in interfaces:
            raise NotImplementedError("only shells are served")
        _log.info("An operator has logged in to the manhole")
        components = Componentized()
        user = _Operator(components)
        components.setComponent(conch.IConchUser, user)
        components.setComponent(conch.ISession, _Shell(components, self._namespace, self._reactor))
        return conch.IConchUser, user, lambda: None


class _Operator(ConchUser, Adapter):
    """May open shells and nothing else: no files, no forwarding."""

    def __init__(self, original: Componentized) -> None:
        Adapter.__init__(self, original)
        ConchUser.__init__(self)
        self.channelLookup[b"session"] = SSHSession


@implementer(conch.ISession)
class _Shell(TerminalSession):
    """A Python prompt on a terminal. Each has its own names: what one operator assigns, another does not see."""

    width, height = 80, 24
    _answering = False
    """Whether the answer to a line is still to be sent."""

    def __init__(self, original: Componentized, namespace: Mapping[str, object], reactor: Any) -> None:
        super().__init__(original)
        self._namespace = namespace
        self._reactor = reactor

    def chainedProtocolFactory(self) -> ServerProtocol:  # type: ignore[override]  # a class there, whatever makes one here
        """Return the terminal of one prompt."""
        return ServerProtocol(ColoredManhole, dict(self._namespace))

    def execCommand(self, proto: ProcessProtocol, cmd: bytes) -> None:
        """Run one line of Python, answer with what it shows, and end. Scripts use this."""
        output = _Output()
        interpreter = ManholeInterpreter(output, dict(self._namespace))
        incomplete = interpreter.push(cmd.decode("utf-8", "replace").encode())
        ended = ProcessTerminated(exitCode=2) if incomplete else ProcessDone(None)

        def answer() -> None:
            if output.text:
                proto.outReceived(output.text.encode("utf-8", "replace").rstrip(b"\n") + b"\n")
            proto.processEnded(Failure(ended))

        self._answering = True
        # Not at once: the channel first has to hear that its command was taken.
        self._reactor.callLater(0, answer)

    def windowChanged(self, newWindowSize: tuple[int, int, int, int]) -> None:
        """Do nothing: the prompt wraps by the first size, and there is nothing to redraw."""

    def eofReceived(self) -> None:
        """End the prompt, as the client sends no more; the answer to a line still goes out."""
        if self._answering:
            return
        connection = conch.IConchUser(self.original).conn
        for channel in list(connection.channels.values()):
            channel.loseConnection()


class _Output:
    """Takes what an interpreter shows."""

    text = ""

    def addOutput(self, data: str, isAsync: bool = False) -> None:  # noqa: N802, N803 - the interpreter's names
        """Keep it; what a Deferred shows later comes too late."""
        self.text += data
