"""Endings solved exactly: right in every move, shown, cancelled, left and kept, and exact in a game's report."""

import random
from dataclasses import replace

import numpy as np
import pytest

from core.engine import Search, UniformEvaluator, set_aside
from core.engine.look_back import ENDED, PROOF, LookBack
from core.engine.review import EXACT_EMPTIES, evaluate
from core.engine.set_aside import SetAside
from core.files.tree_export import tree_bytes
from core.files.tree_file import dump_tree, load_tree, saved
from core.games import load_game
from core.glass.curves import CurveMaker
from core.glass.explain import explain
from core.glass.picture import picture_of
from core.glass.review import make_report
from core.glass.snapshot import PROVED
from core.search import Limit, SearchSettings
from core.solve import Solver
from core.solve.solver import empty_cells, instant_empties, quick_empties

SETTINGS = SearchSettings(exact_empties=7, memory_mb=8, max_batch=1)


def a_search(position, net=True, settings=SETTINGS, **more):
    evaluator = UniformEvaluator(position.game.num_actions) if net else None
    return Search(position, evaluator, settings if net else replace(settings, selection="ucb1"), **more)


def late(game, rng, empties):
    """A random position, not over, with a choice of moves and at most ``empties`` empty cells."""
    while True:
        position = game.initial()
        while not position.is_over and empty_cells(position) > empties:
            position = position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over and len(position.legal_actions()) > 1:
            return position


def plain(position, counted, known):
    """What a position is worth to the side to move by trying everything: in discs, or as win, draw and loss."""
    if position not in known:
        if position.is_over:
            result = position.returns[position.to_move]
            loser = int(
                np.count_nonzero(position.cells() == (1 + position.to_move if result < 0 else 2 - position.to_move))
            )
            # Empty cells are the winner's.
            known[position] = result * (position.cells().size - 2 * loser) if counted else result
        else:
            nexts = [position.play(action) for action in position.legal_actions()]
            known[position] = max(-plain(after, counted, known) for after in nexts)
    return known[position]


@pytest.mark.slow
@pytest.mark.parametrize("net", [True, False])
@pytest.mark.parametrize("name", ["othello(size=4)", "othello(size=4, passes=no)", "connect4(rows=4, cols=4)"])
def test_every_move_of_an_ending_is_right(name, net):
    """Beside a solver that tries everything: each move's proof, its discs, the value, and the move that is played."""
    game, rng = load_game(name), np.random.default_rng(5)
    counted, seen = name.startswith("othello"), set()
    for _ in range(12):
        position = late(game, rng, 6)
        known = {}
        search = a_search(position, net)
        assert search.run(Limit(simulations=1)) == PROVED, "before the limit counts"
        found = search.snapshot()
        worth = {action: -plain(position.play(action), counted, known) for action in position.legal_actions()}
        assert {row.action: row.proof for row in found.moves} == {
            action: {1: "win", 0: "draw", -1: "loss"}[int(np.sign(value))] for action, value in worth.items()
        }
        best = max(worth.values())
        assert worth[found.best] == best
        assert found.value == np.sign(best)
        assert found.root.solved
        seen.add(int(np.sign(best)))
        if counted:
            assert found.root.discs == worth
            assert found.root.most_discs == best
        else:
            assert found.root.discs == {}
    assert len(seen) > 1


@pytest.mark.parametrize("name", ["othello(size=6)", "connect4(rows=5, cols=5)"])
def test_results_agree_with_the_solver_to_the_end_of_the_game(name):
    """Also where the root moves on, whichever move is played; in Connect Four with the plies."""
    game, rng = load_game(name), np.random.default_rng(2)
    solver = Solver(game)
    search = a_search(game.initial(), settings=replace(SETTINGS, exact_empties=9))
    for _ in range(2):
        position = late(game, rng, 9)
        while not position.is_over:
            search.go_to(position)
            search.run(Limit(simulations=5))
            found, exact = search.snapshot(), solver.solve(position)
            assert found.best in exact.best
            assert found.value == exact.value
            for move in exact.moves:
                row = next(row for row in found.moves if row.action == move.action)
                assert (row.discs, row.visits) == (move.score, 1)
                if move.distance is not None and move.value != 0:
                    assert row.distance == move.distance
            if exact.distance is not None and exact.value != 0:
                assert found.root.distance == exact.distance
            position = position.play(int(rng.choice(position.legal_actions())))
        search.go_to(position)
        assert search.run(Limit(simulations=5)) == "game over"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["othello(size=4)", "othello(size=4, passes=no)"])
