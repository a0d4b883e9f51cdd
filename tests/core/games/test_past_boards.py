"""Earlier boards as a net's input: in positions, on the way of a search, and in many games at once."""

from typing import Any

import numba
import numpy as np
import pytest

from core._jit import jit
from core.engine import Evaluator
from core.engine.lockstep import Lockstep
from core.games import Position, encoding, load_game
from core.games.net_inputs import inputs_of
from core.games.past_boards import past_encoding
from core.search import Limit, SearchSettings, forest, simulate
from tests.core.search.fakes import run_search

OTHELLO, TTT = load_game("othello(size=6)"), load_game("tictactoe")


class Listener(Evaluator):
    """Answers by the whole input, so that boards with other pasts get other answers; keeps what it was shown."""

    description = "listener"

    def __init__(self, earlier: int) -> None:
        self.encoding = past_encoding(TTT, earlier, "past")
        self.shown: set[bytes] = set()

    def evaluate(self, planes: np.ndarray, features: Any = None) -> tuple[np.ndarray, ...]:
        self.shown |= {one.tobytes() for one in planes}
        weights = np.random.default_rng(0).normal(0, 0.3, (planes[0].size, 10)).astype(np.float32)
        answer = planes.reshape(len(planes), -1) @ weights
        return np.ascontiguousarray(answer[:, :9]), np.tanh(answer[:, 9])


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling the search for one more kind of input takes far longer than these searches."""
    if numba.config.DISABLE_JIT:
        return
    for name in ("collect", "absorb"):
        monkeypatch.setattr(simulate, name, getattr(simulate, name).py_func)
    compiled: Any = forest
    monkeypatch.setattr("core.engine.lockstep.collect_leaves", compiled.collect_leaves.py_func)
    monkeypatch.setattr("core.engine.lockstep.play_moves", compiled.play_moves.py_func)
    monkeypatch.setattr("core.engine.lockstep.encode_games", compiled.encode_games.py_func)


def past_of(position: Position, earlier: int) -> np.ndarray:
    """The input made of the positions themselves."""
    boards = [position.start]
    for action in position.moves:
        boards.append(boards[-1].play(action))
    planes = [position.planes()]
    for ago in range(1, earlier + 1):
        if ago >= len(boards):
            planes.append(np.zeros((3, *position.game.shape), np.float32))
            continue
        own = boards[-1 - ago].planes()
        planes.append(own[[1, 0, 2]] if ago % 2 else own[:3])
    return np.concatenate(planes)


def test_earlier_boards_of_a_position() -> None:
    """Stones are turned over, and a game begins with a board that was set up."""
    position = OTHELLO.initial()
    for _ in range(5):
        position = position.play(position.legal_actions()[-1])
    for shown in (position, OTHELLO.initial(), Position(OTHELLO, position.state).play(position.legal_actions()[0])):
        found = inputs_of(shown, past_encoding(OTHELLO, 3, "past")).planes[0]
        np.testing.assert_array_equal(found, past_of(shown, 3))


def all_below(position: Position, plies: int, earlier: int) -> set[bytes]:
    found = {past_of(position, earlier).tobytes()}
    for action in position.legal_actions() if plies else ():
        found |= all_below(position.play(action), plies - 1, earlier)
    return found


@pytest.mark.usefixtures("interpreted")
def test_a_search_shows_each_leaf_with_what_came_before_it() -> None:
    """Before its root and below it, after a move, too; the answer to a board with another past is not used again."""
    root = TTT.position("b2 a1 c3 a3 a2")
    net = Listener(3)
    search = run_search(root, net, 300, prove=False)
    assert len(net.shown) > 10
    assert net.shown <= all_below(root, 4, 3)
    net.shown.clear()
    search.go_to(TTT.position("a3 b1 b2"))
    search.run(Limit(simulations=12))
    assert past_of(TTT.position("a3 b1 b2"), 3).tobytes() in net.shown
    assert net.shown <= all_below(TTT.position("a3 b1 b2"), 4, 3)
    assert not net.shown & all_below(TTT.position("b2 b1 a3"), 0, 3)


@pytest.mark.usefixtures("interpreted")
def test_the_same_board_with_another_past_begins_a_new_tree() -> None:
    net = Listener(3)
    one, other = TTT.position("a3 b1 c3 b3 b2"), TTT.position("c3 b3 a3 b1 b2")
    assert one == other
    search = run_search(one, net, 12, prove=False)
    net.shown.clear()
    assert search.go_to(TTT.position("a3 b1 c3 b3 b2"))
    assert not search.go_to(other)
    search.run(Limit(simulations=12))
    assert past_of(other, 3).tobytes() in net.shown
    assert net.shown <= all_below(other, 4, 3)


@pytest.mark.usefixtures("interpreted")
def test_games_in_lockstep_show_what_came_before() -> None:
    net = Listener(2)
    games = Lockstep(TTT, net, 2, SearchSettings(prove=False))
    lines = [TTT.position("b2 a1 c3 a3"), TTT.position("a1 b1 a2 b2")]
    for g, line in enumerate(lines):
        games.restart(g, line.moves)
        games.set_target(g, 20, noise=False)
    while len(games.step()) < 2:
        pass
    assert {past_of(line, 2).tobytes() for line in lines} <= net.shown
    assert net.shown <= all_below(lines[0], 5, 2) | all_below(lines[1], 5, 2)


@jit
def key_after(encoder: Any, state: Any, planes: np.ndarray, features: np.ndarray) -> np.uint64:
    encoding.begin(encoder)
    encoding.leave(encoder, state)
    encoding.encode(encoder, state, planes, features)
    return encoding.key(encoder, state)


@pytest.mark.slow
def test_compiled_as_interpreted() -> None:
    encoder = past_encoding(TTT, 2, "past").new_encoder()
    planes, features = np.zeros((10, 3, 3), np.float32), np.zeros(0, np.float32)
    state = TTT.position("b2").state
    key = key_after(encoder, state, planes, features)
    again = planes.copy()
    run = getattr(key_after, "py_func", key_after)
    with np.errstate(over="ignore"):
        assert run(encoder, state, again, features) == key
    np.testing.assert_array_equal(planes, again)
    assert planes[4].sum() == 1  # the stone of b2, which the encoder was told to be there a move ago
