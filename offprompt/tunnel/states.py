"""The states of a service's tunnel, pure: what follows from what; supervise.py does it.

down --need--> finding --found--> starting --registered--> proving --proven--> up
  ^               |                  |                        |                |
  |               |fail              |fail, retry             |fail, retry     |fail, retry
  +---------------+------------------+------------------------+----------------+
                  ^
                  +--rested-- resting <--retry--            every state --stop--> stopped
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from automat import TypeMachineBuilder


class Hands(Protocol):
    """What is done on the way."""

    state: str

    def look(self) -> None:
        """Find cloudflared."""

    def launch(self, program: str) -> None:
        """Start it."""

    def rest(self, seconds: float) -> None:
        """Wait before the next start."""

    def give_up(self) -> None:
        """Tell those who wait that no link comes."""

    def withdraw(self) -> None:
        """The host is ours no more."""

    def hand_out(self) -> None:
        """Links may be handed out."""

    def close(self) -> None:
        """End whatever is under way."""


class Inputs(Protocol):
    """What happens. Whoever tells of an attempt makes sure that it is the one under way."""

    def need(self) -> None:
        """Somebody wants a link."""

    def found(self, program: str) -> None:
        """Here is a cloudflared."""

    def registered(self) -> None:
        """The tunnel stands; whether it leads here is to be proven."""

    def proven(self) -> None:
        """It leads here."""

    def fail(self) -> None:
        """It ended, or never began, and is not tried again by itself."""

    def retry(self, seconds: float) -> None:
        """It ended, and is tried again after a pause."""

    def rested(self) -> None:
        """The pause is over, and somebody still wants a link."""

    def stop(self) -> None:
        """The service stops."""


_builder = TypeMachineBuilder(Inputs, Hands)  # type: ignore[type-abstract]  # Automat only reads it
_down = _builder.state("down")
_finding = _builder.state("finding")
_starting = _builder.state("starting")
_proving = _builder.state("proving")
_up = _builder.state("up")
_resting = _builder.state("resting")
_stopped = _builder.state("stopped")


@_down.upon(Inputs.need).to(_finding)
def _look(inputs: Inputs, hands: Hands) -> None:
    hands.state = "finding"
    hands.look()


@_resting.upon(Inputs.rested).to(_finding)
def _look_again(inputs: Inputs, hands: Hands) -> None:
    hands.state = "finding"
    hands.look()


@_finding.upon(Inputs.found).to(_starting)
def _launch(inputs: Inputs, hands: Hands, program: str) -> None:
    hands.state = "starting"
    hands.launch(program)


@_starting.upon(Inputs.registered).to(_proving)
def _prove(inputs: Inputs, hands: Hands) -> None:
    hands.state = "proving"


@_proving.upon(Inputs.proven).to(_up)
def _go_up(inputs: Inputs, hands: Hands) -> None:
    hands.state = "up"
    hands.hand_out()


@_up.upon(Inputs.proven).loop()
def _hand_out(inputs: Inputs, hands: Hands) -> None:
    hands.hand_out()


for _state in (_finding, _starting, _proving, _up, _resting):

    @_state.upon(Inputs.fail).to(_down)
    def _fail(inputs: Inputs, hands: Hands) -> None:
        hands.state = "down"
        hands.withdraw()
        hands.give_up()

    _state.upon(Inputs.need).loop().returns(None)


for _state in (_starting, _proving, _up):

    @_state.upon(Inputs.retry).to(_resting)
    def _rest(inputs: Inputs, hands: Hands, seconds: float) -> None:
        hands.state = "resting"
        hands.withdraw()
        hands.rest(seconds)


for _state in (_down, _finding, _starting, _proving, _up, _resting):

    @_state.upon(Inputs.stop).to(_stopped)
    def _stop(inputs: Inputs, hands: Hands) -> None:
        hands.state = "stopped"
        hands.withdraw()
        hands.close()
        hands.give_up()


for _input in (Inputs.need, Inputs.stop):
    _stopped.upon(_input).loop().returns(None)

machine: Callable[[Hands], Inputs] = _builder.build()
"""Call it with the Hands; the answer has the Inputs."""
