"""The states of a service's tunnel, pure: what follows from what. `supervisor.py` does the work.

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


class Actions(Protocol):
    """What the machine has done; `supervisor.py` does it."""

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
        """Tell that the links are dead."""

    def hand_out(self) -> None:
        """Tell that links work."""

    def close(self) -> None:
        """End whatever is under way."""


class Inputs(Protocol):
    """What happens. The caller makes sure that it happens to the attempt under way."""

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


_builder = TypeMachineBuilder(Inputs, Actions)  # type: ignore[type-abstract]  # Automat only reads it
_down = _builder.state("down")
_finding = _builder.state("finding")
_starting = _builder.state("starting")
_proving = _builder.state("proving")
_up = _builder.state("up")
_resting = _builder.state("resting")
_stopped = _builder.state("stopped")


@_down.upon(Inputs.need).to(_finding)
def _look(inputs: Inputs, actions: Actions) -> None:
    actions.state = "finding"
    actions.look()


@_resting.upon(Inputs.rested).to(_finding)
def _look_again(inputs: Inputs, actions: Actions) -> None:
    actions.state = "finding"
    actions.look()


@_finding.upon(Inputs.found).to(_starting)
def _launch(inputs: Inputs, actions: Actions, program: str) -> None:
    actions.state = "starting"
    actions.launch(program)


@_starting.upon(Inputs.registered).to(_proving)
def _prove(inputs: Inputs, actions: Actions) -> None:
    actions.state = "proving"


@_proving.upon(Inputs.proven).to(_up)
def _go_up(inputs: Inputs, actions: Actions) -> None:
    actions.state = "up"
    actions.hand_out()


@_up.upon(Inputs.proven).loop()
def _hand_out(inputs: Inputs, actions: Actions) -> None:
    actions.hand_out()


for _state in (_finding, _starting, _proving, _up, _resting):

    @_state.upon(Inputs.fail).to(_down)
    def _fail(inputs: Inputs, actions: Actions) -> None:
        actions.state = "down"
        actions.withdraw()
        actions.give_up()

    _state.upon(Inputs.need).loop().returns(None)


for _state in (_starting, _proving, _up):

    @_state.upon(Inputs.retry).to(_resting)
    def _rest(inputs: Inputs, actions: Actions, seconds: float) -> None:
        actions.state = "resting"
        actions.withdraw()
        actions.rest(seconds)


for _state in (_down, _finding, _starting, _proving, _up, _resting):

    @_state.upon(Inputs.stop).to(_stopped)
    def _stop(inputs: Inputs, actions: Actions) -> None:
        actions.state = "stopped"
        actions.withdraw()
        actions.close()
        actions.give_up()


for _input in (Inputs.need, Inputs.stop):
    _stopped.upon(_input).loop().returns(None)

machine: Callable[[Actions], Inputs] = _builder.build()
"""Call it with the Actions; it returns the Inputs."""
