"""What moves change on the board: put together again, they give every position's cells."""

import random
from pathlib import Path

import numpy as np
import pytest

from core.files import page_boards
from core.files.page_boards import board_changes
from core.games import load_game
from tests.installed import hex_installed

GAMES = ("connect4", "tictactoe", "gomoku(rule=renju)", "othello(size=4)", "go(size=4)", "nim(heaps=3-4-5, misere=yes)")


def random_tree(position, nodes, seed=1):
    """(positions, parents, actions) of random moves from nodes that are there already, deep and wide."""
    drawn = random.Random(seed)
    positions, parents, actions = [position], [-1], [0]
    while len(positions) < nodes:
        parent = drawn.randrange(max(0, len(positions) - 30), len(positions))
        legal = positions[parent].legal_actions()
        if not legal:
            parent = drawn.randrange(len(positions))
            legal = positions[parent].legal_actions()
        if legal:
            actions.append(drawn.choice(legal))
            parents.append(parent)
            positions.append(positions[parent].play(actions[-1]))
    return positions, np.array(parents, np.int32), np.array(actions, np.int16)


def assert_boards(position, nodes):
    positions, parents, actions = random_tree(position, nodes)
    changes = board_changes(position, parents, actions)
    ends = np.cumsum(np.maximum(changes.counts.astype(int) - 1, 0))
    boards = [position.cells().ravel()]
    for node in range(1, nodes):
        board = boards[parents[node]].copy()
        if changes.counts[node] == page_boards.PLAIN:
            board[actions[node]] = 1 + positions[parents[node]].to_move
        else:
            mine = slice(ends[node] - changes.counts[node] + 1, ends[node])
            board[changes.cells[mine]] = changes.stones[mine]
        assert board.tolist() == positions[node].cells().ravel().tolist()
        boards.append(board)
    return changes


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("compiled", [True, False])
def test_changes_give_every_board(name: str, compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_boards, "_FEW", 0 if compiled else 1 << 20)
    assert_boards(load_game(name).initial(), 300)


def test_moves_of_one_stone_take_no_room() -> None:
    changes = assert_boards(load_game("gomoku").position("h8 h9"), 50)
    assert not len(changes.cells)
    assert not changes.counts.any()


def test_room_grows_with_moves_that_change_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_boards, "_ROOM", 1)
    changes = assert_boards(load_game("othello").initial(), 200)
    assert len(changes.cells) > 2 * 200


def test_an_installed_game(tmp_path: Path) -> None:
    with hex_installed(tmp_path):
        assert_boards(load_game("hex(size=5)").initial(), 100)