def test_plies_that_are_not_known_are_not_shown(name):
    """Where discs decide, the solver counts no plies: the empty cells left are none, as players pass or cannot move."""
    game, rng, ended = load_game(name), np.random.default_rng(5), 0
    for _ in range(30):
        position = late(game, rng, int(rng.integers(2, 5)))
        search = a_search(position)
        search.run(Limit(simulations=1))
        found, picture = search.snapshot(), picture_of(search.tree, search.root, 100)
        ends = {action: position.play(action).is_over for action in position.legal_actions()}
        ended += sum(ends.values())
        assert {row.action: row.distance for row in found.moves} == {action: int(end) for action, end in ends.items()}
        assert not any(row.distance_at_most for row in found.moves)
        now = any(ends.values()) and found.root.distance == 1  # the game may end by this move
        assert found.root.distance_at_most is False
        assert found.root.distance == now
        assert picture.distances.tolist() == [int(now), *[0] * len(ends)]
        assert not picture.distances_at_most.any()
        for row in found.moves:
            words = [str(sentence.text) for sentence in explain(found, row.action).sentences]
            plies = " in 1 ply" if ends[row.action] else ""
            assert f"The search has proved {row.name} a {row.proof}{plies}." in words
        again = a_search(position, settings=replace(SETTINGS, exact_empties=0))
        again.load_state(load_tree(dump_tree(saved(search))).state)
        loaded = again.snapshot()
        shown = [{row.action: (row.proof, row.distance) for row in of.moves} for of in (loaded, found)]
        assert shown[0] == shown[1]
        assert (loaded.root.proof, loaded.root.distance) == (found.root.proof, found.root.distance)
        again.advance(found.best)
        again.go_to(position)
        assert again.snapshot().root.distance == now
        exported = tree_bytes(saved(search), ".csv").decode().splitlines()
        names = exported[0].split(",")
        assert {line.split(",")[names.index("distance")] for line in exported[1:]} <= {"0", "1"}
    assert ended or name == "othello(size=4)"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("gomoku(size=5)", SETTINGS),
        ("othello(size=4)", replace(SETTINGS, prove=False)),
        ("othello(size=4)", replace(SETTINGS, exact_empties=0)),
        ("othello(size=4)", replace(SETTINGS, exact_empties=5)),
    ],
)
def test_elsewhere_the_search_is_as_it_was(name, settings):
    """In games without a quick solver, without proofs, switched off, and with more empty cells."""
    game, rng = load_game(name), np.random.default_rng(1)
    position = late(game, rng, 7)
    searches = [a_search(position, settings=one) for one in (settings, replace(settings, exact_empties=0))]
    for search in searches:
        search.run(Limit(simulations=40))
    one, other = (search.snapshot() for search in searches)
    assert not one.root.solved
    assert [(row.action, row.visits, row.q) for row in one.moves] == [
        (row.action, row.visits, row.q) for row in other.moves
    ]


def test_it_asks_for_no_more_than_is_quick():
    assert [quick_empties(load_game(name)) for name in ("othello", "connect4", "gomoku")] == [16, 30, 0]
    assert [instant_empties(load_game(name)) for name in ("othello", "connect4", "gomoku")] == [12, 24, 0]
    game = load_game("othello")
    search = a_search(late(game, np.random.default_rng(0), 18), settings=replace(SETTINGS, exact_empties=28))
    assert search.endings.holds(late(game, np.random.default_rng(0), 16))
    assert not search.endings.holds(search.position)


def test_a_stopped_solver_leaves_the_search_as_it_was():
    position = late(load_game("othello(size=4)"), np.random.default_rng(3), 6)
    search = a_search(position)
    assert search.run(Limit(simulations=50), should_stop=lambda: True) == "stopped"
    assert search.simulations == 0
    while search.simulations < 12:  # without the time to solve it is searched
        assert search.step(12, stop_solving=lambda: True) in ("", "limit reached")
    assert not search.snapshot().root.solved
    assert search.run(Limit(simulations=40)) == PROVED
    assert search.simulations == 1 + len(position.legal_actions())
    assert search.snapshot().root.solved


