"""Stones that an SGF file sets up in the middle of a game."""

import cProfile

import numpy as np
import pytest

from core.files.record import ROOT, GameRecord, Setup
from core.files.sgf import read_sgf, write_sgf
from core.games import load_game


def only(text: str) -> GameRecord:
    (record,), errors, _ = read_sgf(text)
    assert errors == ()
    assert read_sgf(write_sgf([record])).records == (record,)
    return record


def board(record: GameRecord, node: int) -> dict[str, str]:
    """The stones at a node: X and O by the names of their cells."""
    cells = record.position(node).cells().ravel()
    return {record.game.action_name(int(cell)): ".XO"[cells[cell]] for cell in np.flatnonzero(cells)}


def test_the_game_goes_on_from_stones_set_up_after_moves():
    record = only("(;GM[1]SZ[9]RU[Chinese];B[gc];W[cg];AB[gg]AW[cc]AE[gc]C[now];W[ee]N[four])")
    line = record.main_line()
    assert record.node(line[3]).comment == "now"
    assert board(record, line[3]) == {"g3": "X", "c3": "O", "c7": "O"}
    end = record.position(line[4])
    assert (
        [record.game.action_name(a) for a in record.path(line[4])]
        == ["e5"]
        == [record.game.action_name(a) for a in end.moves]
    )
    assert end.start == record.position(line[3])
    assert end.to_move == 0
    assert [step < 0 for step in record.steps(line[4])] == [False, False, True, False]
    assert b"AB[gg]AW[cc]AE[gc]PL[W]C[now]" in write_sgf([record])


@pytest.mark.parametrize(
    ("node", "to_move"),
    [
        ("AW[aa]PL[B]", 0),
        ("AW[aa]PL[W]", 1),
        ("AW[aa];W[bb]", 1),
        ("AW[aa];B[bb]", 0),
        ("AW[aa];C[a word];AB[cc];B[bb]", 0),
        ("AW[aa]", 1),
    ],
)
def test_it_is_the_turn_of_the_player_named_or_of_the_next_move_or_as_before(node, to_move):
    record = only(f"(;GM[1]SZ[9];B[ee];{node})")
    assert record.position(record.main_line()[2]).to_move == to_move


def test_a_ko_is_forgotten_and_problems_may_follow_each_other():
    text = (
        "(;GM[1]SZ[5]RU[Chinese]AB[ba][ab][bc]AW[ca][bb][db][cc](;B[cb](;AE[aa:ee]AB[aa]AW[ab]PL[B];B[ba])"
        "(;AB[ee];W[bb]))(;AE[aa:ee]))"
    )
    record = only(text)
    (taken, empty) = record.node(ROOT).children
    first, again = record.node(taken).children
    assert board(record, first) == {"a5": "X", "a4": "O"}
    assert record.node(again).children, "white retakes: the ko began before the stones were set up"
    assert board(record, empty) == {}


def test_a_node_with_a_move_and_stones_is_read_as_two():
    record = only("(;GM[1]SZ[9];B[ee];AB[aa][ba]W[cc]C[both];B[dd])")
    assert [step < 0 for step in record.steps(record.main_line()[-1])] == [False, True, False, False]
    assert record.node(record.main_line()[3]).comment == "both"


def test_captured_stones_that_a_file_takes_off_again_are_no_change():
    text = "(;GM[1]SZ[9];B[ab];W[aa];B[ba]AE[aa];W[cc])"
    record = only(text)
    assert min(record.steps(record.main_line()[-1])) >= 0
    assert b"B[ba]AE[aa]" in write_sgf([record])


@pytest.mark.parametrize(
    ("text", "stones"),
    [
        ("(;GM[4]SZ[5];B[aa];AW[bb];B[cc])", {"a5": "X", "b4": "O", "c3": "X"}),
        ("(;GM[4]PLYGAME[connect4];B[df];AW[de];B[dd])", None),
        ("(;GM[2];B[dc];PL[B];B[ef])", None),
    ],
)
def test_other_games_go_on_too(text, stones):
    record = only(text)
    end = record.main_line()[-1]
    assert len(record.path(end)) == 1
    assert stones in (None, board(record, end) if stones else None)


def test_a_move_that_cannot_be_played_there_leaves_the_stones():
    file = read_sgf("(;GM[1]SZ[9];B[ee];AW[aa]B[aa])")
    (record,) = file.records
    assert len(record) == 3
    assert file.errors == ("after e5, a9 cannot be played: the place is taken; that variation is kept but not shown",)
    assert read_sgf(write_sgf([record])) == file


def test_stones_are_set_up_once_and_that_can_be_undone():
    record = GameRecord(load_game("go(size=5)").initial())
    node = record.play(ROOT, 12)
    setup = Setup.of({0: 2, 12: 0}, 25, 1)
    added = record.set_up(node, setup)
    assert record.set_up(node, setup) == added
    assert board(record, added) == {"a5": "O"}
    assert record.copy() == record
    assert record.undo() == node
    assert record.redo() == added
    with pytest.raises(ValueError, match="without a liberty"):
        record.set_up(added, Setup.of({0: 2, 1: 1, 5: 1}, 25, 1))
    turned = Setup.between(record.position(added), record.position(added).play(25))
    assert turned.stones == {cell: 2 * (cell == 0) for cell in range(25)}, "a turn alone names the whole board"


@pytest.mark.slow
def test_a_collection_of_a_thousand_positions_in_one_tree_is_read_in_few_steps_for_each():
    chance = np.random.default_rng(1)
    letters = "abcdefghijklmnopqrs"
    nodes = []
    for _ in range(1000):
        cells = chance.permutation(361)[:30]
        points = [f"[{letters[cell // 19]}{letters[cell % 19]}]" for cell in cells]
        nodes.append(f"(;AE[aa:ss]AB{''.join(points[:15])}AW{''.join(points[15:])};B[])")
    profile = cProfile.Profile()
    (record,) = profile.runcall(read_sgf, f"(;GM[1]SZ[19]{''.join(nodes)})").records
    assert len(record) > 1900
    assert sum(one.callcount for one in profile.getstats()) < 1200 * len(record), "573 calls for each node"
