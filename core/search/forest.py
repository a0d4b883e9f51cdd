"""Many games searched in one pool of nodes: each game's moves, root and Gumbel plan, and the results of its search.

G games, A actions, P plies, S simulations, R games in the results,
I entries of a state's info.

A policy target is one of: visit shares (AlphaGo Zero); visits without those that only the noise explains (KataGo, Wu
2020, section 3.2); Gumbel's improved policy softmax(ln P + sigma(completed Q)) (Danihelka et al. 2022, equation 11).
Proofs take precedence over all three (core.search.play).
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable, prefetch
from core.games import dispatch, encoding
from core.search.descent import DECIDED, Mode, descend, finish, proved
from core.search.locks import ALONE
from core.search.params import GUMBEL, PUCT, Params
from core.search.play import apply_proofs
from core.search.proofs import UNPROVED, exact_value, flip
from core.search.rules import gumbel, puct
from core.search.selection import final_edge
from core.search.simulate import enqueue, look_up
from core.search.tree import OWN_RULE, PRIOR_ONE, SCHEDULED, UNEXPANDED, Tree, backups, has_room
from core.search.work import Work

_TRAIL: Final = 8  # a power of two
_FETCHED: Final = 16  # children


class Forest(NamedTuple):
    """G games: the moves played in each from the game's first position, and the state of its search."""

    infos: NDArray[np.int64]  # [G, I] ``info`` of the first state of each game, or [G, 0] where all begin alike
    moves: NDArray[np.int16]  # [G, P]
    num_moves: NDArray[np.int64]  # [G]
    roots: NDArray[np.int32]  # [G]
    targets: NDArray[np.int64]  # [G] root visits that end the search
    due: NDArray[np.bool_]  # [G] the root needs noise or a plan, once it is expanded, before the search goes on
    clean: NDArray[np.uint16]  # [G, A] the root's priors without noise, in the order of its edges; 0 first = no noise
    gumbel: NDArray[np.float32]  # [G, A] the noise g of the root's edges, in their order
    schedule: NDArray[np.int32]  # [G, S] visits due, by simulation
    scheduled: NDArray[np.int64]  # [G] simulations under the schedule; 0 = no plan
    scales: NDArray[np.float64]  # [G] of gumbel's noise
    trail: NDArray[np.int32]  # [G, T, 5] where the topmost nodes lie that the last descent passed, see ``leave_trail``
    trails: NDArray[np.int64]  # [G] how many


class Boards(NamedTuple):
    """The positions of G games."""

    now: Any  # the present ones, as `dispatch.repeated` makes them
    initial: Any  # a game's first state
    state: Any  # scratch


class PlayedMoves(NamedTuple):
    """Moves to be played."""

    games: NDArray[np.int64]  # [M]
    actions: NDArray[np.int64]  # [M]
    results: NDArray[np.int64]  # [M] the result code after each


def make_forest(
    games: int, num_actions: int, max_plies: int, max_scheduled: int, info: NDArray[np.int64] | None = None
) -> Forest:
    """Games without moves and roots; ``max_scheduled`` is 0 for a search without Gumbel.

    ``info``: that of the first state where games may begin with different ones."""
    return Forest(
        infos=np.zeros((games, 0), np.int64) if info is None else np.tile(info, (games, 1)),
        moves=np.zeros((games, max_plies), np.int16),
        num_moves=np.zeros(games, np.int64),
        roots=np.full(games, -1, np.int32),
        targets=np.zeros(games, np.int64),
        due=np.zeros(games, np.bool_),
        clean=np.zeros((games, num_actions), np.uint16),
        gumbel=np.zeros((games, num_actions if max_scheduled else 1), np.float32),
        schedule=np.zeros((games, max(1, max_scheduled)), np.int32),
        scheduled=np.zeros(games, np.int64),
        scales=np.ones(games),
        trail=np.zeros((games, _TRAIL, 5), np.int32),
        trails=np.zeros(games, np.int64),
    )


class Results(NamedTuple):
    """Results of searches, one row for each game requested; values are for its side to move."""

    policy: NDArray[np.float32]  # [R, A] the policy target; zeros before the first simulation
    value: NDArray[np.float32]  # [R] exact once proved, NaN before any visit
    proof: NDArray[np.int8]  # [R] UNPROVED, WIN, PROVED_DRAW or LOSS
    best: NDArray[np.int64]  # [R] the action to play, as ``Search`` would choose it; -1 before the first simulation
    priors: NDArray[np.float32]  # [R, A] without noise: above 0 for every legal move, once the root has edges


def make_results(games: int, num_actions: int) -> Results:
    """Empty results for so many games."""
    return Results(
        policy=np.zeros((games, num_actions), np.float32),
        value=np.zeros(games, np.float32),
        proof=np.zeros(games, np.int8),
        best=np.zeros(games, np.int64),
        priors=np.zeros((games, num_actions), np.float32),
    )


