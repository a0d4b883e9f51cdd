"""Self-play on boards of several sizes in turn."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from models.play.games import PlayStats
from models.play.samples import Samples


class Player(Protocol):
    """What plays on one board, as :class:`models.play.selfplay.SelfPlay`."""

    def play(
        self, evaluator: Any, samples: int, should_stop: Callable[[], bool], net_step: int, /
    ) -> tuple[Samples, PlayStats]: ...


class Turns:
    """Plays with several players, one for each size of the board, so that each makes its share of the positions."""

    def __init__(self, players: Sequence[Player], shares: Sequence[float]) -> None:
        self._players, self._shares = players, shares
        self._made = [0] * len(players)  # positions

    def play(
        self,
        evaluators: Sequence[Any],
        samples: int,
        should_stop: Callable[[], bool] = lambda: False,
        net_step: int = 0,
    ) -> tuple[Samples, PlayStats]:
        """As the ``play`` of a player, on the board that is furthest behind its share; one evaluator for each board."""
        made, shares = self._made, self._shares
        turn = min(range(len(made)), key=lambda i: made[i] / shares[i])
        found = self._players[turn].play(evaluators[turn], samples, should_stop, net_step)
        made[turn] += len(found[0])
        return found
