"""The tree keeps its invariants whatever is played, taken back, compacted or replayed; answers are kept in a cache."""

import gc
import mmap
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core._jit import jit
from core.engine import Search, UniformEvaluator
from core.engine.lockstep import Lockstep
from core.games import dispatch, encoding, load_game
from core.games.encoding import Encoding
from core.games.past_boards import past_encoding
from core.games.spec import GameSpec
from core.glass.history import History
from core.glass.snapshot import FULL
from core.rng import make_rng, random_below
from core.search import Limit, SearchSettings
from core.search.simulate import key_of
from core.search.tree import (
    NODES,
    PRIOR_ONE,
    RECORDS,
    SLOTS,
    TERMINAL,
    UNEXPANDED,
    Tree,
    backups,
    backups_of,
    make_tree,
)
from tests.core.games.test_games_contract import GAMES
from tests.core.search.fakes import HashEvaluator, run_search

NAMES = ["tictactoe", "connectn(rows=4, cols=3, k=3)", "connect4(rows=4, cols=5, k=3)", "gomoku(size=6)"]


def check(search):
    """Every structural invariant of one search's tree."""
    tree, counts = search.tree, search.tree.counts
    nodes, slots = int(counts[NODES]), int(counts[SLOTS])
    assert not tree.inflight[tree.slot[:nodes]].any()
    assert len(set(tree.slot[:nodes].tolist())) == nodes
    assert tree.slot[:nodes].max() < slots
    for node in range(nodes):
        slot, parent = int(tree.slot[node]), int(tree.parent[node])
        assert tree.child[slot] == node
        assert parent < node
        n, k = int(tree.num_edges[node]), int(tree.num_children[node])
        assert abs(tree.total[slot]) <= backups(tree, slot) + 1e-9
        if n <= 0:
            assert k == 0
            assert n in (UNEXPANDED, TERMINAL)
            continue
        assert k <= n
        start = int(tree.edge_start[node])
        priors = tree.edge_prior[start : start + n].astype(int)
        actions = tree.edge_action[start : start + n].tolist()
        assert len(set(actions)) == n
        assert priors.min() >= 1
        assert abs(priors.sum() - 65535) <= n
        assert (np.diff(priors[k:]) <= 0).all(), "unvisited edges are sorted by prior"
        assert k == 0 or priors[k:].max(initial=0) <= 65535
        children = [int(tree.child[int(tree.child_start[node]) + i]) for i in range(k)]
        assert [int(tree.parent[c]) for c in children] == [node] * k
        assert [int(tree.action[c]) for c in children] == actions[:k]
        moved = sum(int(tree.visits[tree.slot[c]]) for c in children)
        ended = int((tree.leaf[: int(counts[RECORDS])] == node).sum())
        assert backups(tree, slot) == moved + ended, "n is the sum of N and of what ended here"


def below(tree, node):
    start = int(tree.child_start[node])
    return [int(tree.child[start + i]) for i in range(int(tree.num_children[node]))]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_tree_invariants_hold_after_any_operations(data):
    game = load_game(data.draw(st.sampled_from(NAMES)))
    evaluator = data.draw(st.sampled_from([None, HashEvaluator(game.num_actions, 2.0)]))
    chosen = SearchSettings(
        selection=data.draw(st.sampled_from(["puct", "ucb1"])),
        max_batch=data.draw(st.integers(1, 16)),
        prove=data.draw(st.booleans()),
        noise_epsilon=data.draw(st.sampled_from([0.0, 0.25])),
        memory_mb=4,
    )
    search = Search(game.initial(), evaluator, chosen, seed=data.draw(st.integers(0, 9)))
    passed = [search.position]
    for _ in range(data.draw(st.integers(1, 6))):
        search.run(Limit(simulations=search.simulations + data.draw(st.integers(1, 150))))
        check(search)
        legal = search.position.legal_actions()
        if legal and data.draw(st.booleans()):
            search.advance(data.draw(st.sampled_from(legal)))
            passed.append(search.position)
        else:
            search.go_to(data.draw(st.sampled_from(passed)))
        check(search)


