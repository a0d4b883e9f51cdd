"""Threats as settings of the search: proofs at leaves are true and keep their distance, priors lead to the point."""

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.games import load_game
from core.glass import history as history_module
from core.glass.history import History
from core.search import Limit, SearchSettings
from core.search.tree import NODES, RECORDS, backups_of
from core.solve import solve
from tests.core.search.fakes import HashEvaluator, run_search

# Black has an open three: c8 or g8 makes an open four, a win in five plies.
OPEN_THREE = "d8 a1 e8 o1 f8 a15"


def search_of(moves, net, simulations, **settings):
    game = load_game("gomoku")
    position = game.position(moves)
    chosen = SearchSettings(selection="puct" if net else "ucb1", memory_mb=32, **settings)
    search = run_search(position, UniformEvaluator(game.num_actions) if net else None, simulations, chosen, seed=3)
    return search.snapshot()


def test_proofs_by_threats_are_exact():
    game = load_game("gomoku(size=9)")
    settings = SearchSettings(threat_proofs=True, memory_mb=16)
    search = run_search(game.position("e5 a1 e6 a3 e7 a5"), UniformEvaluator(81), 300, settings)
    root = search.snapshot().root
    leaves = (root.proofs > 0) & ~root.expanded
    assert leaves.any()
    assert not root.distances_at_most[leaves].any()


@pytest.mark.parametrize("net", [True, False])
def test_an_open_three_is_seen_to_win(net):
    without = search_of(OPEN_THREE, net, 600)
    assert without.reason == "limit reached"
    snapshot = search_of(OPEN_THREE, net, 600, threat_proofs=True, threat_priors=True)
    assert snapshot.reason == "proved"
    assert snapshot.value == 1.0
    assert snapshot.position.game.action_name(snapshot.best) in {"c8", "g8"}
    assert next(m.distance for m in snapshot.moves if m.action == snapshot.best) <= 5


