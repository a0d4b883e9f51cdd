"""Games of OpenSpiel, and ours beside its."""

import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.engine import Evaluator, Search, UniformEvaluator
from core.games import GameSpec, dispatch, load_game
from core.games.dispatch import ONGOING
from core.games.net_inputs import inputs_of
from core.games.openspiel_state import RULES
from core.glass.redo import random_moves
from core.rng import make_rng
from core.search import Limit, SearchSettings
from core.search.tree import NODES
from core.solve import Solver, refusal
from tests.core.search.fakes import run_search
from tests.tiers import slow_but

pyspiel = pytest.importorskip("pyspiel")


class Weighed(Evaluator):
    """An evaluator that is a fixed function of the planes."""

    description = "fixed"

    def __init__(self, game: GameSpec) -> None:
        rng = np.random.default_rng(7)
        self._weights = rng.normal(size=(game.num_planes * game.num_cells, game.num_actions + 1))

    def evaluate(self, planes: np.ndarray, features: object = None) -> tuple[np.ndarray, ...]:
        found = planes.reshape(len(planes), -1) @ self._weights
        return found[:, :-1].astype(np.float32), np.tanh(found[:, -1]).astype(np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("weighed", [True, False])
def test_the_search_is_that_of_the_compiled_game(weighed):
    trees = []
    for text in ("connect4", "openspiel(connect_four)"):
        game = load_game(text)
        evaluator = Weighed(game) if weighed else UniformEvaluator(game.num_actions)
        # Batches of one: what a larger one holds depends on which positions the cache still has.
        search = run_search(game.position("d d c"), evaluator, 300, seed=5, max_batch=1, memory_mb=64)
        trees.append((search.state().tree, [(row.name, row.visits, row.q, row.pv) for row in search.snapshot().moves]))
    (own, own_rows), (theirs, their_rows) = trees
    assert own_rows == their_rows
    nodes = int(own.counts[NODES])
    assert nodes == theirs.counts[NODES]
    for name in ("parent", "slot", "action", "num_edges", "num_children", "value"):
        assert np.array_equal(getattr(own, name)[:nodes], getattr(theirs, name)[:nodes]), name
    for name in ("visits", "total", "proof", "distance"):
        assert np.array_equal(getattr(own, name)[:nodes], getattr(theirs, name)[:nodes]), name


def test_planes_and_cells_are_those_of_the_compiled_game():
    for own, theirs, moves in (
        ("connect4", "openspiel(connect_four)", "d d c a d"),
        ("othello", "openspiel(othello)", [19, 18, 26]),
    ):
        a, b = load_game(own).initial(), load_game(theirs).initial()
        line = [a.game.parse_action(move) for move in moves.split()] if isinstance(moves, str) else moves
        for action in line:
            a, b = a.play(action), b.play(action)
            assert np.array_equal(a.cells(), b.cells())
            assert np.array_equal(a.planes(), b.planes())
            assert a.legal_actions() == b.legal_actions()


@pytest.mark.parametrize(
    "name",
    [
        "amazons",
        "breakthrough",
        "checkers",
        "chess",
        "clobber",
        "connect_four(rows=4,columns=5)",
        "dots_and_boxes",
        "go(board_size=5)",
        "hex(board_size=5)",
        "hex(board_size=4,swap=true)",
        "mancala",
        "misere(game=tic_tac_toe())",
        "nim",
        "othello",
        "oware",
        "ultimate_tic_tac_toe",
        "y(board_size=5)",
    ],
)
def test_random_lines_agree_with_openspiel(name):
    game, theirs, rng = load_game(f"openspiel({name})"), pyspiel.load_game(name), random.Random(3)
    first = theirs.new_initial_state().current_player()
    assert load_game(game.text) == game
    state, position = theirs.new_initial_state(), game.initial()
    for _ in range(150):
        assert position.is_over == state.is_terminal()
        if position.is_over:
            break
        assert position.diagram()
        if state.current_player() ^ first != position.to_move:  # the other player waits
            assert position.legal_actions() == (game.num_actions - 1,)
            position = position.play(game.num_actions - 1)
            continue
        assert list(position.legal_actions()) == state.legal_actions()
        if game.board.text is not None:
            tensor = position.planes().ravel()
            assert np.array_equal(tensor, np.float32(state.observation_tensor(state.current_player())))
        else:
            shown = inputs_of(position, game.encodings[1]).planes.ravel()
            assert np.array_equal(shown, np.float32(state.observation_tensor(state.current_player())))
        action = rng.choice(state.legal_actions())
        assert game.parse_action(game.action_name(action)) == action
        state.apply_action(action)
        position = position.play(action)
    if position.is_over:
        gain = state.returns()[first]
        assert position.returns == (np.sign(gain), -np.sign(gain))


def test_whoever_begins_is_the_first_player():
    state, position = pyspiel.load_game("chess").new_initial_state(), load_game("openspiel(chess)").initial()
    for move in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]:
        action = state.string_to_action(move)
        state.apply_action(action)
        position = position.play(action)
    assert position.returns == (1, -1)


