"""Positions over which a net is looked into, and those of games played for it: half at random, half by its policy."""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.net_inputs import inputs_of_all
from models.audit.positions import key_of
from models.inside.views import legal_of
from models.netfiles.agreement import chances
from models.netfiles.tapped import TappedNet

_OF_A_GAME: Final = 6  # positions
_SIDE_BY_SIDE: Final = 64  # games
_DULL: Final = 20  # batches of games without a new position that end the play

Stop = Callable[[], bool]


class Origin(NamedTuple):
    """Where a position is from, and what is known of it without the net."""

    words: str = ""
    """The file and the game in it; "" where it was played for the sample."""
    value: float = math.nan
    """For the side to move, -1, 0 or +1: exact, else the result of its game; NaN where neither is known."""
    is_exact: bool = False
    mistake: bool | None = None
    """Whether the net's first move there loses something, by the audit that it is from; None: of no audit."""


class Sample(NamedTuple):
    """Different positions that have not ended, and of which game each is."""

    positions: tuple[Position, ...]
    games: NDArray[np.int64]  # [N] the number of its game
    origins: tuple[Origin, ...] = ()  # [N], or none where all were played for the sample
    notes: tuple[str, ...] = ()  # sentences about what was left out


def play_sample(net: TappedNet, number: int, seed: int, stop: Stop = lambda: False) -> Sample:
    """At most ``number`` positions, up to six of a game; fewer where the game has no more or ``stop`` says so.

    No position is there twice, as it is or mirrored, so that none of a game is known from another one."""
    rng = np.random.default_rng(seed)
    positions: dict[bytes, tuple[Position, int]] = {}
    batch = dull = 0
    while len(positions) < number and dull < _DULL and not stop():
        before = len(positions)
        for row, line in enumerate(_played(net.game, net if batch % 2 else None, rng, stop)):
            chosen = rng.choice(len(line), min(_OF_A_GAME, len(line)), replace=False)
            for position in (line[i] for i in sorted(chosen.tolist())):
                if len(positions) < number:
                    positions.setdefault(key_of(position), (position, batch * _SIDE_BY_SIDE + row))
        dull = dull + 1 if len(positions) == before else 0
        batch += 1
    pairs = list(positions.values())
    return Sample(tuple(position for position, _ in pairs), np.array([number for _, number in pairs], np.int64))


def _played(game: GameSpec, net: TappedNet | None, rng: np.random.Generator, stop: Stop) -> list[list[Position]]:
    """The positions, the last one left out, of games side by side, each of at most as many plies as there are cells."""
    lines = [[game.initial()] for _ in range(_SIDE_BY_SIDE)]
    going = lines
    for _ in range(game.num_cells):
        if not going or stop():
            break
        moves = _drawn([line[-1] for line in going], net, rng)
        for line, move in zip(going, moves, strict=True):
            line.append(line[-1].play(move))
        going = [line for line in going if not line[-1].is_over]
    return [line[:-1] for line in lines if len(line) > 1]


def _drawn(positions: Sequence[Position], net: TappedNet | None, rng: np.random.Generator) -> list[int]:
    """A move of each position: by the net's policy, or any."""
    if net is None:
        return [int(rng.choice(position.legal_actions())) for position in positions]
    logits = net.run(inputs_of_all(positions, net.encoding)).answer.logits
    policies = chances(logits, legal_of(positions))
    return [int(rng.choice(len(policy), p=policy)) for policy in policies]
