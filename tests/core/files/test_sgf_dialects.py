"""SGF of programs that leave the format: read as what it is, with a remark, or refused."""

import pytest

from core.files.record import ROOT, GameRecord
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
