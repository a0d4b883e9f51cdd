"""Games, moves and diagrams as text: what is read, what is written, what is refused and how."""

import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.games import GAMES, BadGame, GameSpec, IllegalMove, load_game

sides = st.integers(2, 19)
yes_or_no = st.sampled_from(["yes", "no"])


@st.composite
def games(draw: st.DrawFn) -> GameSpec:
    """Any game of the table, with any parameters."""
    name = draw(st.sampled_from(sorted(GAMES)))
    if name == "tictactoe":
        return load_game("tictactoe")
    if name == "gomoku":
        rule = draw(st.sampled_from(["freestyle", "standard", "renju"]))
        return load_game(f"gomoku(size={draw(st.integers(5, 19))}, rule={rule})")
    if name == "othello":
        return load_game(f"othello(size={draw(st.sampled_from(range(4, 17, 2)))}, passes={draw(yes_or_no)})")
    if name == "nim":
        heaps = draw(st.lists(st.integers(1, 50), min_size=1, max_size=6))
        most = draw(st.sampled_from(["usual", "any", "1", "3", "50"]))
        return load_game(f"nim(heaps={'-'.join(map(str, heaps))}, max_take={most})")
    rows = draw(sides)
    cols = draw(st.integers(2, min(19, 62 // (rows + 1))) if name == "connect4" else sides)
    return load_game(f"{name}(rows={rows}, cols={cols}, k={draw(st.integers(2, max(rows, cols)))})")


@given(games())
@settings(max_examples=60, deadline=None)
def test_texts_and_names_round_trip(game):
    assert load_game(game.text) == game
    assert load_game(game.text).params == game.params
    assert [game.parse_action(game.action_name(action)) for action in range(game.num_actions)] == list(
        range(game.num_actions)
    )
    assert game.num_actions < 32767


@given(games(), st.randoms(use_true_random=False), st.integers(0, 40))
@settings(max_examples=60, deadline=None)
def test_any_position_survives_its_diagram(game, choose, plies):
    position = game.initial()
    while position.ply < plies and not position.is_over:
        position = position.play(choose.choice(position.legal_actions()))
    assert game.parse_diagram(position.diagram()) == position
    assert game.position(" ".join(map(game.action_name, position.moves))) == position


@given(sides, sides, st.data())
@settings(max_examples=60, deadline=None)
def test_cell_names_are_column_letter_and_row_from_the_bottom(rows, cols, data):
    game = load_game(f"connectn(rows={rows}, cols={cols}, k=2)")
    row, col = data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1))
    assert game.action_name(row * cols + col) == string.ascii_lowercase[col] + str(rows - row)


@pytest.mark.parametrize(
    ("text", "canonical", "title"),
    [
        (" TicTacToe ", "tictactoe", "Tic-tac-toe"),
        ("Connect 4", "connect4", "Connect Four"),
        ("connect4()", "connect4", "Connect Four"),
        ("connect4(K=4, cols=7,rows = 6)", "connect4", "Connect Four"),
        ("connect4(k=3)", "connect4(k=3)", "Connect Four, 3 in a row"),
        ("connect4( cols = 6 )", "connect4(cols=6)", "Connect Four 6×6"),
        ("gomoku", "gomoku", "Gomoku 15×15"),
        ("gomoku(size=15, rule=freestyle)", "gomoku", "Gomoku 15×15"),
        ("GOMOKU (size=09)", "gomoku(size=9)", "Gomoku 9×9"),
        ("connectn(k=3,rows=4,cols=4)", "connectn(rows=4, cols=4, k=3)", "4×4, 3 in a row"),
    ],
)
def test_games_are_read_forgivingly(text, canonical, title):
    game = load_game(text)
    assert (game.text, game.title) == (canonical, title)
    assert game == load_game(canonical)
    assert hash(game) == hash(load_game(canonical))


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", "tictactoe, connectn, gomoku, connect4"),
        ("chess", "tictactoe, connectn, gomoku, connect4"),
        ("connect4(rows=6", "tictactoe, connectn, gomoku, connect4"),
        ("tictactoe(k=4)", "takes no parameters"),
        ("connectn", "takes rows from 2 to 19, cols from 2 to 19, k from 2 to 19"),
        ("connectn(rows=4, cols=4)", "k is missing"),
        ("connectn(rows=1, cols=4, k=3)", "rows is from 2 to 19"),
        ("connectn(rows=20, cols=4, k=3)", "rows is from 2 to 19"),
        ("connectn(rows=4, cols=4, k=5)", "k is from 2 to 4"),
        ("connectn(rows=4, cols=4, k=three)", "k is from 2 to 19"),
        ("connectn(rows=4, rows=4, cols=4, k=3)", "rows is given twice"),
        ("connectn(4, 4, 3)", "takes rows from 2 to 19, cols from"),
        ("connectn(rows=4, cols=4, k=3,)", "takes rows from 2 to 19, cols from"),
        ("connectn(rows=-4, cols=4, k=3)", "rows is from 2 to 19"),
        ("gomoku(size=4)", "size is from 5 to 19"),
        ("gomoku(rule=lasker)", "rule is one of freestyle"),
        ("gomoku(board=9)", "takes size from 5 to 19, rule one of freestyle"),
        ("connect4(rows=8)", r"\(rows \+ 1\) \* cols is at most 62"),
        ("connect4(k=8)", "k is from 2 to 7"),
    ],
)
def test_bad_games_are_quoted_and_answered(text, allowed):
    with pytest.raises(BadGame, match=allowed) as caught:
        load_game(text)
    message = str(caught.value)
    assert repr(text) in message
    assert "\n" not in message


