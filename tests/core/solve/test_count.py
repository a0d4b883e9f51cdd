"""Numbers of boards against the table of independent counts."""

from pathlib import Path

import numba
import pytest

from core.games import load_game
from core.solve import count

TABLE = Path(__file__).parents[2] / "data" / "counts.tsv"
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes interpreted")


def counts(game, quantity):
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    (found,) = [row[2] for row in rows if row[:2] == [game, quantity]]
    return [int(value) for value in found.split()]


def test_tictactoe():
    found = count(load_game("tictactoe"))
    assert list(found.per_ply) == counts("tictactoe", "distinct boards per ply")
    assert [found.total] == counts("tictactoe", "distinct boards, all")


@compiled
@pytest.mark.parametrize(
    "text",
    [
        "connectn(rows=4,cols=3,k=3)",
        "connectn(rows=5,cols=3,k=3)",
        pytest.param("connectn(rows=4,cols=4,k=3)", marks=pytest.mark.slow),
        pytest.param("connectn(rows=4,cols=4,k=4)", marks=pytest.mark.slow),
        "connect4(rows=4,cols=4,k=4)",
    ],
)
def test_whole_games(text):
    assert [count(load_game(text)).total] == counts(text, "distinct boards, all")


@compiled
def test_rows_and_columns_swapped():
    assert [count(load_game("connectn(rows=3,cols=5,k=3)")).total] == counts(
        "connectn(rows=5,cols=3,k=3)", "distinct boards, all"
    )


def test_connect4():
    expected = counts("connect4", "distinct boards per ply")
    plies = 3 if numba.config.DISABLE_JIT else len(expected) - 1
    assert list(count(load_game("connect4"), plies).per_ply) == expected[: plies + 1]


@pytest.mark.parametrize(
    "text", ["connectn(rows=3,cols=2,k=2)", "connect4(rows=3,cols=3,k=3)", "connect4(rows=3,cols=4,k=2)"]
)
def test_small_games_against_plain_search(text):
    game = load_game(text)
    boards = {game.initial().cells().tobytes(): game.initial()}
    expected = []
    while boards:
        expected.append(len(boards))
        after = [position.play(a) for position in boards.values() for a in position.legal_actions()]
        boards = {position.cells().tobytes(): position for position in after}
    assert list(count(game).per_ply) == expected


@pytest.mark.parametrize(
    ("text", "total"),  # Tromp and Farnebäck, "Combinatorics of Go", 2006
    [("go(size=2)", 57), ("go(rows=2, cols=3)", 489), ("go(size=3)", 12_675), ("go(rows=4, cols=3)", 321_689)],
)
def test_legal_boards_of_go(text, total):
    assert count(load_game(text)).total == total


def test_boards_of_go_by_stones():
    assert count(load_game("go(size=2)")).per_ply == (1, 8, 24, 24)
    assert count(load_game("go(size=2)"), 1).per_ply == (1, 8)
    assert count(load_game("go(size=2)"), 9).per_ply == (1, 8, 24, 24)
    assert count(load_game("go(size=3)"), should_stop=lambda: True) is None
    with pytest.raises(
        ValueError, match=r"go\(rows=5, cols=4\) is too large to count its boards, rows \* cols is at most 16"
    ):
        count(load_game("go(rows=5, cols=4)"))


def test_counting_to_depth_0():
    assert count(load_game("connect4"), 0).per_ply == (1,)


def test_counting_can_be_cancelled():
    asked = []
    received = []

    def should_stop():
        asked.append(True)
        return len(asked) == 5

    assert count(load_game("connect4"), should_stop=should_stop, progress=received.append) is None
    assert received == [8, 57, 295, 1415]


def test_games_too_large_to_count_are_refused():
    with pytest.raises(
        ValueError, match=r"gomoku is too large to count its boards, \(rows \+ 1\) \* cols is at most 32"
    ):
        count(load_game("gomoku"))
    with pytest.raises(ValueError, match="plies is -1; it must be at least 0"):
        count(load_game("tictactoe"), -1)