@pytest.mark.slow
def test_tic_tac_toe_is_played_perfectly():
    game, own = load_game("openspiel(tic_tac_toe)"), load_game("tictactoe")
    rng, solver, known = random.Random(1), Solver(game), Solver(own)
    for _ in range(5):
        a, b = game.initial(), own.initial()
        for _ in range(rng.randrange(2, 6)):
            if not b.is_over:
                action = rng.choice(b.legal_actions())
                a, b = a.play(action), b.play(action)
        mine, right = solver.solve(a), known.solve(b)
        assert mine.value == right.value
        assert {move.action: move.value for move in mine.moves} == {move.action: move.value for move in right.moves}
        search = Search(a, None, SearchSettings(threads=1, memory_mb=16), seed=2)
        search.run(Limit(simulations=20_000))  # to a proof
        if not a.is_over:
            best = {move.action for move in right.moves if move.value == right.value}
            assert search.best_action() in best


def test_searches_without_cells():
    for text in ("openspiel(breakthrough(rows=4,columns=4))", "openspiel(dots_and_boxes)", "openspiel(amazons)"):
        position = load_game(text).initial()
        for evaluator in (None, UniformEvaluator(position.game.num_actions)):
            search = run_search(position, evaluator, 60, threads=1, memory_mb=64)
            rows = search.snapshot().moves
            assert {row.action for row in rows} == set(position.legal_actions())
            assert sum(row.visits for row in rows) >= 59
        assert "no exact solver" in str(refusal(position))


@pytest.mark.parametrize("name", ["connect_four", "dots_and_boxes", "tic_tac_toe"])
def test_a_random_game_can_be_shown_move_by_move(name):
    position = load_game(f"openspiel({name})").initial()
    rng = make_rng(4)
    moves = random_moves(position, rng)
    for action in moves:
        assert not position.is_over
        position = position.play(action)
    assert position.is_over
    played = load_game(f"openspiel({name})").new_state()
    assert dispatch.rollout(played, rng) == position.result != ONGOING
    game = load_game(f"openspiel({name})")
    tactical = game.new_state()
    assert dispatch.tactical_rollout(tactical, rng, game.new_spare()) == dispatch.result(tactical) != ONGOING


def test_tactical_games_win_at_once():
    won = load_game("openspiel(connect_four)").position("a b a b a b")
    for seed in range(5):
        assert dispatch.tactical_rollout(won.state, make_rng(seed), won.game.new_spare()) == 1


def test_forgotten_states_are_found_again(monkeypatch):
    game = load_game("openspiel(connect_four(x_in_row=3))")
    rows = []
    for kept in (40_000, 20):
        rules: Any = RULES[int(game.new_state().rules[0])]
        rules._nodes.clear()
        monkeypatch.setattr(rules, "_most_nodes", kept)
        search = run_search(game.initial(), UniformEvaluator(game.num_actions), 300, seed=1, max_batch=1)
        assert len(rules._nodes) <= kept
        rows.append([(row.visits, row.q) for row in search.snapshot().moves])
    assert rows[0] == rows[1]


def test_a_failure_of_openspiel_ends_the_search(monkeypatch):
    game = load_game("openspiel(clobber(rows=3,columns=3))")
    search = Search(game.initial(), None, SearchSettings(threads=1, memory_mb=16))
    number = int(game.new_state().rules[0])

    def fail(question: int, line: bytes, seed: int) -> tuple[int, bytes]:
        raise RuntimeError("no answer")

    with monkeypatch.context() as patch:
        patch.setitem(RULES, number, fail)
        with pytest.raises(RuntimeError, match="no answer"):
            search.run(Limit(simulations=10))
    search = run_search(game.initial(), None, 10, threads=1, memory_mb=16)
    assert search.simulations == 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("openspiel", "game is missing"),
        ("openspiel(kuhn_poker)", "kuhn_poker is EXPLICIT_STOCHASTIC, IMPERFECT_INFORMATION; a game must be for 2"),
        ("openspiel(oshi_zumo)", "oshi_zumo is SIMULTANEOUS; .* SEQUENTIAL, DETERMINISTIC, PERFECT_INFORMATION"),
        ("openspiel(chinese_checkers(players=3))", "for 3 players"),
        ("openspiel(catch)", "GENERAL_SUM"),
        ("openspiel(conect_four)", "no game 'conect_four'; it offers amazons, .*connect_four"),
        ("openspiel(connect_four(rowz=3))", "Unknown parameter 'rowz'"),
        ("openspiel(connect_four(rows=-3))", "allowed are at most"),
        ("openspiel(go(board_size=5,handicap=2))", "OpenSpiel says: .*already filled"),
        ("openspiel(hex(board_size=100000))", "actions"),
        ("openspiel(go(board_size=19)", "Missing closing"),
    ],
)
def test_other_games_are_refused_in_one_sentence(text, said):
    with pytest.raises(ValueError, match=said) as error:
        load_game(text)
    assert "\n" not in str(error.value)