def test_connect4_moves_are_letters_or_columns_from_one():
    position = load_game("connect4").position("d d c 4")
    assert position.moves == (3, 3, 2, 3)
    assert position.diagram().splitlines() == [
        ". . . . . . .",
        ". . . . . . .",
        ". . . . . . .",
        ". . . O . . .",
        ". . . O . . .",
        ". . X X . . .",
        "X to move, last d",
    ]


def test_grid_moves_are_names_or_actions_from_zero():
    position = load_game("tictactoe").position("0 3, 1 c1")
    assert position.moves == (0, 3, 1, 8)
    assert position.diagram() == "X X .\nO . .\n. . O\nX to move, last c1"
    assert load_game("tictactoe").position("  ") == load_game("tictactoe").initial()
    assert load_game("tictactoe").initial().diagram().endswith("\nX to move")


@pytest.mark.parametrize(
    ("game", "text", "allowed"),
    [
        ("tictactoe", "d1", "a1 to c3, or a number from 0 to 8"),
        ("tictactoe", "9", "a1 to c3, or a number from 0 to 8"),
        ("tictactoe", "", "a1 to c3"),
        ("gomoku", "o16", "a1 to o15, or a number from 0 to 224"),
        ("connect4", "0", "a to g, or a number from 1 to 7"),
        ("connect4", "8", "a to g, or a number from 1 to 7"),
        ("connect4", "d4", "a to g, or a number from 1 to 7"),
        ("connect4", "-1", "a to g, or a number from 1 to 7"),
        ("connect4", "²", "a to g, or a number from 1 to 7"),
    ],
)
def test_unknown_moves_are_quoted_and_answered(game, text, allowed):
    with pytest.raises(ValueError, match=allowed) as caught:
        load_game(game).parse_action(text)
    assert repr(text) in str(caught.value)


def test_an_illegal_move_in_a_list_says_where():
    with pytest.raises(
        IllegalMove, match=r"move 'b2' \(action 4\) is not legal in tictactoe after b2 a1: the place is taken"
    ):
        load_game("tictactoe").position("b2 a1 b2 c3")