@jitable
def load_plan(tree: Tree, forest: Forest, g: int) -> None:
    """Copy game ``g``'s Gumbel plan into the tree, which holds the plan of one root at a time; a root with noise has a
    rule of its own too."""
    count = forest.scheduled[g]
    root = forest.roots[g]
    if count == 0:
        tree.counts[OWN_RULE] = root if forest.clean[g, 0] > 0 else -1
        tree.counts[SCHEDULED] = 0
        return
    tree.counts[OWN_RULE] = root
    tree.counts[SCHEDULED] = count
    for i in range(tree.num_edges[root]):
        tree.gumbel[i] = forest.gumbel[g, i]
    for i in range(count):
        tree.schedule[i] = forest.schedule[g, i]


@jitable
def has_target(tree: Tree, forest: Forest, g: int) -> bool:
    """Whether the root of game ``g`` has its target of visits and, if that is above 0, edges (a leaf proved by threats
    has visits and no edges)."""
    root = forest.roots[g]
    if forest.targets[g] > 0 and tree.num_edges[root] == UNEXPANDED:
        return False
    return bool(backups(tree, tree.slot[root]) >= forest.targets[g])


@jitable
def set_up_game(boards: Boards, forest: Forest, g: int, encoder: Any) -> None:
    """Set the scratch state to the present position of game ``g``, and tell ``encoder`` the way there if it asks."""
    encoding.begin(encoder)
    if encoding.remembers(encoder):
        dispatch.copy(boards.state, boards.initial)
        for i in range(forest.infos.shape[1]):
            boards.state.info[i] = forest.infos[g, i]
        for i in range(forest.num_moves[g]):
            encoding.leave(encoder, boards.state)
            dispatch.play(boards.state, int(forest.moves[g, i]))
    else:
        dispatch.copy(boards.state, dispatch.state_at(boards.now, g))


@jitable
def leave_trail(tree: Tree, forest: Forest, g: int, leaf: int) -> None:
    """Note the way of game ``g``'s descent to ``leaf``: most of it is the way of the next one."""
    node, root, depth = int(leaf), int(forest.roots[g]), 0
    while node != root:
        node = int(tree.parent[node])
        entry = forest.trail[g, depth & (_TRAIL - 1)]
        entry[0], entry[1], entry[2] = node, tree.slot[node], tree.child_start[node]
        entry[3], entry[4] = tree.edge_start[node], tree.num_children[node]
        depth += 1
    forest.trails[g] = min(depth, _TRAIL)


@jitable
def fetch_trail(tree: Tree, forest: Forest, g: int) -> None:
    """Ask the processor for what the next descent of game ``g``, if there is one, is likely to read: with many games
    that lies no longer in its nearer caches."""
    if g >= forest.roots.size:
        return
    for depth in range(forest.trails[g]):
        entry = forest.trail[g, depth]
        prefetch(tree.num_edges, entry[0])
        prefetch(tree.total, entry[1])
        prefetch(tree.edge_prior, entry[3])
        prefetch(tree.edge_action, entry[3])
        for child in range(0, min(entry[4], _FETCHED), 2):  # of 24 bytes each
            prefetch(tree.total, entry[2] + child)


@jit
def collect_leaves(tree: Tree, boards: Boards, forest: Forest, params: Params, work: Work) -> tuple[int, bool]:
    """For each game of the ``forest``: simulations until a leaf waits for the evaluator, its root has its target of
    visits or a proof, or has its edges and is due to be prepared.

    Each game waits for its one leaf.  Returns (leaves waiting in ``work``, whether the tree is full).
    """
    state = boards.state
    waiting = 0
    mode = Mode(False, 0)
    for g in range(forest.roots.size):
        root = int(forest.roots[g])
        fetch_trail(tree, forest, g + 1)
        load_plan(tree, forest, g)
        while not has_target(tree, forest, g) and not proved(tree, root, params):
            if forest.due[g] and tree.num_edges[root] > 0:
                break
            if not has_room(tree, work.actions.size, waiting):
                return waiting, True
            set_up_game(boards, forest, g, work.encoder)
            node, status = descend(tree, state, root, params, work, mode, ALONE)
            if status == DECIDED:
                value = -exact_value(tree.proof[tree.slot[node]])
            elif look_up(tree, node, state, work, waiting, ALONE):
                value = float(tree.value[node])
            else:
                enqueue(tree, node, root, state, params, work, waiting)
                leave_trail(tree, forest, g, node)
                waiting += 1
                break
            finish(tree, node, value, root, params, work.stats, 0, ALONE)
    return waiting, False


