"""What each block of a net wants and expects, by the net's own heads on the block's output.

Letters: K blocks with the stem, B positions, A actions, C channels, H W board.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.encoding import Inputs
from models.netfiles.agreement import chances
from models.netfiles.tapped import TappedNet

Array = NDArray[np.float32]
Chances = NDArray[np.float64]


class Views(NamedTuple):
    """What each block wants of B positions."""

    policies: Chances  # [K, B, A] of the legal moves, 0 of others
    values: Array  # [K, B] for the side to move

    @property
    def firsts(self) -> NDArray[np.intp]:
        """The move with the largest probability [K, B]."""
        firsts: NDArray[np.intp] = self.policies.argmax(axis=2)
        return firsts

    @property
    def divergences(self) -> Chances:
        """KL of each block's policy from the last one's, KL(last || block) [K, B], in nats."""
        least = np.finfo(np.float64).tiny
        logs = np.log(np.maximum(self.policies, least))
        kl: Chances = (self.policies[-1] * (logs[-1] - logs)).sum(axis=2)
        return np.maximum(kl, 0.0)

    @property
    def agreements(self) -> NDArray[np.bool_]:
        """Whether each block's first move is the last one's [K, B]."""
        same: NDArray[np.bool_] = self.firsts == self.firsts[-1]
        return same


def read_blocks(net: TappedNet, inputs: Inputs, blocks: Sequence[Array], legal: NDArray[np.bool_]) -> Views:
    """The views of the K outputs ``blocks``, each [B, C, H, W]; ``legal`` [B, A] says which actions are."""
    last = len(net.blocks) - 1
    answers = [net.continue_from(last, output, inputs) for output in blocks]
    return Views(
        np.stack([chances(answer.logits, legal) for answer in answers]), np.stack([answer.values for answer in answers])
    )


def legal_of(positions: Sequence[Position]) -> NDArray[np.bool_]:
    """Which actions are legal [B, A]."""
    legal = np.zeros((len(positions), positions[0].game.num_actions), np.bool_)
    for row, position in zip(legal, positions, strict=True):
        row[list(position.legal_actions())] = True
    return legal


def joined_views(parts: Sequence[Views]) -> Views:
    """The views of several batches as one."""
    return Views(*(np.concatenate(arrays, axis=1) for arrays in zip(*parts, strict=True)))
