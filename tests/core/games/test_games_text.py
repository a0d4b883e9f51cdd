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
    name = draw(st.sampled_from(sorted(name for name, family in GAMES.items() if not family.whole)))
    if name == "tictactoe":
        return load_game("tictactoe")
    if name == "gomoku":
        rule = draw(st.sampled_from(["freestyle", "standard", "renju"]))
        return load_game(f"gomoku(size={draw(st.integers(5, 22))}, rule={rule})")
    if name == "othello":
        return load_game(f"othello(size={draw(st.sampled_from(range(4, 17, 2)))}, passes={draw(yes_or_no)})")
    if name == "nim":
        heaps = draw(st.lists(st.integers(1, 50), min_size=1, max_size=6))
        most = draw(st.sampled_from(["usual", "any", "1", "3", "50"]))
        return load_game(f"nim(heaps={'-'.join(map(str, heaps))}, max_take={most})")
    if name == "go":
        shape = f"rows={draw(sides)}, cols={draw(sides)}"
        rules = draw(st.sampled_from(["tromp-taylor", "chinese", "aga", "new-zealand", "japanese", "korean"]))
        komi = draw(st.sampled_from(["usual", "0", "-2.5", "7.0", "12.5"]))
        ko = draw(st.sampled_from(["usual", "simple", "positional", "situational"]))
        tax = draw(st.sampled_from(["usual", "none", "seki", "all"]))
        suicide, button = draw(yes_or_no), "no" if rules in ("japanese", "korean") else draw(yes_or_no)
        words = f"ko={ko}, suicide={suicide}, tax={tax}, button={button}"
        return load_game(f"go({shape}, rules={rules}, komi={komi}, {words})")
    sides_of_name = sides if name == "connect4" else st.integers(2, 22)
    rows = draw(sides_of_name)
    cols = draw(st.integers(2, min(19, 64 // (rows + 1))) if name == "connect4" else sides_of_name)
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
def test_any_position_round_trips_through_its_diagram(game, choose, plies):
    position = game.initial()
    while position.ply < plies and not position.is_over:
        position = position.play(choose.choice(position.legal_actions()))
    read = game.parse_diagram(position.diagram())
    assert (read == position) or (game.captures and read.diagram() == position.diagram())
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
        ("connect4(K=4, cols=7,rows = 6)", "connect4", "Connect Four"),
        ("connect4(k=3)", "connect4(k=3)", "Connect Four, 3 in a row"),
        ("gomoku", "gomoku", "Gomoku 15×15"),
        ("GOMOKU (size=09)", "gomoku(size=9)", "Gomoku 9×9"),
        ("connectn(k=3,rows=4,cols=4)", "connectn(rows=4, cols=4, k=3)", "4×4, 3 in a row"),
        ("gomoku(rule=Standard)", "gomoku(rule=standard)", "Gomoku 15×15, exactly five"),
        ("gomoku(rule=renju, size=13)", "gomoku(size=13, rule=renju)", "Renju 13×13"),
        ("othello(passes=no, size=6)", "othello(size=6, passes=no)", "Othello 6×6, no passes"),
        ("nim(heaps=15, max_take=3)", "nim", "Nim 15, take 1–3"),
        ("nim(max_take=any)", "nim(max_take=15)", "Nim 15, take any number"),
        ("nim(heaps=2)", "nim(heaps=2)", "Nim 2, take any number"),
        ("nim(heaps=3 - 4 - 5, max_take=9)", "nim(heaps=3-4-5)", "Nim 3–4–5, take any number"),
        ("nim(heaps=3-4-5, max_take=1)", "nim(heaps=3-4-5, max_take=1)", "Nim 3–4–5, take 1"),
        ("nim(misere=yes)", "nim(misere=yes)", "Nim 15, take 1–3, the last chip loses"),
    ],
)
def test_spellings_of_a_game_are_normalised(text, canonical, title):
    game = load_game(text)
    assert (game.text, game.title) == (canonical, title)
    assert game == load_game(canonical)
    assert hash(game) == hash(load_game(canonical))


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", "tictactoe, connectn, gomoku, connect4, othello, go, nim"),
        ("chess", "tictactoe, connectn, gomoku, connect4, othello, go, nim"),
        ("tictactoe(k=4)", "takes no parameters"),
        (
            "connectn",
            "takes rows: a whole number from 2 to 22, cols: a whole number from 2 to 22, k",
        ),
        ("connectn(rows=4, cols=4)", "k is missing"),
        ("connectn(rows=1, cols=4, k=3)", "it must be a whole number from 2 to 22"),
        ("connectn(rows=4, cols=4, k=5)", "k is from 2 to 4"),
        ("connectn(rows=4, rows=4, cols=4, k=3)", "rows is given twice"),
        ("gomoku(size=4)", "size is '4'; it must be a whole number from 5 to 22"),
        ("gomoku(rule=lasker)", "rule is 'lasker'; it must be one of freestyle, standard, renju"),
        ("othello(size=7)", "size=7 is not even, size is one of 4, 6, 8, 10, 12, 14, 16"),
        ("othello(passes=maybe)", "passes is 'maybe'; it must be one of yes, no"),
        ("nim(heaps=3-4-0)", "it must be 1 to 6 heaps of 1 to 50 chips as in 3-4-5"),
        ("nim(heaps=1-1-1-1-1-1-1)", "it must be 1 to 6 heaps of 1 to 50 chips as in 3-4-5"),
        ("nim(max_take=some)", "it must be a number from 1, any, or usual"),
        ("nim(chips=3)", "nim takes heaps: 1 to 6 heaps of 1 to 50 chips as in 3-4-5, max_take: a number from 1"),
        ("connect4(rows=8, cols=8)", r"\(rows \+ 1\) \* cols is at most 64"),
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
        ("gomoku", "o16", "a1 to o15, or a number from 0 to 224"),
        ("connect4", "0", "a to g, or a number from 1 to 7"),
        ("connect4", "d4", "a to g, or a number from 1 to 7"),
        ("connect4", "²", "a to g, or a number from 1 to 7"),
        ("othello", "i1", "a1 to h8 or pass, or a number from 0 to 64"),
        ("othello(passes=no)", "pass", "a1 to h8, or a number from 0 to 63"),
        ("nim(heaps=3-4-5)", "4:1", "1:1 to 3:5, or a number from 0 to 14"),
    ],
)
def test_unknown_moves_are_quoted_and_answered(game, text, allowed):
    with pytest.raises(ValueError, match=allowed) as caught:
        load_game(game).parse_action(text)
    assert repr(text) in str(caught.value)