def test_priors_lead_to_the_four():
    plain = search_of(OPEN_THREE, True, 50)
    led = search_of(OPEN_THREE, True, 50, threat_priors=True)
    game = plain.position.game
    points = {game.parse_action("c8"), game.parse_action("g8")}
    assert sum(m.prior for m in plain.moves if m.action in points) < 0.02
    assert sum(m.prior for m in led.moves if m.action in points) > 0.3
    assert sum(m.prior for m in led.moves) == pytest.approx(1, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("net", [True, False])
@pytest.mark.parametrize("text", ["connectn(rows=4, cols=4, k=3)", "connect4(rows=4, cols=5, k=3)"])
def test_proofs_by_threats_are_the_exact_values(text, net):
    game = load_game(text)
    rng, proved = np.random.default_rng(1), 0
    while proved < 60:
        position = game.initial()
        for _ in range(int(rng.integers(2, 9))):
            if not position.is_over:
                position = position.play(int(rng.choice(position.legal_actions())))
        if position.is_over:
            continue
        chosen = SearchSettings(threat_proofs=True, memory_mb=4)
        search = run_search(position, HashEvaluator(game.num_actions) if net else None, 60, chosen)
        exact = solve(position)
        values = {m.action: m.value for m in exact.moves}
        for move in search.snapshot().moves:
            if move.proof:
                proved += 1
                assert {"win": 1, "draw": 0, "loss": -1}[move.proof] == values[move.action], position.diagram()


def test_history_repeats_proofs_by_threats():
    game = load_game("gomoku(size=7)")
    settings = SearchSettings(threat_proofs=True, memory_mb=16)
    search = run_search(game.position("d4 a1 d5 a3"), HashEvaluator(49), 700, settings)
    tree = search.tree
    past = History(tree, search.root_changes, search.settings.params()).seek(int(tree.counts[RECORDS]))
    live = tree.slot[: int(tree.counts[NODES])]
    assert past.visits[live].tolist() == tree.visits[live].tolist()
    assert past.proof[live].tolist() == tree.proof[live].tolist()
    assert past.total[live] == pytest.approx(tree.total[live])
    assert (tree.proof[live] != 0).any()


def test_a_leaf_proved_by_threats_is_expanded_as_root():
    game = load_game("gomoku")
    search = run_search(game.position(OPEN_THREE), None, 600, selection="ucb1", threat_proofs=True, memory_mb=32)
    search.advance(search.best_action())
    search.run(Limit(simulations=search.simulations + 300))
    assert search.snapshot().moves


def of_nodes(tree):
    """What is known of every node."""
    n = int(tree.counts[NODES])
    slots = tree.slot[:n]
    figures = (backups_of(tree, slots), tree.visits[slots], tree.total[slots], tree.proof[slots], tree.distance[slots])
    of_slots = [array.tolist() for array in figures]
    return n, [*of_slots, np.nan_to_num(tree.value[:n], nan=9.0).tolist(), tree.num_children[:n].tolist()]


@pytest.mark.parametrize("net", [True, False])
def test_every_moment_is_known_after_the_root_was_a_leaf_proved_by_threats(monkeypatch, net):
    monkeypatch.setattr(history_module, "FIRST_GAP", 16)
    monkeypatch.setattr(history_module, "RESTORED", 1 << 30)
    game = load_game("connect4(rows=4, cols=5, k=3)")
    chosen = SearchSettings(threat_proofs=True, memory_mb=16, max_batch=1, selection="puct" if net else "ucb1")
    search = Search(game.initial(), HashEvaluator(5) if net else None, chosen, seed=1)
    start, moments = search.position, {}

    def look():
        moments[int(search.tree.counts[RECORDS])] = of_nodes(search.tree)

    search.run(Limit(simulations=40))
    look()
    tree = search.tree
    leaves = [n for n in range(int(tree.counts[NODES])) if tree.threats[n]]
    assert leaves
    for leaf in leaves[:3]:
        path, node = [], leaf
        while node:
            path.append(int(tree.action[node]))
            node = int(tree.parent[node])
        slot = int(tree.slot[leaf])
        by_threats = (int(tree.proof[slot]), int(tree.distance[slot]))
        position = game.position(" ".join(game.action_name(a) for a in reversed(path)))
        for way in ("leaf", "top", "leaf", "below", "leaf", "top"):
            if way == "below":
                search.advance(search.best_action())
            else:
                assert search.go_to(position if way == "leaf" else start)
            look()
            if way != "leaf":
                slot = int(tree.slot[leaf])
                assert (tree.proof[slot], tree.distance[slot]) == by_threats
            for more in (1, 3, 20):
                search.run(Limit(simulations=search.simulations + more))
                look()
            rows = search.snapshot().moves
            assert rows or way == "below"
            curves = search.curves()
            last = dict(zip(curves.actions.tolist(), curves.qs[-1].tolist(), strict=True))
            assert last == {row.action: pytest.approx(row.q, abs=1e-6) for row in rows if row.visits}
    history = History(tree, search.root_changes, search.settings.params())
    rng, records = np.random.default_rng(0), list(moments)
    for record in (*reversed(records), *rng.permutation(records).tolist(), *records):
        n, figures = moments[record]
        past = history.seek(record)
        shown = of_nodes(past._replace(counts=tree.counts))[1]
        assert [column[:n] for column in shown] == figures, record


def test_games_without_lines_are_searched_as_before():
    for text in ("nim", "othello(size=4)"):
        game = load_game(text)
        trees = []
        for threats in (False, True):
            chosen = SearchSettings(selection="ucb1", threat_proofs=threats, threat_priors=threats, memory_mb=16)
            search = run_search(game.initial(), None, 300, chosen, seed=1)
            trees.append([(m.action, m.visits, m.q) for m in search.snapshot().moves])
        assert trees[0] == trees[1]
