"""Worse moves, intervals and leaf values, counted again in plain Python, and what a notebook shows."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator
from core.games import load_game
from core.glass import leaf_values as counting
from core.glass.intervals import intervals
from core.glass.leaf_values import leaf_values
from core.glass.truth import find_truth, net_priors
from core.glass.worse import find_worse, worse_curves
from core.search import Limit, SearchSettings
from core.search.tree import RECORDS, node_at
from core.solve import Solver
from models.commands.program import main
from tests.core.search.fakes import HashEvaluator, run_search

GAME = load_game("connect4(rows=4, cols=5, k=3)")
EXACT = {"win": 1.0, "draw": 0.0, "loss": -1.0}


def searched(simulations: int, net: bool = True, moves: str = "c", **given: object) -> Search:
    settings = SearchSettings(memory_mb=16, selection="puct" if net else "ucb1", **given)  # type: ignore[arg-type]
    return run_search(GAME.position(moves), HashEvaluator(GAME.num_actions) if net else None, simulations, settings)


@pytest.mark.parametrize("simulations", [3, 30, 400])
@pytest.mark.parametrize("threshold", [0.02, 0.1, 0.5])
def test_worse_moves_are_those_of_the_rows(simulations: int, threshold: float) -> None:
    root = searched(simulations).snapshot().root
    found = find_worse(root, threshold=threshold)
    values = {row.action: EXACT[row.proof] if row.proof else row.q for row in root.rows if row.backups or row.proof}
    best = values[root.best_action]
    rows = [row for row in root.rows if row.action in values and best - values[row.action] >= threshold - 1e-6]
    assert set(found.actions) == {row.action for row in rows}
    assert found.prior == pytest.approx(math.fsum(row.net_prior for row in rows), abs=1e-7)
    assert found.share == pytest.approx(sum(row.share for row in rows))
    unseen = [row.net_prior for row in root.rows if row.action not in values]
    assert found.unknown == pytest.approx(math.fsum(unseen), abs=1e-7)


def test_exact_results_say_the_same_as_the_truth() -> None:
    search = searched(300, prove=False, moves="a b")
    solution = Solver(GAME).solve(search.position, seconds=20.0)
    values = {move.action: move.value for move in solution.moves if move.value is not None}
    root, curves = search.snapshot().root, search.curves()
    truth = find_truth(curves, values, net_priors(root), GAME.action_names)
    found = find_worse(root, values)
    assert truth.wrong
    assert sorted(found.actions) == list(truth.wrong)
    assert (found.prior, found.share) == pytest.approx((truth.prior, truth.share))
    assert found.unknown == 0.0


def test_curves_end_where_the_search_is() -> None:
    search = searched(500, prove=False)
    root, curves = search.snapshot().root, search.curves()
    found, over_time = find_worse(root), worse_curves(curves, net_priors(root))
    assert found.actions
    assert over_time.prior[-1] == pytest.approx(found.prior, abs=1e-6)
    assert over_time.share[-1] == pytest.approx(found.share)
    assert len(over_time.prior) == len(curves.simulations)
    assert (over_time.prior <= 1.0 + 1e-6).all()


def test_without_a_net_there_is_no_prior() -> None:
    search = searched(200, net=False)
    found = find_worse(search.snapshot().root)
    assert math.isnan(found.prior)
    assert math.isnan(found.unknown)
    assert 0.0 <= found.share < 1.0
    assert find_worse(searched(1).snapshot().root) is None


BINS = 8


def found(search, node, records):
    """The values by going up from each leaf."""
    tree, values = search.tree, []
    for i in range(records):
        at, value = int(tree.leaf[i]), float(tree.leaf_value[i])
        while at > node:
            at, value = int(tree.parent[at]), -value
        if at == node:
            values.append(value)
    return np.array(values)


@pytest.mark.parametrize("few", [0, 1 << 20], ids=["from the leaves up", "from the node down"])
@pytest.mark.parametrize("net", [True, False])
def test_counts_are_those_of_the_records(monkeypatch, few, net):
    monkeypatch.setattr(counting, "FEW", few)
    game = load_game("connect4(rows=4, cols=5, k=3)")
    search = run_search(game.initial(), HashEvaluator(5) if net else None, 700, memory_mb=16, prove=False)
    if few:
        monkeypatch.setattr(counting, "FEW", int(search.tree.counts[RECORDS]) - 1)
    row = search.snapshot().moves[0]
    for path in ((), row.pv[:1], row.pv[:2]):
        node = node_at(search.tree, search.root, path)
        for records in (None, 300):
            values = found(search, node, 700 if records is None else records)
            told = counting.leaf_values(search.tree, node, BINS, records)
            assert told.simulations == len(values)
            assert told.mean == pytest.approx(values.mean())
            places = np.minimum(((values + 1) / 2 * BINS).astype(int), BINS - 1)
            assert told.counts.tolist() == np.bincount(places, minlength=BINS).tolist()
    whole = counting.leaf_values(search.tree, search.root, BINS)
    assert (whole.of, whole.mean) == (700, pytest.approx(search.snapshot().root.q, abs=1e-6))


def test_a_long_search_is_sampled(monkeypatch):
    monkeypatch.setattr(counting, "MOST", 100)
    monkeypatch.setattr(counting, "FEW", 10)
    search = run_search(load_game("connect4").initial(), HashEvaluator(7), 1000, memory_mb=16)
    told = counting.leaf_values(search.tree, search.root, BINS)
    assert (told.simulations, told.of) == (100, 1000)


def by_rule(rule: str, simulations: int = 400, moves: str = "", **given: object) -> Search:
    chosen = {"prove": False, **given}
    net = HashEvaluator(GAME.num_actions) if rule in ("puct", "gumbel") else None
    search = Search(GAME.position(moves), net, SearchSettings(memory_mb=16, selection=rule, **chosen))  # type: ignore[arg-type]
    search.run(Limit(simulations=simulations))
    return search


@pytest.mark.parametrize("rule", ["ucb1", "ucb1_tuned"])
def test_bandits_have_their_bonus(rule: str) -> None:
    root = by_rule(rule, c_ucb=0.4).snapshot().root
    found = dict(zip(root.actions.tolist(), intervals(root), strict=True))
    for row in root.rows:
        one = found[row.action]
        assert one is not None
        assert one == pytest.approx((max(-1.0, row.q - row.u), min(1.0, row.q + row.u)))
        if rule == "ucb1":
            # Hoeffding: exp(-2 N r^2) for values in [0, 1], of which U is twice the radius r
            wrong = math.exp(-2 * row.visits * (row.u / 2) ** 2)
            assert wrong == pytest.approx(400 ** (-2 * 0.4**2), rel=1e-3)


def test_games_of_flat_search_have_wilsons_interval() -> None:
    root = by_rule("flat", flat_games=80).snapshot().root
    for row, one in zip(root.rows, sorted_by(root, intervals(root)), strict=True):
        p, n, z = (row.q + 1) / 2, row.visits, 1.96
        for end in ((one.low + 1) / 2, (one.high + 1) / 2):
            assert abs(end - p) == pytest.approx(z * math.sqrt(end * (1 - end) / n), rel=1e-3)
        assert -1 <= one.low < row.q < one.high <= 1


def sorted_by(root: object, found: tuple) -> list:
    by_action = dict(zip(root.actions.tolist(), found, strict=True))  # type: ignore[attr-defined]
    return [by_action[row.action] for row in root.rows]  # type: ignore[attr-defined]


def test_the_lower_bound_is_the_one_that_chooses_the_move() -> None:
    root = by_rule("puct", final="lcb", lcb_z=1.0).snapshot().root
    for row, one in zip(root.rows, sorted_by(root, intervals(root)), strict=True):
        assert row.q - one.low == pytest.approx(min(row.radius, row.q + 1.0), abs=1e-6)


@pytest.mark.parametrize("rule", ["puct", "gumbel"])
def test_without_sums_of_squares_the_records_have_the_spread(rule: str) -> None:
    search, kept = by_rule(rule), by_rule(rule, final="lcb")
    root, with_squares = search.snapshot().root, kept.snapshot().root
    assert root.visits_of.tolist() == with_squares.visits_of.tolist()
    assert intervals(root) == (None,) * len(root.actions)
    spreads = leaf_values(search.tree, search.root, 21).spreads
    found, expected = intervals(root, spreads), intervals(with_squares)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, abs=1e-6)
    assert intervals(root, spreads[:1])[1:] == (None,) * (len(root.actions) - 1)


def test_a_proof_is_exact_and_a_move_without_visits_has_none() -> None:
    search = by_rule("puct", 60, "a b a b", prove=True)
    root = search.snapshot().root
    spreads = leaf_values(search.tree, search.root, 21).spreads
    exact = {"win": 1.0, "draw": 0.0, "loss": -1.0}
    proved = 0
    for row, one in zip(root.rows, sorted_by(root, intervals(root, spreads)), strict=True):
        if row.proof:
            proved += 1
            assert one == (exact[row.proof], exact[row.proof])
        else:
            assert (one is None) == (row.visits == 0)
    assert proved
    fresh = by_rule("puct", 2).snapshot().root
    assert any(one is None for one in intervals(fresh, np.zeros(len(fresh.actions))))


def test_analyze_gives_them_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", GAME.text, "--net", "uniform", "--simulations", "200", "--no-prove", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    for row in data["moves"]:
        found = data["intervals"][row["name"]]
        assert (found is None) == (row["visits"] == 0)
        assert found is None or found[0] <= row["q"] <= found[1]


def test_a_snapshot_is_shown_with_the_figures_of_its_moves() -> None:
    game = load_game("tictactoe")
    search = run_search(game.position("b2"), UniformEvaluator(game.num_actions), 60, seed=3)
    snapshot = search.snapshot()
    page = snapshot._repr_html_()
    assert "O to move" in page
    assert page.count("<tr>") == 1 + len(snapshot.moves)
    for move in snapshot.moves:
        assert f"<b>{move.name}</b>" in page
        assert f">{move.visits}<" in page
    assert f"{snapshot.simulations} simulations" in page


def test_of_many_moves_the_rest_is_counted() -> None:
    game = load_game("gomoku(size=9)")
    search = run_search(game.initial(), UniformEvaluator(game.num_actions), 20, seed=3)
    page = search.snapshot()._repr_html_()
    assert "and 69 more" in page