def test_an_illegal_move_in_a_list_says_where():
    with pytest.raises(IllegalMove, match=r"move 'b2' is not legal in tictactoe after b2 a1: the place is taken"):
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
        ("tictactoe", "X . .\n. . .\n. . .\ngreen to move", "4 rows|'green to move' has 'G'"),
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


@pytest.mark.parametrize(
    ("game", "text", "name"),
    [
        ("nim", "1:2", "2"),
        ("nim", "Take 1 from heap 1", "1"),
        ("nim(heaps=3-4-5)", "2-3", "2:3"),
        ("nim(heaps=3-4-5)", "take 5 from heap 3", "3:5"),
        ("nim(heaps=3-4-5)", "14", "3:5"),
        ("othello", "PASS", "pass"),
        ("othello", "--", "pass"),
        ("othello", "D3", "d3"),
    ],
)
def test_moves_have_other_spellings(game, text, name):
    spec = load_game(game)
    assert spec.action_name(spec.parse_action(text)) == name


def test_othello_rows_are_numbered_from_the_top():
    game = load_game("othello")
    assert game.initial().diagram().splitlines()[3:5] == [". . . O X . . .", ". . . X O . . ."]
    assert [game.action_name(action) for action in game.initial().legal_actions()] == ["d3", "c4", "f5", "e6"]
    position = game.position("f5 d6")
    assert position.last_action == 5 * 8 + 3
    assert position.diagram().splitlines()[3:] == [
        ". . . O X . . .",
        ". . . O X X . .",
        ". . . O . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        "X to move, last d6",
    ]
    with pytest.raises(IllegalMove, match=r"move 'a1' .*: it turns no disc"):
        position.play(0)
    with pytest.raises(IllegalMove, match=r"'pass' .* a pass is for a player who has no other move"):
        position.play(64)


# Black takes every disc in nine moves.
WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"


def test_othello_ends_when_nobody_can_move():
    position = load_game("othello").position(WIPE_OUT)
    assert position.is_over
    assert position.returns == (1, -1)
    assert position.winning_cells == ()
    assert (position.cells() == 2).sum() == 0
    assert load_game("othello").parse_diagram(position.diagram()) == position


PASS_DUE = "X O . .\nX X X .\nX X X X\nX X X X\n{} to move"


def test_othello_passes():
    game = load_game("othello(size=4)")
    stuck = game.parse_diagram(PASS_DUE.format("O"))
    assert stuck.legal_actions() == (16,)
    passed = stuck.play(16)
    assert (passed.to_move, passed.ply, passed.last_action) == (0, stuck.ply + 1, 16)
    assert passed.diagram().endswith("X to move, last pass")
    assert game.parse_diagram(passed.diagram()) == passed
    assert passed.legal_actions() == (2,)
    assert passed.play(2).is_over
    ended = load_game("othello(size=4, passes=no)").parse_diagram(PASS_DUE.format("O"))
    assert ended.returns == (1, -1)
    with pytest.raises(ValueError, match="its last move is a pass, and X could not pass there"):
        game.parse_diagram(PASS_DUE.format("O") + ", last pass")
    with pytest.raises(ValueError, match="four middle cells is empty"):
        game.parse_diagram(". . . .\n. X O .\n. O . .\n. . . .\nX to move")
    with pytest.raises(ValueError, match="after 9 moves without a pass it is O's turn"):
        load_game("othello(size=4, passes=no)").parse_diagram(PASS_DUE.format("X"))


def test_nim_diagrams():
    game = load_game("nim(heaps=3-4-5)")
    position = game.position("2:3 1:1")
    assert position.diagram() == "X X . . .\nX . . . .\nX X X X X\nX to move, last 1:1"
    assert position.planes()[1].tolist() == [[0, 0, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    assert position.planes()[2].tolist() == [[0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    assert game.parse_diagram(position.diagram()).ply == 2
    for rows, reason in {
        "X . X . .\nX . . . .\nX . . . .\nX to move": "heap 1 is not a row of X from the left",
        "O . . . .\nX . . . .\nX . . . .\nX to move": "heap 1 is not a row of X from the left",
        "X X X X .\nX . . . .\nX . . . .\nX to move": "heap 1 has 4 chips and the game begins with 3",
        "X X X . .\nX X X X .\nX X X X X\nO to move": "O to move, which these chips do not allow",
        "X X X . .\nX X X . .\nX X X X X\nO to move, last 2:2": "its last move took 2 from heap 2, more than is gone",
    }.items():
        with pytest.raises(ValueError, match=reason):
            game.parse_diagram(rows)
    with pytest.raises(IllegalMove, match="heap 2 has 1 chip left"):
        position.play(game.parse_action("2:2"))
