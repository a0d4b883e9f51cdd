"""SGF of programs that leave the format, and stones set up in the middle of a game."""

import cProfile

import numpy as np
import pytest

from core.files.record import ROOT, GameRecord, Setup
from core.files.sgf import read_sgf, write_sgf
from core.games import load_game

EDAX = (
    "(;FF[4]GM[2]AP[edax:4.5.5]\nPC[Edax]DT[2026-10-07]\nPB[?]PW[?]\nSZ[8]AB[e4][d5]AW[d4][e5]PL[B]\n"
    "RE[Void]\nB[f5];W[d6];\nB[c3];W[d3];\nB[c4];)\n"
)
QUEST = (
    "(;GM[4]FF[4]SZ[15]GN[gomokuquest]\nPB[a (1800)]PW[b (1750)]\n;QPR[hh,hg,jf];QSLW[ig];B[gg]C[five];W[ii]"
    "(;B[ih])(;B[aa]))"
)


def read(text: str, hint: str | None = None) -> tuple[GameRecord, tuple[str, ...]]:
    file = read_sgf(text, load_game(hint) if hint else None)
    (record,) = file.records
    return record, file.errors


def names(record: GameRecord) -> str:
    return " ".join(record.game.action_name(action) for action in record.path(record.main_line()[-1]))


@pytest.mark.parametrize(
    ("text", "game", "moves"),
    [
        (EDAX, "othello", "f5 d6 c3 d3 c4"),
        (QUEST, "gomoku", "h8 h9 j10 i9 g9 i7 i8"),
        ("(;GM[4]SZ[15];QPR[hh,hg,jf]QSLW[ig]B[gg];W[ii])", "gomoku", "h8 h9 j10 i9 g9 i7"),
        ("(;GM[4]SZ[15]QPR[hh][hg][jf]QSLW[ig]B[gg];W[ii])", "gomoku", "h8 h9 j10 i9 g9 i7"),
        ("(;GM[4]SZ[15]RU[RIF];B[hh];W[hg]5A[jj][gg];B[jj])", "gomoku(rule=renju)", "h8 h9 j6"),
        ("(;GM[4]SZ[15]RU[1];B[hh])", "gomoku(rule=standard)", "h8"),
        ("(;GM[4]SZ[15]RU[4];B[hh])", "gomoku(rule=renju)", "h8"),
        ("(;GM[4]SZ[15]AB[aa][bb]AW[cc];W[hh])", "gomoku", "h8"),
    ],
)
def test_dialects_are_read(text: str, game: str, moves: str) -> None:
    record, errors = read(text)
    assert (record.game.text, names(record), errors) == (game, moves, ())
    (again,) = read_sgf(write_sgf([record])).records
    assert again == record


def test_a_proposed_opening_keeps_comments_and_variations() -> None:
    record, _ = read(QUEST)
    fifth = record.main_line()[5]
    assert record.node(fifth).comment == "five"
    assert len(record.node(record.main_line()[6]).children) == 2
    assert record.info["black"] == "a (1800)"


@pytest.mark.parametrize(
    ("text", "hint", "game", "remark"),
    [
        ("(;GM[1]SZ[15]HA[0]KM[0]RU[FREESTYLE];B[hh];W[ii])", None, "gomoku", "by its rules or its program"),
        ("(;GM[1]SZ[15]RU[RENJU];B[hh];W[ii])", None, "gomoku(rule=renju)", "by its rules or its program"),
        ("(;GM[1]SZ[15]AP[KataGomoku];B[hh];W[ii])", None, "gomoku", "by its rules or its program"),
        ("(;GM[1]SZ[15];B[hh];W[ii])", "gomoku", "gomoku", "was read as Gomoku 15×15, which is open"),
        ("(;GM[1]SZ[15];B[hh];W[ii])", None, "go(size=15, rules=japanese)", "if it is gomoku, open a gomoku board"),
        ("(;GM[5]SZ[15]RU[renju];B[hh];W[ii])", None, "gomoku(rule=renju)", "was read as gomoku or renju"),
        ("(;GM[4]SZ[15];B[hh]5A[aa][bb];W[ii])", None, "gomoku(rule=renju)", "proposes fifth moves"),
    ],
)
def test_another_game_than_stated_is_said(text: str, hint: str | None, game: str, remark: str) -> None:
    record, errors = read(text, hint)
    assert record.game.text == game
    assert len(record) == 3
    assert any(remark in error for error in errors)


