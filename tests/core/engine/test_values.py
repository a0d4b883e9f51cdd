"""Exact oracles: the engine keeps the value of every tic-tac-toe class and plays the win it sees."""

import numba
import numpy as np
import pytest

from core.engine import Evaluator, Search, UniformEvaluator
from core.games import load_game
from core.glass.picture import picture_of
from core.search import Limit, SearchSettings
from tests.core import exact
from tests.core.search.fakes import HashEvaluator, run_search


def share_kept(evaluator, settings, simulations):
    kept, positions = 0, exact.unfinished_classes()[::1]
    for position in positions:
        search = run_search(position, evaluator, simulations, settings)
        kept += exact.keeps_value(position, search.best_action())
    return kept / len(positions)


@pytest.mark.slow
@pytest.mark.parametrize("prove", [True, False])
def test_puct_without_knowledge(prove):
    assert share_kept(UniformEvaluator(9), SearchSettings(prove=prove, memory_mb=2), 400) >= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("prove", [True, False])
def test_ucb1_with_rollouts(prove):
    settings = SearchSettings(selection="ucb1", prove=prove, memory_mb=2)
    assert share_kept(None, settings, 1000) >= (1.0 if prove else 0.995)


@pytest.mark.slow
def test_every_proof_is_true():
    proofs = 0
    for position in exact.unfinished_classes()[::1]:
        search = run_search(position, None, 300, selection="ucb1", memory_mb=2)
        for row in search.snapshot().moves:
            if row.proof:
                proofs += 1
                assert {"win": 1, "draw": 0, "loss": -1}[row.proof] == -exact.value(position.play(row.action))
    assert proofs > 1000


@pytest.mark.slow
def test_a_distance_is_exact_or_marked_as_an_upper_bound():
    """The first win that is found is kept, so a proof may be longer than it need be."""
    game = load_game("connectn(rows=3, cols=4, k=3)")
    known, exactly, longer = {}, 0, 0
    for seed in range(8):
        position = game.position(f"a1 {'abcd'[seed % 4]}2 {'bcda'[seed % 4]}3")
        search = run_search(position, HashEvaluator(12, 3.0 + seed), 400, max_batch=1, memory_mb=4)
        root, picture = search.snapshot().root, picture_of(search.tree, search.root, 100)
        rows = [(position.play(row.action), row.distance - 1, row.distance_at_most) for row in root.rows if row.proof]
        for place in np.flatnonzero((picture.proofs > 0) & ~picture.terminals).tolist():
            at = position
            for action in picture.path_of(place):
                at = at.play(action)
            rows.append((at, int(picture.distances[place]), bool(picture.distances_at_most[place])))
            assert place > 0 or rows[-1][1:] == (root.distance, root.distance_at_most)
        for after, distance, at_most in rows:
            least = exact.outcome(after, known)[1]
            assert least == distance or (at_most and least < distance)
            exactly, longer = exactly + (not at_most), longer + (least < distance)
    assert exactly > 100
    assert longer > 5


@pytest.mark.parametrize("evaluator", [None, UniformEvaluator(9)], ids=["rollouts", "net"])
@pytest.mark.parametrize("selection", ["puct", "ucb1", "ucb1_tuned", "gumbel", "flat"])
@pytest.mark.parametrize("prove", [True, False])
def test_the_win_in_one(evaluator, selection, prove):
    if selection == "flat" and evaluator is not None:
        pytest.skip("flat plays random games")
    settings = SearchSettings(selection=selection, prove=prove, memory_mb=2)
    search = run_search(load_game("tictactoe").position("0 3 1 4"), evaluator, 100, settings)
    snapshot = search.snapshot()
    assert snapshot.best == 2
    row = next(m for m in snapshot.moves if m.action == 2)
    # The end of the game needs no proof; without proofs it does not reach the position before it.
    assert (row.q, row.proof) == (1.0, "win")
    assert (snapshot.value == 1.0) == prove


@pytest.mark.parametrize("selection", ["ucb1", "ucb1_tuned", "puct"])
@pytest.mark.parametrize("prove", [True, False])
def test_nim_of_15_is_won_by_taking_3_with_every_seed(selection, prove):
    """The only move that leaves a multiple of four; with proofs it is known to be won, not only preferred."""
    settings = SearchSettings(selection=selection, prove=prove, memory_mb=4)
    for seed in range(2 if numba.config.DISABLE_JIT else 20):
        search = Search(load_game("nim").initial(), None, settings, seed)
        reason = search.run(Limit(simulations=10_000))
        snapshot = search.snapshot()
        assert snapshot.position.game.action_name(snapshot.best) == "3"
        if prove:
            assert (reason, snapshot.root.proof, snapshot.root.distance, snapshot.value) == ("proved", 1, 7, 1.0)
        else:
            assert (reason, snapshot.root.proof) == ("limit reached", 0)


def test_a_finished_game_has_nothing_to_search():
    search = Search(load_game("tictactoe").position("0 3 1 4 2"), None, SearchSettings(memory_mb=2))
    assert search.run(Limit(simulations=10)) == "game over"
    assert search.snapshot().best == -1


def test_an_invalid_answer_names_the_evaluator_and_leaves_the_tree_usable():
    class Broken(Evaluator):
        description = "broken.onnx on CPU"

        def evaluate(self, planes, features=None):
            logits, values = UniformEvaluator(9).evaluate(planes)
            return logits, values + float("nan")

    search = run_search(load_game("tictactoe").initial(), UniformEvaluator(9), 50, memory_mb=2)
    good, search.simulator.evaluator = search.evaluator, Broken()
    with pytest.raises(ValueError, match=r"broken\.onnx on CPU gave the value nan"):
        search.run(Limit(simulations=100))
    assert not search.tree.inflight[search.tree.slot[: int(search.tree.counts[0])]].any()
    search.simulator.evaluator = good
    search.run(Limit(simulations=100))
    assert search.simulations == 100