@jit
def play_moves(
    tree: Tree, boards: Boards, forest: Forest, moves: PlayedMoves, keep: bool, actions: NDArray[np.int16]
) -> int:
    """Play ``moves``, one after the other, up to the first that is not legal; returns how many were played.

    Each game's root moves to the child that the move leads to, if ``keep`` and there is one; else it is -1 afterwards.
    ``actions`` int16 [A] is scratch."""
    for m in range(moves.games.size):
        g, action = moves.games[m], moves.actions[m]
        state = dispatch.state_at(boards.now, g)
        legal = False
        for i in range(dispatch.legal(state, actions)):
            legal = legal or actions[i] == action
        if not legal:
            return m
        dispatch.play(state, int(action))
        forest.moves[g, forest.num_moves[g]] = action
        forest.num_moves[g] += 1
        moves.results[m] = dispatch.result(state)
        root = forest.roots[g]
        forest.roots[g] = -1
        forest.due[g] = False
        forest.clean[g, 0] = 0
        forest.scheduled[g] = 0
        if keep and root >= 0:
            start = tree.child_start[root]
            for slot in range(start, start + tree.num_children[root]):
                if tree.action[tree.child[slot]] == action:
                    forest.roots[g] = tree.child[slot]
    return int(moves.games.size)


@jit
def encode_games(
    boards: Boards,
    forest: Forest,
    games: NDArray[np.int64],
    encoder: Any,
    planes: NDArray[np.float32],
    features: NDArray[np.float32],
) -> None:
    """Write the net's input for the positions of ``games`` [R] into ``planes`` [R, C, H, W] and ``features`` [R, G]."""
    for r in range(games.size):
        set_up_game(boards, forest, games[r], encoder)
        encoding.encode(encoder, boards.state, planes[r], features[r])


@jit
def list_done(tree: Tree, forest: Forest, prove: bool, done: NDArray[np.int64]) -> int:
    """Write the games whose searches have ended to the start of ``done`` [G]; returns their number."""
    count = 0
    for g in range(forest.roots.size):
        if has_target(tree, forest, g) or (prove and tree.proof[tree.slot[forest.roots[g]]] != UNPROVED):
            done[count] = g
            count += 1
    return count


@jitable
def target_weights(
    tree: Tree, root: int, params: Params, clean: NDArray[np.uint16], pruned: bool, weights: NDArray[np.float64]
) -> None:
    """Write the policy target of ``root``, not normalised, into ``weights`` float64 [A], in the order of its edges."""
    n = max(0, tree.num_edges[root])
    k = tree.num_children[root]
    start = tree.child_start[root]
    for i in range(n):
        weights[i] = tree.visits[start + i] if i < k else 0.0
    root_proof = tree.proof[tree.slot[root]]
    if apply_proofs(weights, tree.proof[start : start + k], clean, n, k, root_proof):
        return
    if params.selection == GUMBEL:
        gumbel.improve(tree, root, params, weights)
    elif pruned and params.selection == PUCT:
        puct.prune(tree, root, params, clean, weights)


@jitable
def value_of(tree: Tree, root: int, params: Params) -> float:
    """The searched value of ``root`` for the side to move: exact once proved, NaN before any visit; under Gumbel
    that of the improved policy."""
    slot = tree.slot[root]
    if tree.proof[slot] != UNPROVED:
        return -exact_value(tree.proof[slot])
    count = backups(tree, slot)
    if count == 0:
        return np.nan
    n = tree.num_edges[root]
    if params.selection != GUMBEL or n <= 0:
        return float(-tree.total[slot] / count)
    return gumbel.improved_value(tree, root, params)


@jit
def read_roots(
    tree: Tree,
    forest: Forest,
    games: NDArray[np.int64],
    params: Params,
    pruned: bool,
    weights: NDArray[np.float64],
    results: Results,
) -> None:
    """Write the results of the searches of ``games`` [R] into ``results``; ``weights`` float64 [A] is scratch."""
    for r in range(games.size):
        g = games[r]
        root = forest.roots[g]
        load_plan(tree, forest, g)
        edges = tree.edge_start[root]
        n = max(0, tree.num_edges[root])
        results.policy[r, :] = 0.0
        results.priors[r, :] = 0.0
        if n > 0:
            clean = tree.edge_prior[edges : edges + n]
            if forest.clean[g, 0] > 0:
                clean = forest.clean[g, :n]
            target_weights(tree, root, params, clean, pruned, weights)
            mass = 0.0
            for i in range(n):
                mass += weights[i]
            for i in range(n):
                action = tree.edge_action[edges + i]
                results.policy[r, action] = weights[i] / mass
                results.priors[r, action] = clean[i] / PRIOR_ONE
        results.value[r] = value_of(tree, root, params)
        results.proof[r] = flip(tree.proof[tree.slot[root]])
        results.best[r] = -1
        if n > 0:
            edge = final_edge(tree, root, params)
            if edge >= 0:
                results.best[r] = tree.edge_action[edges + edge]