EMPTY_ROWS = ". . . . . . .\n" * 5


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("tictactoe", "X . .\n. . .", "2 rows and the board has 3"),
        ("tictactoe", "X . .\n. . .\n. . .\n. . .", "4 rows and the board has 3"),
        ("tictactoe", "\n", "0 rows and the board has 3"),
        ("tictactoe", "X . . .\n. . .\n. . .", r"'X . . .' has 4 cells and the board has 3 columns"),
        ("tictactoe", "X . ?\n. . .\n. . .", r"'X . \?' has '\?', and a cell is '.', 'X' or 'O'"),
        ("tictactoe", "2 X . .\n1 . . .\n0 . . .", "numbered 2 and from the bottom it is 3"),
        ("tictactoe", "X X .\n. . .\n. . .", "2 X and 0 O"),
        ("tictactoe", "X . .\nO O .\n. . .", "1 X and 2 O"),
        ("tictactoe", "X . .\n. . .\n. . .\nX to move", "X to move, and with 1 X and 0 O it is O's turn"),
        (
            "tictactoe",
            "X . .\n. . .\n. . .\nO to move, last b2",
            "last move b2 is not a stone of the player who just moved",
        ),
        ("tictactoe", "X . .\n. O .\n. . .\nX to move, last a3", "last move a3 is not a stone"),
        ("tictactoe", ". . .\n. . .\n. . .\nX to move, last a1", "last move a1 is not a stone"),
        ("tictactoe", "X . .\n. . .\n. . .\nO to move, last z9", "unknown move 'z9'"),
        ("tictactoe", "X . .\n. . .\n. . .\nwhite to move", "4 rows|'white to move' has 'W'"),
        ("tictactoe", "X X X\nO O O\n. . .", "both sides have 3 in a row"),
        ("tictactoe", "X X X\nO O .\nO . .", "X is to move and already has 3 in a row"),
        ("tictactoe", "X X X\nO O .\n. . .\nO to move, last b2", "last move b2 is not a stone"),
        (
            "connectn(rows=4, cols=4, k=3)",
            "X X X .\n. . . .\nO O . X\nO . . .\nO to move, last d2",
            "without the last move",
        ),
        ("connectn(rows=4, cols=4, k=2)", "X X . .\n. . . .\nO . O .\n. . X X", "without the last move|2 O"),
        ("connect4", ". . . X . . .\n" + EMPTY_ROWS, "disc at d6 has nothing under it"),
        ("connect4", EMPTY_ROWS + "X O X O . . .\nX to move, last c", "last move c does not end in a disc"),
        ("connect4", EMPTY_ROWS + "X O . . . . .\nX to move, last e", "last move e does not end in a disc"),
        ("connect4", EMPTY_ROWS.replace(".", "X", 1) + "X O . . . . .", "disc at a6 has nothing under it"),
        (
            "connect4",
            ". . . . . . .\n" * 3 + "O . . . . . .\nO O . . . . .\nX X X X . O .\nX to move",
            "X is to move and already has 4 in a row",
        ),
        (
            "connect4",
            ". . . . . . .\n" * 4 + "O O O . . . .\nX X X X . . .\nO to move, last d",
            None,
        ),
        (
            "connect4",
            ". . . . . . .\n" * 3 + "X . . . . . .\nO O O . . . .\nX X X X O . .\nO to move, last a",
            "without the last move, so the game was over before it",
        ),
    ],
)
def test_impossible_diagrams_are_quoted_and_explained(game, text, reason):
    if reason is None:
        assert load_game(game).parse_diagram(text).winning_cells == (35, 36, 37, 38)
        return
    with pytest.raises(ValueError, match=reason) as caught:
        load_game(game).parse_diagram(text)
    message = str(caught.value)
    assert message.startswith("bad diagram '")
    assert text.strip().split("\n")[0].strip() in message
    assert game in message
    assert "\n" not in message


def test_very_long_diagrams_are_cut_in_the_message():
    with pytest.raises(ValueError, match="…") as caught:
        load_game("gomoku").parse_diagram("X" * 5000 + "\n.")
    assert len(str(caught.value)) < 6000


def test_a_won_board_without_a_last_move_may_have_two_lines_through_one_stone():
    game = load_game("tictactoe")
    both = game.parse_diagram("X X X\nX O O\nX O O")
    assert both.returns == (1, -1)
    assert both.winning_cells == (0, 1, 2, 3, 6)
    assert both.last_action == -1
    with pytest.raises(ValueError, match="without the last move"):
        game.parse_diagram("X X X\nX O O\nX O O\nO to move, last c3")


def test_overlines_win():
    gomoku = load_game("gomoku")
    six = gomoku.position("a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1")
    assert six.returns == (1, -1)
    assert len(six.winning_cells) == 6
    five = load_game("connect4(cols=8, k=4)").position("a a b b c c e e f f d")
    assert five.returns == (1, -1)
    assert [five.game.shape[1] * 5 + col for col in range(6)] == list(five.winning_cells)


def test_planes_move_with_their_symmetry():
    game = load_game("tictactoe")
    planes = np.arange(9).reshape(1, 3, 3)
    assert game.transform_planes(planes, 0).tolist() == planes.tolist()
    assert game.transform_planes(planes, 1).tolist() == [[[2, 1, 0], [5, 4, 3], [8, 7, 6]]]
