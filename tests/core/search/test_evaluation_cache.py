"""The cache of evaluations has priors by rank among the legal moves, so its key must tell positions apart by these."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core._jit import jit
from core.engine import Search, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import dispatch, encoding, load_game
from core.games.encoding import Encoding
from core.games.past_boards import past_encoding
from core.games.spec import GameSpec
from core.rng import make_rng, random_below
from core.search import Limit, SearchSettings
from core.search.simulate import key_of
from core.search.tree import PRIOR_ONE, Tree
from tests.core.games.test_games_contract import GAMES

# Go on boards so small that the same stones come back with other moves forbidden.
RETURNING = (
    "go(size=2)",
    "go(size=3)",
    "go(size=3, rules=chinese)",
    "go(size=3, rules=aga)",
    "go(rows=2, cols=4)",
    "go(size=4)",
    "go(size=4, rules=japanese)",
)


def encodings_of(game: GameSpec) -> tuple[Encoding, ...]:
    return (*game.encodings, past_encoding(game, 2, "two boards"))


@jit
def random_keys(encoder, state, rng, legal, counts, keys):
    """Play a random game on ``state``; write each position's legal moves, their number and its key; returns plies."""
    encoding.begin(encoder)
    ply = 0
    while ply < keys.size and dispatch.result(state) == dispatch.ONGOING:
        counts[ply] = dispatch.legal(state, legal[ply])
        keys[ply] = key_of(encoder, state, legal[ply], counts[ply])
        encoding.leave(encoder, state)
        dispatch.play(state, int(legal[ply, random_below(rng, counts[ply])]))
        ply += 1
    return ply


@pytest.mark.parametrize("text", dict.fromkeys([*RETURNING, *GAMES]))
def test_equal_keys_have_equal_legal_moves(text: str) -> None:
    game = load_game(text)
    plies = min(game.max_plies, 60)
    legal, counts = np.zeros((plies, game.num_actions), np.int16), np.zeros(plies, np.int64)
    keys, state, first = np.zeros(plies, np.uint64), game.new_state(), game.initial().state
    for shown in encodings_of(game):
        encoder, rng = shown.new_encoder(), make_rng(5)
        known: dict[int, bytes] = {}
        for _ in range(2000 if text in RETURNING else 20):
            dispatch.copy(state, first)
            for ply in range(random_keys(encoder, state, rng, legal, counts, keys)):
                moves = legal[ply, : counts[ply]].tobytes()
                assert known.setdefault(int(keys[ply]), moves) == moves, shown.name


def expanded(game: GameSpec, tree: Tree, root: int, state: dispatch.State) -> Iterator[tuple[int, list[int]]]:
    """Every expanded node at or below ``root``, whose position is ``state``, with its legal moves."""
    legal = np.zeros(game.num_actions, np.int16)
    todo = [(root, state)]
    while todo:
        node, state = todo.pop()
        if tree.num_edges[node] <= 0:
            continue
        yield node, legal[: dispatch.legal(state, legal)].tolist()
        start = int(tree.child_start[node])
        for child in tree.child[start : start + int(tree.num_children[node])].tolist():
            after = game.new_state()
            dispatch.copy(after, state)
            dispatch.play(after, int(tree.action[child]))
            todo.append((child, after))


def searched_alone(game: GameSpec, moves: str, **settings: Any) -> tuple[Tree, int]:
    search = Search(game.position(moves), UniformEvaluator(game.num_actions), SearchSettings(memory_mb=64, **settings))
    search.run(Limit(simulations=20000))
    return search.tree, search.root


def searched_in_step(game: GameSpec, moves: str) -> tuple[Tree, int]:
    lockstep = Lockstep(game, UniformEvaluator(game.num_actions), 2, SearchSettings(memory_mb=256))
    for g in range(2):
        lockstep.restart(g, game.position(moves).moves)
        lockstep.set_target(g, 20000, noise=False)
    while 0 not in lockstep.step():
        pass
    return lockstep.tree, lockstep.root(0)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["alone", "by two threads", "in step"])
def test_every_node_has_the_priors_of_its_own_legal_moves(way: str) -> None:
    game = load_game("go(size=3)")
    if way == "in step":
        tree, root = searched_in_step(game, "a1")
    else:
        settings = {"max_batch": 1} if way == "alone" else {"max_batch": 16, "collectors": 2}
        tree, root = searched_alone(game, "a1", **settings)
    nodes = 0
    for node, legal in expanded(game, tree, root, game.position("a1").state):
        nodes += 1
        edges = slice(int(tree.edge_start[node]), int(tree.edge_start[node]) + int(tree.num_edges[node]))
        assert sorted(tree.edge_action[edges].tolist()) == legal
        assert set(tree.edge_prior[edges].tolist()) == {int(PRIOR_ONE / len(legal) + 0.5)}
    assert nodes > 15000
