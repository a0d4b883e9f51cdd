"""Hesitations, wrong stretches and explanations: scripted logs whose sentences are known, and a real search."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.engine import Search
from core.games import load_game
from core.glass.curves import BEGUN, Curves, Log
from core.glass.explain import explain, nodes_for
from core.glass.truth import find_truth, net_priors
from core.glass.turns import CHANGED, REFUTED, LogReader, find_turns
from core.search import Limit, SearchSettings
from core.solve import solve
from tests.core.search.fakes import HashEvaluator, run_search

NAMES = ("a", "b", "c", "d")


def log_of(parts):
    """Curves with a log: (edge, reply, value, times) parts; the sample is the end."""
    edges, replies, values = [], [], []
    for edge, reply, value, times in parts:
        edges += [edge] * times
        replies += [reply] * times
        values += [value] * times
    log = Log(np.array(edges, np.int16), np.array(replies, np.int16), np.array(values, np.float32))
    own = log.edges[log.edges >= 0]
    visits = np.bincount(own, minlength=2).astype(np.int32)
    count = int((log.edges > BEGUN).sum())
    return Curves(
        actions=np.array([0, 1], np.int16),
        simulations=np.array([count]),
        records=np.array([len(edges)]),
        visits=visits[None],
        qs=np.zeros((1, 2), np.float32),
        q=np.zeros(1, np.float32),
        nodes=np.ones(1, np.int64),
        ended=np.ones(1, np.int64),
        behind=0,
        exact=True,
        log=log,
    )


# a looks won for 101 simulations, then its reply d refutes it, and b overtakes it.
REFUTATION = ((-1, -1, 0.0, 1), (0, 2, 0.8, 100), (0, 3, -1.0, 60), (1, 2, 0.1, 300))


def test_a_refutation_and_the_change_after_it_are_found():
    refuted, changed = find_turns(log_of(REFUTATION), NAMES)
    assert (refuted.kind, refuted.before, refuted.after) == (REFUTED, 0, 3)
    assert refuted.begun <= 101 < refuted.simulation <= 2 * refuted.begun
    values = refuted.sentence.text.values
    assert values["q_before"] == pytest.approx(0.8, abs=1e-6)
    assert values["q"] == pytest.approx((80 - 60) / 160, abs=1e-6)
    assert (values["grown"], values["reply"], values["move"]) == (60, "d", "a")
    assert (changed.kind, changed.before, changed.after, changed.simulation) == (CHANGED, 0, 1, 1 + 160 + 161)
    assert str(changed.sentence.text) == (
        "After 322 simulations b has more visits than a: 161 to 160, Q +0.100 to +0.125."
    )


def test_short_turns_back_and_forth_are_not_told():
    back_and_forth = [(0, 2, 0.0, 40), (1, 2, 0.0, 41), (0, 2, 0.0, 2), (1, 2, 0.0, 200)]
    turns = find_turns(log_of(back_and_forth), NAMES)
    assert [turn.simulation for turn in turns] == [83 + 2]
    assert len(LogReader(log_of(back_and_forth).log, np.array([0, 1])).leaders) == 4


def test_simulations_begun_at_a_child_count_for_q_alone():
    curves = log_of([(0, 2, 1.0, 2), (BEGUN, 2, -1.0, 2), (0, 2, 1.0, 1)])
    reader = LogReader(curves.log, curves.actions)
    assert len(reader) == 3
    assert reader.at(0, 3).visits == 3
    assert reader.at(0, 3).q == pytest.approx(1 / 5)
    assert reader.at(0, 2).q == 1.0


def test_how_long_a_search_was_wrong_and_the_reply_it_had_not_seen():
    truth = find_truth(log_of(REFUTATION), {0: -1, 1: 0}, {0: 0.75, 1: 0.25}, NAMES)
    assert (truth.value, truth.wrong, truth.prior) == (0, (0,), 0.75)
    assert truth.right_from == 322
    assert truth.share == pytest.approx(160 / 460)
    assert str(truth.sentence.text) == "Right for good after 322 of 461 simulations."
    (stretch,) = truth.stretches
    assert (stretch.first, stretch.last, stretch.action) == (2, 322, 0)
    late = find_truth(
        log_of([(-1, -1, 0.0, 1), (0, 2, 0.8, 260), (0, 3, -1.0, 60), (1, 2, 0.1, 400)]), {0: -1, 1: 0}, {}, NAMES
    )
    assert math.isnan(late.prior)
    assert "it had hardly looked at the reply d, which had 60 of 320" not in str(late.stretches[0].sentence.text)


def test_wrong_moves_that_were_left_out_of_the_search_have_the_nets_prior():
    game = load_game("tictactoe")
    search = run_search(game.position("a3 b2"), HashEvaluator(game.num_actions), 100, only=(1, 2), memory_mb=16)
    priors = net_priors(search.snapshot().root)
    assert set(priors) == set(game.position("a3 b2").legal_actions())
    assert sum(priors.values()) == pytest.approx(1, abs=1e-3)
    truth = find_truth(search.curves(), dict.fromkeys(priors, -1) | {1: 0}, priors, game.action_names)
    assert truth.prior == pytest.approx(1 - priors[1], abs=1e-3)
    assert find_truth(search.curves(), dict.fromkeys(priors, -1) | {1: 0}, {1: 1.0}, game.action_names).prior == 0


def test_a_reply_seen_late_is_named():
    parts = [(0, 2, 0.5, 100), (1, 2, 0.4, 60), (0, 3, -1.0, 50), (1, 2, 0.4, 200)]
    truth = find_truth(log_of(parts), {0: -1, 1: 0}, {}, NAMES)
    (stretch,) = truth.stretches
    assert (stretch.first, stretch.last) == (1, 301)
    assert str(stretch.sentence.text) == (
        "Wrong from 1 to 301 simulations, longest with a, a loss: it had hardly looked at the reply d, which had "
        "0 of 100 visits after 151 simulations and has 50 of 150 now."
    )


@pytest.mark.parametrize(
    ("values", "right_from", "words"),
    [
        ({0: 0, 1: 0}, 0, "Every move is a draw"),
        ({0: 1, 1: -1}, -1, "The best move is wrong now, after 461 simulations: it gives away the win."),
        ({0: 0, 1: -1}, -1, "The best move is wrong now"),
    ],
)
def test_the_summary_of_the_truth(values, right_from, words):
    truth = find_truth(log_of(REFUTATION), values, {}, NAMES)
    assert truth.right_from == right_from
    assert str(truth.sentence.text).startswith(words)


@pytest.fixture(scope="module", params=["visits", "lcb"])
def search(request):
    game = load_game("connect4(rows=4, cols=5, k=3)")
    settings = SearchSettings(memory_mb=16, prove=False, final=request.param, c_puct=3.0)
    search = Search(game.initial(), HashEvaluator(game.num_actions), settings, 3)
    for n in range(1, 700, 23):
        search.run(Limit(simulations=n))
    return search


def test_the_best_moves_of_a_real_search_are_those_of_its_snapshots():
    game = load_game("connect4(rows=4, cols=5, k=3)")
    search = Search(game.initial(), HashEvaluator(game.num_actions), SearchSettings(memory_mb=16), 5)
    seen = {}
    for n in range(2, 400, 7):
        search.run(Limit(simulations=n))
        seen[search.simulations] = {row.action: row for row in search.snapshot().moves if row.visits}
    curves = search.curves()
    reader = LogReader(curves.log, curves.actions)
    assert len(reader) == search.simulations
    for n, rows in seen.items():
        edge = [edge for simulation, edge in reader.leaders if simulation <= n][-1]
        assert rows[int(curves.actions[edge])].visits == max(row.visits for row in rows.values())
        for place, action in enumerate(curves.actions.tolist()):
            moment = reader.at(place, n)
            assert moment.visits == (rows[action].visits if action in rows else 0)
            if action in rows:
                assert moment.q == pytest.approx(rows[action].q, abs=1e-6)


def test_every_figure_of_an_explanation_is_in_the_tree(search):
    """A link to a node leads to a row with that figure, one to a simulation to a moment with it."""
    curves = search.curves()
    reader = LogReader(curves.log, curves.actions)
    solution = solve(search.position)
    results = {move.action: (move.value, move.distance) for move in solution.moves}
    told = 0
    for action in search.position.legal_actions():
        snapshot = search.snapshot(nodes_for(search.snapshot(), action))
        rows = {(): snapshot.root.rows, **{path: node.rows for path, node in snapshot.opened.items()}}

        def row_at(path, rows=rows):
            return next(row for row in rows[path[:-1]] if row.action == path[-1])

        why = explain(snapshot, action, curves, results)
        for sentence in why.sentences:
            for name, link in sentence.links.items():
                value = sentence.text.values[name]
                if isinstance(link, int):
                    assert value == link <= search.simulations
                elif not link:
                    assert value == snapshot.root.visits_of.sum()
                else:
                    row = row_at(link) if link[:-1] in rows else None
                    if isinstance(value, str):
                        assert value == search.game.action_name(link[-1])
                    else:
                        figures = (row.visits, row.q, row.value, row.net_prior, row.distance, row.q - row.radius)
                        assert value in figures
                told += 1
            if {"first", "last"} <= sentence.links.keys():
                edge = curves.actions.tolist().index(action)
                values = sentence.text.values
                assert values["q_before"] == pytest.approx(reader.at(edge, values["first"]).q)
                assert values["q"] == pytest.approx(reader.at(edge, values["last"]).q)
        for line in (why.line, why.best_line):
            for ply, step in enumerate(line):
                row = row_at(step.path)
                assert (step.name, step.visits) == (row.name, row.visits)
                assert step.q == (row.q if ply % 2 == 0 else -row.q)
    assert told > 40


def test_a_move_without_visits_and_one_left_out():
    game = load_game("tictactoe")
    search = run_search(game.initial(), HashEvaluator(game.num_actions), 40, seed=1, only=(0, 4), memory_mb=16)
    snapshot = search.snapshot()
    assert str(explain(snapshot, 1).sentences[0].text) == f"{game.action_name(1)} is left out of the search."
    row = min(snapshot.moves, key=lambda one: one.visits)
    untried = replace(
        snapshot, root=replace(snapshot.root, visits_of=np.where(snapshot.root.actions == row.action, 0, 7))
    )
    words = str(explain(untried, row.action).sentences[0].text)
    assert words == f"The search has not tried {row.name}: none of 7 visits."
    with pytest.raises(ValueError, match="99 is no move of this position"):
        explain(snapshot, 99)


@pytest.mark.parametrize("final", ["visits", "mean", "lcb"])
def test_a_higher_q_is_explained_by_what_decides(final):
    game = load_game("connect4(rows=4, cols=5, k=3)")
    settings = SearchSettings(memory_mb=16, prove=False, final=final, lcb_share=0.9, c_puct=6.0)
    by_visits = by_bound = too_few = 0
    for seed in range(10):
        search = Search(game.initial(), HashEvaluator(game.num_actions, 1.0 + seed), settings)
        for simulations in range(10, 100, 10):
            search.run(Limit(simulations=simulations))
            snapshot = search.snapshot()
            rows = {row.action: row for row in snapshot.moves}
            best, most = rows[snapshot.best], max(row.visits for row in snapshot.moves)
            for row in rows.values():
                words = [str(sentence.text) for sentence in explain(snapshot, row.action).sentences]
                higher = next((text for text in words if ", above the " in text), "")
                if not higher:
                    continue
                assert row.q > best.q
                if "visits decide, not Q" in higher:
                    by_visits += 1
                    assert row.visits < best.visits
                elif "the lower bound of Q decides" in higher:
                    by_bound += 1
                    assert row.q - row.radius <= best.q - best.radius
                else:
                    too_few += 1
                    assert "too few visits" in higher
                    assert row.visits < 0.9 * most
    assert [bool(by_visits), bool(by_bound), bool(too_few)] == {
        "visits": [True, False, False],
        "mean": [False, False, False],
        "lcb": [False, True, True],
    }[final]


@pytest.mark.parametrize("evaluator", [HashEvaluator(9), None])
def test_an_exact_value_is_not_called_the_nets(evaluator):
    """A move that ends the game, which the net is not asked about."""
    position = load_game("tictactoe").position("a1 a2 b1 b2")
    search = run_search(position, evaluator, 150, memory_mb=16, prove=False)
    for row in search.snapshot().moves:
        words = " ".join(str(sentence.text) for sentence in explain(search.snapshot(), row.action).sentences)
        assert ("The net's own value" in words) == (evaluator is not None and row.name != "c1")


def test_a_value_proved_by_threats_is_not_called_the_nets():
    """Unless the first player stops the three in a row the second wins."""
    position = load_game("gomoku(size=7)").position("a1 c4 g1 d4 a7 e4")
    search = run_search(position, HashEvaluator(49), 150, memory_mb=16, threat_proofs=True)
    root = search.snapshot().root
    proved = {int(a) for a in root.actions[(root.proofs > 0) & ~root.expanded]}
    assert proved
    for row in search.snapshot().moves:
        words = " ".join(str(sentence.text) for sentence in explain(search.snapshot(), row.action).sentences)
        assert ("The net's own value" in words) == (row.visits > 0 and row.action not in proved)
