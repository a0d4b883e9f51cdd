"""Many games searched in lockstep, one leaf of each per evaluator call.

There is one search per game, of which one simulation at most is in flight; the batch is the number of games whose leaf
waits.  All trees share one pool of nodes.  ``step`` returns the games that have reached their target of visits; the
caller plays on there.
Under ``gumbel`` every search begins with an empty tree, because sequential halving needs a fresh root; evaluations of
positions seen before are still in the cache.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core._jit import Bound
from core.engine.evaluator import Evaluator, ask, start
from core.games import GameSpec, Position
from core.games.dispatch import State, repeated, state_at
from core.games.encoding import OWN_ENCODING, Inputs
from core.games.net_inputs import make_inputs
from core.rng import check_seed
from core.search import simulate, work
from core.search.backup import enter_root
from core.search.forest import (
    Boards,
    PlayedMoves,
    Results,
    collect_leaves,
    encode_games,
    list_done,
    make_forest,
    make_results,
    play_moves,
    read_roots,
)
from core.search.forest_noise import make_noise_scratch, mix_noises
from core.search.growth import add_top, compact
from core.search.locks import ALONE
from core.search.proofs import UNPROVED, flip
from core.search.root import dirichlet_draws, plan_gumbel
from core.search.settings import SearchSettings
from core.search.tree import (
    BUDGET,
    NODES,
    PRIOR_ONE,
    SCHEDULED,
    Tree,
    backups,
    backups_of,
    bytes_used,
    clear,
    has_room,
    make_tree,
)
from core.search.work import Answer
from core.solve.threats import make_scout
from core.text import Text

POOL_CACHE_ENTRIES = 1 << 17
_GROWTH: Final = 3
_LEAST_SHIFT: Final = 6  # a pool is not compacted below this power of two's part of its budget


class Lockstep:
    """Searches of G games at once.  A actions.

    Raises ValueError when ``games`` is not positive, the seed negative or the memory budget too small.
    """

    def __init__(
        self,
        game: GameSpec,
        evaluator: Evaluator,
        games: int,
        settings: SearchSettings | None = None,
        seed: int = 0,
        *,
        prune: bool = False,
    ) -> None:
        """``prune``: puct's policies leave out the visits that only the noise explains."""
        if games < 1:
            raise ValueError(f"games is {games!r}; it must be at least 1")
        check_seed(seed)
        self.game = game
        self.evaluator = evaluator
        self.settings = settings or SearchSettings()
        self.games = games
        self._prune = prune
        self._gumbel = self.settings.selection == "gumbel"
        self._params = self.settings.params(game.num_cells)
        budget = self.settings.memory_mb << 19  # for each of two trees: compaction copies from one to the other
        encoding = evaluator.encoding
        self._tree = make_tree(game.num_actions, budget, record=False, leads=encoding.leads)
        self._spare = make_tree(game.num_actions, budget, record=False, leads=encoding.leads)
        scout = make_scout(game, self.settings.wants_threats, searched=True)
        self._work = work.make_work(game, encoding, games, POOL_CACHE_ENTRIES, seed, scout)
        self.shown = encoding if encoding.trained else OWN_ENCODING
        self._encoder = self._work.encoder if encoding.trained else OWN_ENCODING.new_encoder()
        self._initial = game.new_state()
        self._boards = Boards(repeated(self._initial, games), self._initial, game.new_state())
        self._noise_rng = np.random.default_rng(seed)
        scheduled = self.settings.gumbel_simulations if self._gumbel else 0
        first = self._initial.info if game.scoring is not None else None
        self._forest = make_forest(games, game.num_actions, game.max_plies, scheduled, first)
        for g in range(games):
            self._forest.roots[g] = add_top(self._tree)
        self._collect_leaves = Bound(collect_leaves)
        self._absorb_leaves = Bound(simulate.absorb, alike=(3,))
        self._play_moves = Bound(play_moves, alike=(3,))
        self._read_roots = Bound(read_roots, alike=(6,))
        self._mix_noises = Bound(mix_noises)
        self._noise_scratch = make_noise_scratch(game.num_actions)
        self._list_done = Bound(list_done)
        self._done = np.zeros(games, np.int64)  # scratch
        self._full = self._when_full()
        self._no_room = False
        self._waiting = 0

    def restart(self, g: int, moves: tuple[int, ...] = (), komi: float | None = None) -> None:
        """Restart game ``g`` after ``moves``, with an empty tree.  Raises IllegalMove.

        ``komi``: another one than the game's, in games with points."""
        forest, now = self._forest, state_at(self._boards.now, g)
        forest.num_moves[g] = 0
        for part, first in zip(now, self._initial, strict=True):
            part[...] = first
        if self.game.scoring is not None:
            forest.infos[g] = self._initial.info if komi is None else self.game.scoring.first_info(komi)
            now.info[:] = forest.infos[g]
        forest.roots[g] = -1
        self._play_all(np.full(len(moves), g), np.array(moves, np.int64), keep=False)
        self._new_root(g)

    def set_target(self, g: int, simulations: int, noise: bool, scale: float = 1.0) -> None:
        """Search game ``g`` until its root has ``simulations`` visits.

        ``noise``: the settings' noise on its root's priors, drawn once; gumbel draws its own, times ``scale``.
        Raises ValueError for more simulations than gumbel's settings plan for.
        """
        self.set_targets(np.array([g]), np.array([simulations]), np.array([noise]), np.array([scale]))

    def set_targets(
        self,
        games: NDArray[np.int64],
        simulations: NDArray[np.int64],
        noise: NDArray[np.bool_],
        scales: NDArray[np.float64],
    ) -> None:
        """``set_target`` for each of ``games``; all are [R]."""
        most = int(simulations.max(initial=0))
        if self._gumbel and most - 1 > self.settings.gumbel_simulations:
            raise ValueError(
                f"simulations is {most!r}; with gumbel_simulations {self.settings.gumbel_simulations} a "
                f"search has at most {self.settings.gumbel_simulations + 1}"
            )
        forest, roots = self._forest, self._forest.roots[games]
        for root in roots[self._tree.threats[roots] != 0].tolist():
            enter_root(self._tree, root)
        forest.targets[games] = simulations
        forest.due[games] = True if self._gumbel else noise & (self.settings.noise_epsilon > 0)
        forest.scales[games] = scales
        self._prepare(games)

    def play(self, g: int, action: int) -> int:
        """Play ``action`` in game ``g`` and keep its subtree, except under gumbel; returns a result code of
        core.games.dispatch.

        Raises IllegalMove.
        """
        return int(self.play_all(np.array([g]), np.array([action]))[0])

    def play_all(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """``play`` in each of ``games`` [R]; those before an illegal move are played."""
        return self._play_all(games, actions, keep=not self._gumbel)

    def step(self) -> NDArray[np.int64]:
        """One batch: collect, evaluate, back up.  Returns the games that have reached their target or are proved."""
        return self.absorb(self.evaluate(self.collect()))

    def collect(self) -> Inputs:
        """Run simulations up to a leaf of each game; returns the evaluator's input for the leaves, of which there may
        be none.

        The next call must be ``absorb``; the input is a view that the next ``collect`` overwrites.
        """
        if bytes_used(self._tree) > self._full:
            self._compact()
        self._waiting, self._no_room = self._collect_leaves(
            self._tree, self._boards, self._forest, self._params, self._work
        )
        self.game.board.check()
        return Inputs(self._work.planes[: self._waiting], self._work.features[: self._waiting])

    def evaluate(self, inputs: Inputs) -> Answer | None:
        """The evaluator's answer for collected leaves, None if there are none.

        Raises ValueError for an answer of wrong shapes or with values that are not finite; the searches cannot continue
        then.
        """
        return ask(self.evaluator, inputs, self.game.num_actions) if len(inputs.planes) else None

    def start(self, inputs: Inputs) -> Callable[[], Answer | None]:
        """Begin what ``evaluate`` does, where the evaluator works elsewhere, and return the function that gives the
        answer."""
        if not len(inputs.planes):
            return lambda: None
        return start(self.evaluator, inputs, self.game.num_actions)

    def absorb(self, answer: Answer | None) -> NDArray[np.int64]:
        """Back up the answer of ``evaluate``; returns as ``step``."""
        tree, forest = self._tree, self._forest
        if answer is not None:
            self._absorb_leaves(tree, self._params, self._work, answer, 0, self._waiting, 0, ALONE)
        if self._no_room:
            before = int(tree.counts[NODES])
            self._compact()
            tree = self._tree
            if tree.counts[NODES] == before:
                raise ValueError(
                    Text(
                        "memory_mb is {memory_mb!r}, too little for {games} games of {game}; give more, or play fewer "
                        "games at once",
                        memory_mb=self.settings.memory_mb,
                        games=self.games,
                        game=self.game.text,
                    )
                )
        if forest.due.any():
            self._prepare(np.flatnonzero(forest.due))
        return self._done[: self._list_done(tree, forest, self.settings.prove, self._done)].copy()

    def forget_evaluations(self, evaluator: Evaluator) -> None:
        """Change the net: it values new leaves, cached evaluations are dropped, trees are kept."""
        self.evaluator = evaluator
        self._work.cache.keys[:] = 0

    # Positions and results.

    def moves(self, g: int) -> tuple[int, ...]:
        """The actions played in game ``g``."""
        return tuple(self._forest.moves[g, : self._forest.num_moves[g]].tolist())

    def position(self, g: int) -> Position:
        """The present position of game ``g``."""
        state = self.game.new_state()
        state.info[: self._forest.infos.shape[1]] = self._forest.infos[g]
        position = Position(self.game, state)
        for action in self.moves(g):
            position = position.play(action)
        return position

    def inputs(self, g: int) -> Inputs:
        """What a net of ours is given of game ``g``'s position, in the encoding ``shown``; B is 1."""
        return self.inputs_of(np.array([g]))

    def inputs_of(self, games: NDArray[np.int64]) -> Inputs:
        """The same for each of ``games`` [B]."""
        inputs = make_inputs(self.game, self.shown, len(games))
        encode_games(self._boards, self._forest, games, self._encoder, inputs.planes, inputs.features)
        return inputs

    def state(self, g: int) -> State:
        """Game ``g``'s present state: a view, which its next move changes."""
        return state_at(self._boards.now, g)

    def results(self, games: NDArray[np.int64]) -> Results:
        """The results so far of the searches of ``games`` int64 [R]."""
        results = make_results(len(games), self.game.num_actions)
        scratch = np.zeros(self.game.num_actions)
        games = np.ascontiguousarray(games, np.int64)
        self._read_roots(self._tree, self._forest, games, self._params, self._prune, scratch, results)
        return results

    def best(self, g: int) -> int:
        """The move to play in game ``g``; -1 before the first simulation."""
        return int(self.results(np.array([g])).best[0])

    def proof(self, g: int) -> int:
        """UNPROVED, WIN, PROVED_DRAW or LOSS for the side to move in game ``g``."""
        return flip(int(self._tree.proof[self._tree.slot[self._forest.roots[g]]]))

    def proved(self, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of ``games`` have a ``proof``."""
        tree = self._tree
        return tree.proof[tree.slot[self._forest.roots[games]]] != UNPROVED  # type: ignore[no-any-return]

    def visits(self, g: int) -> int:
        """Visits of game ``g``'s root."""
        return backups(self._tree, int(self._tree.slot[self._forest.roots[g]]))

    def most_visited(self, g: int, count: int) -> list[tuple[int, int, float, float]]:
        """(action, visits, Q for the side to move, prior as searched) of at most ``count`` moves, most visits first."""
        tree, root = self._tree, int(self._forest.roots[g])
        start, k = int(tree.child_start[root]), int(tree.num_children[root])
        order = np.argsort(-tree.visits[start : start + k], kind="stable")[:count]
        edges, slots = int(tree.edge_start[root]) + order, start + order
        q = tree.total[slots] / np.maximum(1, backups_of(tree, slots))
        priors = tree.edge_prior[edges] / PRIOR_ONE
        columns = (tree.edge_action[edges], tree.visits[slots], q, priors)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @property
    def stats(self) -> NDArray[np.int64]:
        """Counters since the start, by the indices of core.search.work."""
        return self._work.stats.copy()

    @property
    def tree(self) -> Tree:
        """The pool of all games' trees, read-only."""
        return self._tree

    def root(self, g: int) -> int:
        """Game ``g``'s root in the pool."""
        return int(self._forest.roots[g])

    # Roots.

    def _play_all(self, games: NDArray[np.int64], actions: NDArray[np.int64], keep: bool) -> NDArray[np.int64]:
        """Play moves one after the other; games whose trees are not kept begin a new one."""
        moves = PlayedMoves(games, actions, np.zeros(len(games), np.int64))
        played = self._play_moves(self._tree, self._boards, self._forest, moves, keep, self._work.actions)
        for g in games[:played][self._forest.roots[games[:played]] < 0].tolist():
            self._new_root(g)
        if played < len(games):
            self.position(int(games[played])).play(int(actions[played]))  # raises with the reason
        return moves.results

    def _new_root(self, g: int) -> None:
        if not has_room(self._tree, self.game.num_actions, 0):
            self._compact()
        forest = self._forest
        forest.roots[g] = add_top(self._tree)
        forest.due[g] = False
        forest.clean[g, 0] = 0
        forest.scheduled[g] = 0

    def _prepare(self, games: NDArray[np.int64]) -> None:
        """Draw the noise, or make the Gumbel plans, of those of ``games`` that are due and whose roots have edges."""
        tree, forest = self._tree, self._forest
        games = games[forest.due[games] & (tree.num_edges[forest.roots[games]] > 0)]
        forest.due[games] = False
        if self._gumbel:
            for g in games.tolist():
                self._plan(g)
        elif len(games):
            edges = tree.num_edges[forest.roots[games]].astype(np.int64)
            draws = dirichlet_draws(edges, self.settings.noise_alpha, self._noise_rng)
            self._mix_noises(tree, forest, games, draws, float(self.settings.noise_epsilon), self._noise_scratch)

    def _plan(self, g: int) -> None:
        """Make the Gumbel plan of game ``g``, whose root has edges."""
        tree, forest, root = self._tree, self._forest, int(self._forest.roots[g])
        edges = int(tree.num_edges[root])
        simulations = max(1, int(forest.targets[g]) - 1)  # the root's own visit is not one of its moves'
        plan_gumbel(tree, root, self.settings, self._noise_rng, simulations, float(forest.scales[g]))
        forest.gumbel[g, :edges] = tree.gumbel[:edges]
        forest.scheduled[g] = planned = int(tree.counts[SCHEDULED])
        forest.schedule[g, :planned] = tree.schedule[:planned]

    def _compact(self) -> None:
        """Drop the nodes that no game's root can reach."""
        clear(self._spare)
        compact(self._tree, self._spare, self._forest.roots, np.empty(int(self._tree.counts[NODES]), np.int32))
        self._tree, self._spare = self._spare, self._tree
        self._full = self._when_full()

    def _when_full(self) -> int:
        """The bytes in use at which the pool is compacted next: some times what is in use now, so that it stays as
        small as the processor's caches like it, and at most half of its budget."""
        budget = int(self._tree.counts[BUDGET])
        return min(budget // 2, max(budget >> _LEAST_SHIFT, _GROWTH * bytes_used(self._tree)))
