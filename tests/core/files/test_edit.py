"""Boards set up by hand: what can be played is taken, and every fault of another is named."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.edit import judge
from core.games import diagram, load_game
from tests.core.files.records import GAMES, random_position


def cells(text: str) -> np.ndarray:
    rows = text.split("/")
    return diagram.read("\n".join(rows), (len(rows), len(rows[0]))).cells


@settings(max_examples=80, deadline=None)
@given(st.data(), st.sampled_from(GAMES))
def test_every_reachable_board_is_accepted(data: st.DataObject, name: str) -> None:
    position = random_position(data, load_game(name), 20)
    verdict = judge(position.game, position.cells(), position.to_move, position.last_action)
    assert verdict.faults == ()
    assert verdict.position == position


@settings(max_examples=200, deadline=None)
@given(st.data(), st.sampled_from((*GAMES, "nim(heaps=2-3)")))
def test_judge_agrees_with_the_game(data: st.DataObject, name: str) -> None:
    game = load_game(name)
    height, width = game.shape
    stones = data.draw(st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=height * width, max_size=height * width))
    board = np.array(stones, np.int8).reshape(game.shape)
    to_move = data.draw(st.sampled_from([0, 1]))
    verdict = judge(game, board, to_move)
    try:
        parsed = game.parse_diagram(diagram.write(board, to_move, None))
    except ValueError:
        parsed = None
    assert verdict.position == parsed
    assert (verdict.position is None) == bool(verdict.faults)
    assert len(set(verdict.faults)) == len(verdict.faults)
    assert not any(fault.endswith(".") for fault in verdict.faults)


@pytest.mark.parametrize(
    ("game", "board", "to_move", "faults"),
    [
        (
            "connect4(rows=4, cols=5, k=3)",
            "X..../O.O../...../X.X.X",
            0,
            (
                "its discs at a4, a3 have nothing under them",
                "its disc at c3 has nothing under it",
                "it has 4 X and 2 O, and as X begins there must be as many X as O or one more",
            ),
        ),
        (
            "tictactoe",
            "XXX/OOO/...",
            None,
            ("both X and O have 3 in a row",),
        ),
        (
            "tictactoe",
            "XXX/XXX/OO.",
            1,
            ("it has 6 X and 2 O, and as X begins there must be as many X as O or one more",),
        ),
        (
            "tictactoe",
            "X../.../...",
            0,
            ("it says X to move, and with 1 X and 0 O it is O's turn",),
        ),
        (
            "tictactoe",
            "XXX/OO./O..",
            None,
            ("X is to move and already has 3 in a row",),
        ),
        (
            "othello(size=4)",
            "..../.X../..../....",
            0,
            ("one of its four middle cells is empty, and the game begins with all four taken",),
        ),
    ],
)
def test_all_faults_are_named(game: str, board: str, to_move: int | None, faults: tuple[str, ...]) -> None:
    assert judge(load_game(game), cells(board), to_move).faults == faults


@pytest.mark.parametrize(
    ("board", "to_move", "last"), [("XX/XX", None, -1), ("X../.../...", 2, -1), ("X../.../...", None, 9)]
)
def test_invalid_boards_raise(board: str, to_move: int | None, last: int) -> None:
    with pytest.raises(ValueError, match="tictactoe"):
        judge(load_game("tictactoe"), cells(board), to_move, last)
