"""Moves and boards as people and other programs write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.games import load_game
from core.games.written import Ambiguous, read

ENDING = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXOOO-OOOX-OOOO--XOO------"


@pytest.mark.parametrize(
    ("game", "text", "names"),
    [
        ("othello", "f5d6c3", "f5 d6 c3"),
        ("othello", "F5D6C3D3C4", "f5 d6 c3 d3 c4"),
        ("othello", "1. f5 d6\n2. c3 d3", "f5 d6 c3 d3"),
        ("connect4", "4457", "d d e g"),
        ("connect4", "ddc", "d d c"),
        ("connect4", "4450", "e e f a"),
        ("connect4", "4 4 0", "e e a"),
        ("gomoku", "h8i9j7", "h8 i9 j7"),
        ("gomoku", "1. h8 2. i9", "h8 i9"),
        ("gomoku", "1 h8 2 i9", "h8 i9"),
        ("gomoku", "H8; I10", "h8 i10"),
        ("gomoku", "h8 p9", "h8 o9"),
        ("gomoku", "without i: h8 j9", "h8 i9"),
        ("gomoku", "with i: h8 j9", "h8 j9"),
        ("gomoku", "(10,10) (11,15)", "j6 k1"),
        ("gomoku", "1. (10, 10), 2. (0,12)", "k5 a3"),
        ("gomoku", "from 1: (10,10) (11,12)", "j6 k4"),
        ("gomoku", "from 0: (10,10) (11,12)", "k5 l3"),
        ("gomoku(size=19)", "t19 a1", "s19 a1"),
        ("go", "c3 j5 t19", "c3 j5 t19"),
        ("go", "c3i5", "c3 j5"),
        ("go(size=9)", "d4e5pass", "d4 e5 pass"),
        ("tictactoe", "519", "b2 a3 c1"),
        ("tictactoe", "0 3, 1 c1", "a3 a2 b3 c1"),
        ("nim(heaps=3-4-5)", "2:3 1:1", "2:3 1:1"),
        ("connect4(cols=10, rows=5)", "a10 10", "j j"),
    ],
)
def test_moves_are_read(game, text, names):
    if "a10" in text:
        with pytest.raises(ValueError, match="unknown move 'a10'"):
            read(load_game(game), text)
        return
    position = read(load_game(game), text).position
    assert " ".join(map(position.game.action_name, position.moves)) == names


@pytest.mark.parametrize(
    ("game", "text", "way", "others"),
    [
        ("gomoku", "h8 g9", "", ()),
        ("gomoku", "h8 i9 j7", "", ()),
        ("gomoku", "h8 j9", "with i", ("without i",)),
        ("gomoku", "h8 p9", "without i", ()),
        ("go", "d4 j5", "", ()),
        ("go", "d4 i5", "with i", ()),
        ("connect4", "4453", "from 1", ("from 0",)),
        ("connect4", "4457", "", ()),
        ("connect4", "4450", "from 0", ()),
        ("tictactoe", "4 5", "from 0", ("from 1",)),
        ("gomoku", "(10,15)", "from 1", ()),
        ("nim", "1 2", "", ()),
        ("othello", "f5 d6", "", ()),
    ],
)
def test_a_choice_of_readings_is_named(game, text, way, others):
    written = read(load_game(game), text)
    assert (written.way, written.others) == (way, others)
    assert bool(written.note) == bool(way)
    for other in others:
        assert f"“{other}:”" in written.note
        assert read(load_game(game), f"{other}: {text}").position.moves != written.position.moves


def test_points_that_may_count_from_0_or_1_are_asked_for():
    with pytest.raises(Ambiguous, match="write “from 0:” / “from 1:” before it") as caught:
        read(load_game("gomoku"), "(10,10) (11,12)")
    assert caught.value.ways == ("from 0", "from 1")
    with pytest.raises(ValueError, match="may be points or numbers of cells"):
        read(load_game("gomoku"), "7,8 9,10")


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("gomoku", "h8 z9", "unknown move 'z9'"),
        ("connect4", "449", "unknown move '9'"),
        ("connect4", "07", "unknown move '0'"),
        ("othello", "f5d6x3", "unknown move 'x3'"),
        ("othello", "f5f5", "the place is taken"),
        ("gomoku", "(16,0)", r"unknown move '\(16,0\)'"),
        ("connect4", "x.x.x.x.x", "it has 9 cells and the board has 42"),
        ("othello", ENDING[:-1] + " X", "it has 63 cells and the board has 64"),
        ("othello", ENDING, "whose turn it is"),
        ("othello", ENDING + " X or so!? X.O", "more than whose turn it is|65"),
        ("othello", "f5 " * 40_000, "more than 100000 characters"),
    ],
)
def test_what_cannot_be_read_is_refused(game, text, reason):
    with pytest.raises(ValueError, match=reason):
        read(load_game(game), text)


@pytest.mark.parametrize("end", [" X", "X", " *", " X; G8:+18", "\nBlack", " black to move", "\nX to move"])
def test_a_board_on_one_line_is_read(end):
    position = read(load_game("othello"), ENDING + end).position
    assert "".join(".XO"[cell] for cell in position.cells().ravel()) == ENDING.replace("-", ".")
    assert position.to_move == 0


def test_boards_of_other_programs_are_read():
    othello = load_game("othello")
    edax = (
        "  A B C D E F G H            BLACK\n1 - - - - - - - - 1        0:00.000\n2 - - - - - - - - 2  30\n"
        "3 - - - . - - - - 3\n4 - - . O * - - - 4\n5 - - - * O . - - 5\n6 - - - - . - - - 6\n7 - - - - - - - - 7\n"
        "8 - - - - - - - - 8\n  A B C D E F G H\n* to move"
    )
    assert read(othello, edax).position == othello.initial()
    gnu_go = "   A B C D E\n 5 . . . . . 5\n 4 . + . X . 4\n 3 . . + . . 3     WHITE (O) has captured 0 stones\n"
    gnu_go += " 2 . O . + . 2\n 1 . . . . . 1\n   A B C D E\nwhite to play"
    go = load_game("go(size=5)")
    assert read(go, gnu_go).position.diagram().startswith(". . . . .\n. . . X .\n. . . . .\n. O . . .\n")
    blanks = "XO \n X \n  O"
    assert read(load_game("tictactoe"), blanks).position.diagram().startswith("X O .\n. X .\n. . O")


TEXTS = st.text(alphabet="abchijopsx0123456789 ,;.-*()XO#\n:\t", max_size=60)


@given(st.sampled_from(["connect4", "tictactoe", "gomoku", "othello", "go(size=9)", "nim", "nim(heaps=3-4-5)"]), TEXTS)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused_in_one_line(game, text):
    said = ""
    try:
        written = read(load_game(game), text)
    except ValueError as error:
        said = str(error)
    else:
        assert written.position.game.text == game
        assert not written.others or written.note
    assert "\n" not in said