def test_only_some_moves_are_solved_where_only_those_are_searched():
    position = late(load_game("othello(size=6)"), np.random.default_rng(4), 7)
    exact = Solver(position.game).solve(position)
    worst = min(exact.moves, key=lambda move: move.score)
    search = a_search(position, only=[worst.action])
    search.run(Limit(simulations=9))
    found = search.snapshot()
    assert found.root.discs == {worst.action: worst.score}
    assert found.value == worst.value


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_noise_and_merged_moves_fit_the_order_by_worth(selection):
    """Priors and those of the net stay those of their moves when the best move comes first."""
    game = load_game("othello(size=4)")
    settings = replace(
        SETTINGS, exact_empties=12, selection=selection, noise_epsilon=0.25, merge_symmetric=True, root_symmetries=True
    )
    search = a_search(game.initial(), settings=settings)
    search.run(Limit(simulations=30))
    found = search.snapshot()
    assert found.reason == PROVED
    assert [len(row.same) for row in found.moves] == [3]
    assert found.moves[0].net_prior == pytest.approx(1.0, abs=1e-3)
    position = late(game, np.random.default_rng(8), 7)
    searches = [a_search(position, settings=one) for one in (settings, replace(settings, exact_empties=0))]
    for search in searches:
        search.run(Limit(simulations=1))
    one, other = ({row.action: (row.prior, row.net_prior) for row in search.snapshot().moves} for search in searches)
    assert one == other


def test_every_earlier_moment_is_there_and_files_keep_the_proofs():
    game, rng, results = load_game("connect4(rows=4, cols=4)"), np.random.default_rng(5), set()
    kinds = set()
    for net in (True, False):
        for _ in range(8):
            position = late(game, rng, 7)
            search = a_search(position, net)
            search.run(Limit(simulations=5))
            found = search.snapshot()
            results |= {row.proof for row in found.moves}
            back = LookBack(search)
            assert len(back) == search.simulations
            for simulation in (search.simulations, 1, search.simulations - 1, 2, search.simulations):
                past = back.past(simulation).snapshot
                assert past.simulations == simulation
                tried = [row for row in past.moves if row.visits]
                assert all(row.proof for row in tried)
            assert [row.proof for row in past.moves] == [row.proof for row in found.moves]
            assert past.root.proof == found.root.proof
            if net:
                kinds.add(back.past(2).playout.kind)
            again = a_search(position, net)
            again.load_state(load_tree(dump_tree(saved(search))).state)
            assert again.run(Limit(simulations=99)) == PROVED
            loaded = again.snapshot()
            assert (loaded.best, loaded.value) == (found.best, found.value)
            assert [row.proof for row in loaded.moves] == [row.proof for row in found.moves]
            curves = CurveMaker(game.num_actions)
            read = curves.curves(search.tree, search.root, search.root_changes, search.params, 1)
            assert len(read.actions) == len(position.legal_actions())
    assert results == {"win", "draw", "loss"}
    assert kinds == {PROOF, ENDED}


def test_a_large_tree_is_set_aside_for_an_ending_and_found_again(monkeypatch):
    monkeypatch.setattr(set_aside, "LEAST_NODES", 10)
    before = late(load_game("othello(size=6)"), np.random.default_rng(6), 8)
    search, aside = a_search(before), SetAside()
    rest = (search.evaluator, search.settings, 0)
    search.run(Limit(simulations=200))
    assert not search.snapshot().root.solved
    ending = before.play(search.best_action())
    other = aside.move(search, 0, ending, rest)
    assert other is not search
    other.run(Limit(simulations=200))
    assert other.snapshot().root.solved
    again = aside.move(other, 0, before, rest)
    assert again is search
    assert again.simulations == 200


def test_the_report_of_a_small_game_is_exact_in_discs() -> None:
    game, rng = load_game("othello(size=4)"), random.Random(3)
    positions = [game.initial()]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_actions())))
    assert np.count_nonzero(positions[0].cells() == 0) <= EXACT_EMPTIES
    found = {position: evaluate(position, None, SearchSettings(), 1, lambda: False) for position in positions}
    made = make_report(positions, found.get, ("X", "O"), ("first", "second"))
    assert made.by_points
    assert all(made.exact)
    discs = positions[-1].cells()
    ahead, empty = (np.count_nonzero(discs == 1) - np.count_nonzero(discs == 2)), np.count_nonzero(discs == 0)
    assert made.leads[-1] == ahead + np.sign(ahead) * empty
    solver = Solver(game)
    for position, move in zip(positions[:-1], made.moves, strict=True):
        solution = solver.solve(position)
        assert solution.score is not None
        scores = {one.action: one.score for one in solution.moves}
        played = scores[positions[move.ply + 1].last_action]
        assert played is not None
        assert (move.lead, move.points) == (played, solution.score - played)
        assert move.best_lead == solution.score
    best = found[positions[0]]
    line = positions[0]
    for action in best.pv:
        line = line.play(action)
    assert line.is_over
    end = evaluate(line, None, SearchSettings(), 1, lambda: False)
    assert end.lead * (1 if line.to_move == positions[0].to_move else -1) == best.lead


def test_a_stopped_solution_gives_no_figures() -> None:
    assert evaluate(load_game("othello(size=4)").initial(), None, SearchSettings(), 1, lambda: True) is None
