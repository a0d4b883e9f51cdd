"""Many games searched in step, one leaf of each per evaluator call.  Knows no net, no training and no opening.

There is one search per game and no virtual loss; the batch is the number of games whose leaf waits.  All trees share
one pool.  A game that reaches its target of visits is handed back by ``step`` and plays on at its own pace.
"""

import numpy as np
from numpy.typing import NDArray

from core.engine.evaluator import Evaluator
from core.games import GameSpec, Position
from core.rng import make_rng
from core.search import simulate, work
from core.search.formulas import LOSS, PROVED_DRAW, UNPROVED, WIN, flip
from core.search.root import mix_noise
from core.search.selection import final_edge
from core.search.settings import SearchSettings
from core.search.tree import NODES, Tree, add_top, clear, compact, make_tree
from core.solve.threats_leaf import make_scout

CACHE_ENTRIES = 1 << 17


class Lockstep:
    """G games at once.  G games, A actions.

    Raises ValueError when ``games`` is not positive or the memory budget too small.
    """

    def __init__(
        self, game: GameSpec, evaluator: Evaluator, games: int, settings: SearchSettings | None = None, seed: int = 0
    ) -> None:
        if games < 1:
            raise ValueError(f"games is {games!r}; it must be at least 1")
        self.game = game
        self.evaluator = evaluator
        self.settings = settings or SearchSettings()
        self.positions: list[Position] = [game.initial()] * games
        self._params = self.settings.params()
        budget = self.settings.memory_mb << 19  # two trees: compaction copies from one to the other
        self._tree = make_tree(game.num_actions, budget, record=False)
        self._spare = make_tree(game.num_actions, budget, record=False)
        self._cache = work.make_cache(game.num_actions, CACHE_ENTRIES)
        self._work = work.make_work(
            game.num_actions, (game.num_planes, *game.shape), games, make_scout(game, self.settings.wants_threats)
        )
        self._state = game.new_state()
        self._initial = game.new_state()
        self._rng = make_rng(seed)
        self._noise_rng = np.random.default_rng(seed)
        self._moves = np.zeros((games, game.max_plies), np.int16)
        self._num_moves = np.zeros(games, np.int64)
        self._roots = np.array([int(add_top(self._tree)) for _ in range(games)], np.int32)
        self._targets = np.zeros(games, np.int64)
        self._noise_due = np.zeros(games, np.bool_)

    def restart(self, g: int, moves: tuple[int, ...] = ()) -> None:
        """Game ``g`` begins anew after ``moves``, with an empty tree.  Raises IllegalMove."""
        position = self.game.initial()
        for action in moves:
            position = position.play(action)
        self.positions[g] = position
        self._num_moves[g] = len(moves)
        self._moves[g, : len(moves)] = moves
        self._make_room()
        self._roots[g] = int(add_top(self._tree))

    def aim(self, g: int, simulations: int, noise: bool) -> None:
        """Search game ``g`` until its root has ``simulations`` visits; ``noise`` on its root's priors."""
        self._targets[g] = simulations
        self._noise_due[g] = noise and self.settings.noise_epsilon > 0
        self._apply_noise(g)

    def play(self, g: int, action: int) -> Position:
        """Play ``action`` in game ``g`` and keep its subtree.  Raises IllegalMove."""
        position = self.positions[g].play(action)
        self.positions[g] = position
        self._moves[g, self._num_moves[g]] = action
        self._num_moves[g] += 1
        tree, root = self._tree, int(self._roots[g])
        start = int(tree.child_start[root])
        children = tree.child[start : start + int(tree.num_children[root])]
        found = np.flatnonzero(tree.action[children] == action)
        if len(found):
            self._roots[g] = children[found[0]]
        else:
            self._make_room()
            self._roots[g] = int(add_top(self._tree))
        return position

    def step(self) -> NDArray[np.int64]:
        """One batch: collect, evaluate, back up.  Returns the games that have reached their target or are proved."""
        if self._tree.counts[NODES] > self._tree.parent.size // 2:
            self._compact()
        waiting, status = simulate.collect_forest(
            self._tree,
            self._cache,
            self._state,
            self._initial,
            self._moves,
            self._num_moves,
            self._roots,
            self._targets,
            self._params,
            self._work,
            self._rng,
        )
        if waiting:
            logits, values = self.evaluator.evaluate(self._work.planes[:waiting])
            simulate.absorb(self._tree, self._cache, self._params, self._work, waiting, logits, values, 0)
        if status == simulate.FULL:
            before = int(self._tree.counts[NODES])
            self._compact()
            if self._tree.counts[NODES] == before:
                raise ValueError(
                    f"memory_mb is {self.settings.memory_mb!r}, too little for {len(self.positions)} games of "
                    f"{self.game.text}; give more, or play fewer games at once"
                )
        for g in np.flatnonzero(self._noise_due):
            self._apply_noise(int(g))
        slots = self._tree.slot[self._roots]
        done = self._tree.visits[slots] >= self._targets
        if self.settings.prove:
            done |= self._tree.proof[slots] != UNPROVED
        return np.flatnonzero(done)

    def forget_evaluations(self, evaluator: Evaluator) -> None:
        """Go on with another net: new leaves are valued by it, cached evaluations are dropped, trees stay."""
        self.evaluator = evaluator
        self._cache.keys[:] = 0

    # What a search found.

    def policy(self, g: int) -> NDArray[np.float32]:
        """Visit shares of the root's moves, float32 [A], clean of noise; all on proved wins where there are any,
        none on proved losses while another move is left."""
        tree, root = self._tree, int(self._roots[g])
        start, k = int(tree.child_start[root]), int(tree.num_children[root])
        policy = np.zeros(self.game.num_actions, np.float32)
        if k == 0:
            return policy
        slots = slice(start, start + k)
        weights = tree.visits[slots].astype(np.float64)
        proofs = tree.proof[slots]
        if (proofs == WIN).any():
            weights = (proofs == WIN).astype(np.float64)
        elif self.proof(g) == PROVED_DRAW:
            weights = np.where(proofs == PROVED_DRAW, np.maximum(weights, 1.0), 0.0)
        elif (proofs != LOSS).any():
            weights = np.where(proofs == LOSS, 0.0, weights)
        if not weights.any():
            weights = tree.visits[slots].astype(np.float64)
        policy[tree.action[tree.child[slots]]] = weights / weights.sum()
        return policy

    def best(self, g: int) -> int:
        """The move to play, as ``Search`` would choose it; -1 before any visit."""
        root = int(self._roots[g])
        edge = final_edge(self._tree, root, self._params)
        return -1 if edge < 0 else int(self._tree.edge_action[int(self._tree.edge_start[root]) + edge])

    def value(self, g: int) -> float:
        """Searched value of game ``g``'s position for the side to move; NaN before any visit."""
        proof = self.proof(g)
        if proof != UNPROVED:
            return float(2 - proof)
        slot = int(self._tree.slot[self._roots[g]])
        visits = int(self._tree.visits[slot])
        return -float(self._tree.total[slot]) / visits if visits else float("nan")

    def proof(self, g: int) -> int:
        """UNPROVED, WIN, PROVED_DRAW or LOSS for the side to move in game ``g``."""
        return int(flip(int(self._tree.proof[self._tree.slot[self._roots[g]]])))

    def visits(self, g: int) -> int:
        """Visits of game ``g``'s root."""
        return int(self._tree.visits[self._tree.slot[self._roots[g]]])

    @property
    def stats(self) -> NDArray[np.int64]:
        """Counters since the start, by the indices of core.search.work."""
        return self._work.stats.copy()

    # The pool.

    def _apply_noise(self, g: int) -> None:
        root = int(self._roots[g])
        if self._noise_due[g] and self._tree.num_edges[root] > 0:
            mix_noise(self._tree, root, self.settings.noise_epsilon, self.settings.noise_alpha, self._noise_rng)
            self._noise_due[g] = False

    def _make_room(self) -> None:
        if self._tree.counts[NODES] + 1 >= self._tree.parent.size:
            self._compact()

    def _compact(self) -> None:
        """Drop what no game's root can reach."""
        clear(self._spare)
        compact(self._tree, self._spare, self._roots, np.empty(int(self._tree.counts[NODES]), np.int32))
        self._tree, self._spare = self._spare, self._tree

    @property
    def tree(self) -> Tree:
        """The pool of all games' trees, to read."""
        return self._tree