def test_without_the_package_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match="not installed: pip install open-spiel"):
        load_game("openspiel(connect_four)")


def test_positions_cannot_be_set_up():
    game = load_game("openspiel(connect_four)")
    with pytest.raises(ValueError, match="reached by moves alone"):
        game.parse_diagram(game.position("d d").diagram())
    with pytest.raises(ValueError, match="OpenSpiel does not allow it"):
        load_game("openspiel(breakthrough)").position("a7a6 a7a6")


def test_longer_games_are_drawn(monkeypatch):
    monkeypatch.setattr("core.games.openspiel.MOST_PLIES", 6)
    position = load_game("openspiel(connect_four(columns=6))").position("a b c d e f")
    assert (position.is_over, position.returns) == (True, (0, 0))
    assert dispatch.rollout(load_game("openspiel(connect_four(columns=6))").new_state(), make_rng(1)) == position.result


Translate = Callable[[int], int]


def same(action: int) -> int:
    return action


def nim_action(heaps: int, largest: int) -> Translate:
    """Ours: heap * largest + take - 1.  OpenSpiel's: (take - 1) * heaps + heap."""
    return lambda action: (action % largest) * heaps + action // largest


# (our game, OpenSpiel's, how our actions are written there, random games)
PAIRS = [
    ("tictactoe", "tic_tac_toe", same, 1500),
    ("connect4", "connect_four", same, 600),
    ("connectn(rows=4, cols=6, k=4)", "mnk(m=6,n=4,k=4)", same, 300),
    ("connectn(rows=5, cols=5, k=3)", "mnk(m=5,n=5,k=3)", same, 300),
    ("gomoku", "mnk(m=15,n=15,k=5)", same, 40),
    ("gomoku(size=9)", "gomoku(size=9)", same, 60),
    ("othello", "othello", same, 120),
    ("nim(heaps=1-3-5-7)", "nim(pile_sizes=1;3;5;7,is_misere=False)", nim_action(4, 7), 600),
    ("nim(heaps=3-4-5)", "nim(pile_sizes=3;4;5,is_misere=False)", nim_action(3, 5), 600),
    ("nim(heaps=3-4-5, misere=yes)", "nim(pile_sizes=3;4;5,is_misere=True)", nim_action(3, 5), 300),
]


@pytest.mark.parametrize(("ours", "theirs", "translate", "games"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_random_games_agree(ours: str, theirs: str, translate: Translate, games: int) -> None:
    rng = np.random.default_rng(7)
    game, other = load_game(ours), pyspiel.load_game(theirs)
    for _ in range(games):
        position, state = game.initial(), other.new_initial_state()
        while not position.is_over:
            legal = position.legal_actions()
            assert not state.is_terminal()
            assert sorted(translate(a) for a in legal) == sorted(state.legal_actions())
            assert state.current_player() == position.to_move
            action = int(rng.choice(legal))
            position = position.play(action)
            state.apply_action(translate(action))
        assert state.is_terminal()
        assert list(position.returns) == state.returns()


@pytest.mark.parametrize("size", slow_but((5, 9), (5, 7, 9, 13, 19)))
def test_random_games_of_go_agree(size: int) -> None:
    """Two rules differ: OpenSpiel forbids all suicide, and a move that repeats a board may be played there, which ends
    the game as a draw."""
    rng = np.random.default_rng(size)
    game = load_game(f"go(size={size}, suicide=no)")
    other = pyspiel.load_game(f"go(board_size={size},komi=7.5,max_game_length={game.max_plies})")
    cells = size * size

    def translate(action: int) -> int:  # its rows are counted from the bottom
        return action if action == cells else (size - 1 - action // size) * size + action % size

    passed = 0
    for number in range({5: 30, 7: 20, 9: 10, 13: 4, 19: 2}[size]):
        passing = 0.01 if number % 2 else 0.1
        position, state = game.initial(), other.new_initial_state()
        while not position.is_over:
            legal, its = position.legal_actions(), {translate(a) for a in state.legal_actions()}
            assert not state.is_terminal()
            assert state.current_player() == position.to_move
            assert set(legal) <= its
            for action in its - set(legal):
                assert game.board.refusal(position.state, action) == "it repeats an earlier position"
                repeated = state.child(translate(action))
                assert repeated.is_terminal()
                assert repeated.returns() == [0, 0]
            passes = len(legal) == 1 or rng.random() < passing
            action = cells if passes else int(rng.choice(legal[:-1]))
            position = position.play(action)
            state.apply_action(translate(action))
        assert state.is_terminal()
        assert list(position.returns) == state.returns()
        passed += position.ply < game.max_plies
    assert passed
