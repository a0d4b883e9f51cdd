"""Positions from which a run starts games so that it learns of a mistake: that of the mistake, and its neighbours."""

import time
from pathlib import Path
from typing import Final

from models.audit.neighbours import Proofs, ProvedNeighbour
from models.inside.concepts import Stopped
from models.nets.net import PolicyValueNet
from models.strength.exams import after
from models.training.influence import Mistake, Stop, newest_net, outcome_of, outcomes_of, policy_of

SECONDS: Final = 10.0  # for all neighbours


def openings_for(run: Path, mistake: Mistake, stop: Stop = lambda: False) -> list[tuple[int, ...]]:
    """The position of a mistake and those of its neighbours, as far as they are solved in time, that the newest net of
    the run gets wrong too, as moves; none where the position was set up, which no moves lead to.

    :class:`RunError`, BadNet, :class:`Stopped`."""
    game, moves = mistake.position.game, mistake.position.moves
    if mistake.position.start != game.initial():
        return []
    net = newest_net(run, game)
    end = time.monotonic() + SECONDS
    proofs = Proofs(game, should_stop=lambda: stop() or time.monotonic() > end)
    exact = proofs.answer(moves)
    near = [] if exact is None else list(proofs.neighbours(moves, exact))
    if stop():
        raise Stopped
    found = [moves, *(one.moves for one in near if _is_wrong(net, mistake, one))]
    return [one for one in found if one]  # every game starts from the first position


def _is_wrong(net: PolicyValueNet, mistake: Mistake, neighbour: ProvedNeighbour) -> bool:
    """Whether the net gets a neighbour wrong in the way of the mistake."""
    position = after(mistake.position.game, neighbour.moves)
    if mistake.is_outcome:
        return int(outcomes_of(net, position).argmax()) != outcome_of(neighbour.exact.value)
    return int(policy_of(net, position).argmax()) in neighbour.exact.worse
