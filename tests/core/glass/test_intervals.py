"""Each rule's intervals against its definition, computed again from the rows of real searches."""

import json
import math

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass.intervals import intervals
from core.glass.leaf_values import leaf_values
from core.search import Limit, SearchSettings
from models.commands.program import main
from tests.core.search.fakes import HashEvaluator

GAME = load_game("connect4(rows=4, cols=5, k=3)")


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
        assert one is not None
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
        assert one is not None
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