def test_go_without_komi_on_a_usual_board_stays_go() -> None:
    record, errors = read("(;GM[1]SZ[19];B[dd];W[pp])", "gomoku(size=19)")
    assert (record.game.name, errors) == ("go", ())
    record, errors = read("(;GM[1]SZ[15]RU[koPOSITIONALscoreAREAtaxNONEsui1];B[dd])")
    assert (record.game.name, errors) == ("go", ())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(;GM[4]SZ[15]AB[aa][bb][cc]AW[dd];B[hh])", "3 X and 1 O"),
        ("(;GM[4]SZ[15]RU[8];B[hh])", "its rules '8' are none of freestyle, standard, renju"),
        ("(;GM[4]SZ[15]RU[Caro];B[hh])", "its rules 'caro'"),
        ("(;GM[4]SZ[40];B[hh])", "its board cannot be played on"),
        ("(;GM[5];B[hh])", "Nine Men's Morris"),
    ],
)
def test_what_is_no_game_of_ours_is_refused(text: str, complaint: str) -> None:
    file = read_sgf(text)
    assert not file.records
    assert complaint in file.errors[-1]


@pytest.mark.parametrize(
    ("text", "moves", "complaint"),
    [
        ("(;GM[4]SZ[15];B[hh];W[];B[jj])", "h8", "there is a pass, and this game has none"),
        ("(;GM[4]SZ[15];B[hh];W[ii];AB[aa];B[jj])", "", "it is W's turn"),
        ("(;GM[4]SZ[15];QPR[hh,hg,hh];B[ig])", "h8 h9", "the place is taken"),
        ("(;GM[4]SZ[15];QSLW[ig];B[hh])", "", "W plays i9 and it is B's turn"),
        ("(;GM[2]SZ[8]AB[e4][d5][z9]AW[d4][e5];B[f5])", "f5", "'z9' is no point of this board"),
        ("(;GM[2];B[f5];W[PA])", "f5", "a pass is for a player who has no other move"),
    ],
)
def test_what_cannot_be_played_is_kept_and_said(text: str, moves: str, complaint: str) -> None:
    record, errors = read(text)
    assert names(record) == moves
    assert any(complaint in error for error in errors)
    kept = [record.node(node).unread for node in record.preorder()]
    assert any(kept) or "z9" in text


def test_stones_set_up_later_make_a_new_start() -> None:
    record, errors = read("(;GM[4]SZ[15];B[hh];W[ii];AB[aa]AW[cc];B[jj])")
    assert errors == ()
    assert record.position(record.main_line()[-1]).cells().sum() == 3 * 1 + 2 * 2
    assert record.node(record.main_line()[3]).setup is not None
    assert record.position(ROOT) == record.game.initial()


@pytest.mark.parametrize("size", [20, 22])
@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_larger_boards_are_played_to_their_corners(size: int, rule: str) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    far = letters[size - 1]
    moves = "".join(f";B[{far}{letters[size - 1 - i]}]" + (f";W[a{letters[2 * i]}]" if i < 4 else "") for i in range(5))
    record, errors = read(f"(;GM[4]SZ[{size}]RU[{rule}]{moves})")
    assert errors == ()
    end = record.position(record.main_line()[-1])
    assert end.returns == (1, -1)
    assert end.winning_cells == tuple(sorted((size - 1 - i) * size + size - 1 for i in range(5)))


def only(text: str) -> GameRecord:
    (record,), errors, *_ = read_sgf(text)
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