@pytest.mark.parametrize("evaluator", [None, HashEvaluator(7)], ids=["rollouts", "net"])
def test_visits_add_up(evaluator):
    search = run_search(load_game("connect4").initial(), evaluator, 2000, seed=3, memory_mb=16)
    tree = search.tree
    for node in range(int(tree.counts[NODES])):
        own, children = tree.slot[node], below(tree, node)
        if not children:
            continue
        visits = sum(int(tree.visits[tree.slot[c]]) for c in children)
        # A node's first visit valued itself, but for the top of a rollout search, which is never valued.
        assert backups(tree, own) == visits + (0 if node == 0 and evaluator is None else 1)
    assert search.simulations == 2000


def test_unvisited_children_have_no_higher_prior_than_visited_ones():
    search = run_search(load_game("gomoku(size=7)").initial(), HashEvaluator(49), 500, memory_mb=16)
    tree = search.tree
    for node in range(int(tree.counts[NODES])):
        n = int(tree.num_edges[node])
        if n > 0:
            priors = tree.edge_prior[int(tree.edge_start[node]) : int(tree.edge_start[node]) + n].astype(int)
            assert (np.diff(priors) <= 0).all()


def everything(tree):
    nodes, slots = int(tree.counts[NODES]), int(tree.counts[SLOTS])
    live = tree.slot[:nodes]
    return [tree.visits[live].tolist(), tree.total[live].tolist(), tree.proof[live].tolist()], slots


@pytest.mark.parametrize("evaluator", [None, HashEvaluator(7)], ids=["rollouts", "net"])
def test_same_seed_same_tree(evaluator):
    trees = []
    for chunks in ([900], [1, 7, 300, 900]):
        search = Search(load_game("connect4").initial(), evaluator, SearchSettings(memory_mb=16, max_batch=1), seed=5)
        for n in chunks:
            search.run(Limit(simulations=n))
        trees.append(everything(search.tree)[0])
    assert trees[0] == trees[1]
    other = run_search(load_game("connect4").initial(), None, 900, seed=6, memory_mb=16)
    assert evaluator is not None or everything(other.tree)[0] != trees[0]


def test_playing_keeps_the_subtree_and_going_back_finds_the_tree():
    search = run_search(load_game("connect4").initial(), HashEvaluator(7), 600, memory_mb=16)
    start, before = search.position, search.snapshot()
    row = before.moves[0]
    search.advance(row.action)
    after = search.snapshot()
    assert after.simulations == row.visits
    assert after.value == pytest.approx(-row.q)
    assert search.go_to(start)
    assert [(m.action, m.visits) for m in search.snapshot().moves] == [(m.action, m.visits) for m in before.moves]
    assert not search.go_to(load_game("connect4").position("a a a b"))
    assert search.simulations == 0


def test_a_proof_found_below_is_known_after_going_back():
    game = load_game("tictactoe")
    start = game.position("0 3 1")
    search = run_search(start, None, 3, selection="ucb1", memory_mb=4)
    first = int(search.snapshot().moves[0].action)
    if first == 2:
        first = int(search.snapshot().moves[1].action)
    search.advance(first)
    search.run(Limit(simulations=5000))
    assert search.reason == "proved"
    assert search.snapshot().value == 1.0
    search.go_to(start)
    row = next(m for m in search.snapshot().moves if m.action == first)
    assert row.proof == "loss"


