"""A net's evaluation of one position under every symmetry of its game, for itself and at the root of a search."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator, ask
from core.engine.simulator import Simulator
from core.games import Position
from core.games.encoding import Inputs
from core.games.net_inputs import inputs_of
from core.search.root import RootEdges
from core.search.tree import Tree
from core.search.work import EVALUATIONS, Answer


@dataclass(frozen=True, eq=False)
class SymmetryAnswer:
    """One row for each of S symmetries, the first for the unchanged board; E legal moves.

    An equivariant net gives equal rows."""

    position: Position
    actions: tuple[int, ...]  # [E] the legal moves
    values: NDArray[np.float64]  # [S] for the side to move
    policies: NDArray[np.float64]  # [S, E] over the legal moves, each mapped back to the unchanged board
    leads: NDArray[np.float64]  # [S, 2] score lead of the side to move and its mean square; [0, 2] without leads

    @property
    def mean(self) -> Answer:
        """The mean over the symmetries as the answer to one position: of probabilities, not of their logarithms, and of
        values and leads (as KataGo: NNOutput of several outputs, cpp/neuralnet/nninputs.cpp)."""
        logits = np.full((1, self.position.game.num_actions), -np.inf, np.float32)
        with np.errstate(divide="ignore"):
            logits[0, list(self.actions)] = np.log(self.policy_mean)
        leads = self.leads.mean(axis=0, keepdims=True) if self.leads.size else self.leads
        return Answer(logits, np.array([self.value_mean], np.float32), leads.astype(np.float32))

    @property
    def value_mean(self) -> float:
        return float(self.values.mean())

    @property
    def value_spread(self) -> float:
        """Standard deviation over the symmetries (of all of them: divided by S)."""
        return float(self.values.std())

    @property
    def policy(self) -> dict[int, float]:
        """``policy_mean`` by action."""
        return dict(zip(self.actions, self.policy_mean.tolist(), strict=True))

    @property
    def policy_mean(self) -> NDArray[np.float64]:
        """[E]"""
        return np.asarray(self.policies.mean(axis=0))

    @property
    def policy_spread(self) -> NDArray[np.float64]:
        """Standard deviation of each move's share over the symmetries, [E]."""
        return np.asarray(self.policies.std(axis=0))


def under_symmetries(evaluator: Evaluator, position: Position) -> SymmetryAnswer:
    """Evaluate ``position`` under each symmetry of its game, in one batch.

    Raises ValueError when the game is over or the answer has a wrong shape."""
    game, actions = position.game, position.legal_actions()
    if position.is_over:
        raise ValueError(f"the game is over after {position.ply} plies; a net is asked about positions with moves left")
    planes, features = inputs_of(position, evaluator.encoding)
    images = game.symmetries.astype(np.int64)  # [S, A] where each action goes
    batch = np.concatenate([game.transform_planes(planes, s) for s in range(len(images))])
    logits, values, leads = ask(evaluator, Inputs(batch, np.repeat(features, len(images), axis=0)), game.num_actions)
    back = np.take_along_axis(logits.astype(np.float64), images, axis=1)[:, list(actions)]
    weights = np.exp(back - back.max(axis=1, keepdims=True))
    policies = weights / weights.sum(axis=1, keepdims=True)
    return SymmetryAnswer(position, actions, values.astype(np.float64), policies, leads.astype(np.float64))


def average_root(simulator: Simulator, edges: RootEdges, tree: Tree, root: int, position: Position) -> None:
    """Give a ``root`` at ``position`` the mean of the net's answers; nothing without a net."""
    if simulator.evaluator is None:
        return
    answer = under_symmetries(simulator.evaluator, position)
    simulator.stats[EVALUATIONS] += len(answer.values)
    if tree.num_edges[root] > 0:
        tree.value[root] = answer.value_mean
        edges.take_answer(tree, root, answer.policy, position)
    else:
        simulator.expand_by(answer.mean, tree, root, position.state)