@pytest.mark.parametrize("evaluator", [None, HashEvaluator(9)], ids=["rollouts", "net"])
@pytest.mark.parametrize("prove", [True, False])
def test_history_restores_every_earlier_moment(evaluator, prove):
    chosen = SearchSettings(memory_mb=4, prove=prove, max_batch=4)
    search = Search(load_game("tictactoe").initial(), evaluator, chosen, seed=2)
    moments = []
    for n in (1, 2, 17, 60, 61, 150):
        search.run(Limit(simulations=n))
        nodes = int(search.tree.counts[NODES])
        slots = search.tree.slot[:nodes].copy()
        moments.append(
            (
                int(search.tree.counts[RECORDS]),
                backups_of(search.tree, slots),
                search.tree.total[slots].copy(),
                search.tree.proof[slots].copy(),
                search.tree.num_children[:nodes].copy(),
            )
        )
    search.advance(4)
    search.run(Limit(simulations=120))
    history = History(search.tree, search.root_changes, search.settings.params())
    for record, visits, total, proof, children in [*moments, *reversed(moments)]:
        past = history.seek(record)
        slots = past.slot[: len(visits)]
        assert backups_of(past, slots).tolist() == visits.tolist()
        assert past.total[slots] == pytest.approx(total)
        assert past.proof[slots].tolist() == proof.tolist()
        assert past.num_children[: len(children)].tolist() == children.tolist()
    now = history.seek(len(history))
    live = now.slot[: int(now.counts[NODES])]
    assert now.visits[live].tolist() == search.tree.visits[live].tolist()
    with pytest.raises(ValueError, match=f"0 to {len(history)}"):
        history.seek(len(history) + 1)


def test_a_full_budget_stops_the_search_and_moving_on_frees_it():
    search = Search(load_game("connect4").initial(), None, SearchSettings(selection="ucb1", memory_mb=1), seed=1)
    assert search.run(Limit(simulations=10**7)) == FULL
    counters = search.snapshot().counters
    assert 0.98 * counters.bytes_budget <= counters.bytes_used <= counters.bytes_budget
    simulations = search.simulations
    row = search.snapshot().moves[0]
    search.advance(row.action)
    check(search)
    assert search.simulations == row.visits < simulations
    assert search.snapshot().counters.bytes_used < counters.bytes_used
    assert search.run(Limit(simulations=search.simulations + 1000)) != FULL
    check(search)


def test_trees_of_any_shape_use_the_whole_budget():
    """Few edges of 81 with rollouts, all of them with a net, more records than nodes where games end soon."""
    nine, tic = load_game("gomoku(size=9)"), load_game("tictactoe")
    searches = (
        Search(nine.initial(), None, SearchSettings(selection="ucb1", memory_mb=1)),
        Search(nine.initial(), HashEvaluator(81), SearchSettings(memory_mb=2)),
        Search(tic.initial(), None, SearchSettings(selection="ucb1", prove=False, memory_mb=1)),
    )
    for search in searches:
        assert search.run(Limit()) == FULL
        counters = search.snapshot().counters
        assert 0.85 * counters.bytes_budget <= counters.bytes_used <= counters.bytes_budget
        check(search)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the resident memory from /proc")
def test_a_tree_uses_memory_only_as_needed_and_frees_it():
    """malloc reuses blocks of up to 32 MiB, and a new tree began with the pages of the last one."""

    def resident():
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * mmap.PAGESIZE

    gc.collect()
    before = resident()
    for megabytes in (32, 64, 48, 32):
        tree = make_tree(9, megabytes << 20)
        assert resident() - before < 8 << 20
        for name in ("parent", "total", "edge_action", "edge_prior", "leaf", "leaf_value"):
            getattr(tree, name)[:] = 1
        assert resident() - before > megabytes << 20
        del tree
        assert resident() - before < 8 << 20


def test_a_budget_too_small_is_refused():
    with pytest.raises(ValueError, match="1000 bytes"):
        make_tree(225, 1000)


def test_a_root_with_edges_but_no_children_is_prepared():
    game = load_game("gomoku(size=7)")
    gumbel = SearchSettings(selection="gumbel", gumbel_considered=4, gumbel_simulations=16, memory_mb=16)
    search = run_search(game.initial(), HashEvaluator(49), 4, gumbel)
    tree, root = search.tree, search.root
    start = int(tree.child_start[root])
    children = tree.child[start : start + int(tree.num_children[root])]
    bare = [int(tree.action[n]) for n in children if tree.num_edges[n] > 0 and tree.num_children[n] == 0]
    search.advance(bare[0])
    search.run(Limit(simulations=17))
    assert sum(row.visits > 0 for row in search.snapshot().moves) == 4, "as many as gumbel considers"


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
    search = run_search(game.position(moves), UniformEvaluator(game.num_actions), 20000, memory_mb=64, **settings)
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
