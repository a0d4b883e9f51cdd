"""Go: rules, names and rollouts against the slow reference, facts about ko, suicide, button and counts."""

import itertools
import random

import numpy as np
import pytest

from core._jit import jit
from core.games import IllegalMove, dispatch, load_game
from core.games.go_board import BONUS, COUNT, MARGIN, PRISONERS, action_of
from core.games.go_score import margin_of
from core.games.info import PLY
from core.games.perft import perft
from core.glass.redo import random_moves
from core.rng import make_rng
from tests.core.games.reference_go import ReferenceGo
from tests.tiers import slow_but

KOMI = {"tromp-taylor": 7.5, "chinese": 7.5, "aga": 7.5, "new-zealand": 7.0, "japanese": 6.5, "korean": 6.5}
RESULTS = {
    "ongoing": dispatch.ONGOING,
    "first": dispatch.FIRST_WINS,
    "second": dispatch.SECOND_WINS,
    "draw": dispatch.DRAW,
}


@jit
def step_to(state, action, out):
    """Play unless the action is negative; the legal moves after it."""
    if action >= 0:
        dispatch.play(state, action)
    return dispatch.legal(state, out)


@jit
def roll(state, root, rng):
    dispatch.copy(state, root)
    return dispatch.rollout(state, rng)


@jit
def tactical_roll(state, root, rng, spare):
    dispatch.copy(state, root)
    return dispatch.tactical_rollout(state, rng, spare)


def pair(rows, cols, **rules):
    """A game and the reference for it."""
    reference = ReferenceGo(rows, cols, **rules)
    if rules.pop("territory", False):
        rules["rules"] = "japanese"
    words = {name: ("yes" if value is True else "no" if value is False else value) for name, value in rules.items()}
    text = ", ".join(f"{name}={value}" for name, value in {"rows": rows, "cols": cols, **words}.items())
    return load_game(f"go({text})"), reference


def moves_of(game, text):
    return [game.parse_action(word) for word in text.split()]


SMALL = [(2, 2), (2, 3), (3, 3), (4, 3), (5, 5), (2, 9)]
LARGE = [(7, 7), (9, 9), (6, 13), (13, 13), (19, 19)]
VARIANTS = [
    {"ko": ko, "suicide": suicide, "button": button, "komi": komi}
    for (ko, suicide, button), komi in zip(
        itertools.product(("simple", "positional", "situational"), (False, True), (False, True)),
        itertools.cycle((0, 0.5, 7, 7.5, -3)),
        strict=False,
    )
]
SCORING = [
    {"ko": "simple", "suicide": suicide, "komi": komi, "tax": tax, "territory": territory}
    for suicide, komi, tax, territory in [
        (False, 0.5, "seki", False),
        (True, 2, "all", False),
        (False, 0, "none", True),
        (True, 6.5, "seki", True),
        (False, -1, "all", True),
    ]
]


@pytest.mark.parametrize("rules", VARIANTS + SCORING, ids=str)
@pytest.mark.parametrize("size", slow_but([*SMALL, (7, 7)], SMALL + LARGE), ids=str)
def test_random_games_agree_with_the_reference(size, rules):
    """Moves that fill eyes are taken less often in some games, so that these end in scores, and passes are rare."""
    rows, cols = size
    cells = rows * cols
    choose = random.Random(cells + 7 * (VARIANTS + SCORING).index(rules))
    out = np.zeros(cells + 1, np.int16)
    for _ in range(12 if cells < 30 else 1):
        game, reference = pair(rows, cols, **rules)
        state, action = game.new_state(), -1
        most = 120 if cells > 60 else 400
        passing = choose.choice((0.02, 0.1, 0.3))
        while len(reference.moves) < most:
            count = step_to(state, action, out)
            legal = reference.legal()
            assert out[:count].tolist() == legal
            assert dispatch.result(state) == RESULTS[reference.result()]
            assert game.board.cells(state).tolist() == reference.board
            assert state.info[PRISONERS : PRISONERS + 2].tolist() == reference.prisoners
            if not legal:
                if reference.ended in ("passes", "cap"):
                    assert state.info[MARGIN] == 2 * reference.margin()
                break
            stones = legal[:-1]
            action = choose.choice(stones) if stones and choose.random() > passing else cells
            reference.play(action)


def test_random_games_meet_every_rule():
    """The games above are worth something only if they come to each of these."""
    met = set()
    for rules in VARIANTS:
        choose = random.Random(5)
        for side, passing in ((2, 0.3), (3, 0.2), (4, 0.01)) * 8:
            _, reference = pair(side, side, **rules)
            while not reference.ended:
                met |= {reference.refusal(divmod(i, side)) for i in range(side * side)}
                passes = choose.random() < passing
                action = side * side if passes else choose.choice(reference.legal())
                second = reference.passes
                reference.play(action)
            met.add("pass where a pass was before" if reference.ended == "passes" and not second else reference.ended)
    expected = {"taken", "ko", "suicide", "repetition", "passes", "pass where a pass was before"}
    assert met - {"cap"} == {"", *expected}


def plain_perft(reference, depth):
    legal = reference.legal()
    if depth == 0 or not legal:
        return 1
    total = 0
    for action in legal:
        child = reference.copy()
        child.play(action)
        total += plain_perft(child, depth - 1)
    return total


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize(
    ("rows", "cols", "depth"), [(2, 2, 7), (2, 3, 5), pytest.param(3, 3, 4, marks=pytest.mark.slow)]
)
def test_perft(rows, cols, depth, ko):
    game, reference = pair(rows, cols, ko=ko)
    assert perft(game.initial(), depth) == plain_perft(reference, depth)


def test_perft_of_empty_boards():
    """Without captures each line is an arrangement of points and passes."""
    two_stones = 81 * 80 * 80
    assert [perft(load_game("go(size=9)").initial(), depth) for depth in (1, 2)] == [82, 81 * 81 + 82]
    assert perft(load_game("go(size=9)").initial(), 3) == two_stones + 2 * 81 * 81 + 1
    assert perft(load_game("go").initial(), 2) == 361 * 361 + 362


# Names, parameters and diagrams.


def test_names():
    game = load_game("go")
    assert (game.action_name(0), game.action_name(8), game.action_name(18)) == ("a19", "j19", "t19")
    assert (game.action_name(342), game.action_name(360), game.action_name(361)) == ("a1", "t1", "pass")
    assert game.parse_action("Q16") == 3 * 19 + 15
    assert game.parse_action("--") == 361
    assert game.moves_in_words() == "a1 to t19 or pass, or a number from 0 to 361"
    with pytest.raises(ValueError, match="unknown move 'i5' in go"):
        game.parse_action("i5")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("go(size=19, rules=tromp-taylor, komi=7.5)", "go"),
        ("go(rows=9, cols=9)", "go(size=9)"),
        ("go(size=9, cols=7)", "go(rows=9, cols=7)"),
        ("go(komi=7.0)", "go(komi=7)"),
        ("go(komi=-0.5, rules=chinese, ko=simple)", "go(rules=chinese, komi=-0.5)"),
        ("go(rules=aga, suicide=yes, button=yes)", "go(rules=aga, suicide=yes, button=yes)"),
        ("go(rules=new-zealand, komi=7, ko=positional)", "go(rules=new-zealand, ko=positional)"),
    ],
)
def test_one_text_for_one_game(text, canonical):
    assert load_game(text).text == canonical
    assert load_game(canonical).params == load_game(text).params


@pytest.mark.parametrize("text", ["go(size=1)", "go(size=20)", "go(komi=6.25)", "go(komi=much)", "go(ko=none)"])
def test_bad_parameters(text):
    with pytest.raises(ValueError, match="it must be"):
        load_game(text)


def test_no_button_where_territory_is_counted():
    with pytest.raises(ValueError, match="the button goes with rules that count area, and korean counts territory"):
        load_game("go(rules=korean, button=yes)")


@pytest.mark.parametrize("rules", KOMI)
def test_rule_sets(rules):
    game = load_game(f"go(rules={rules})")
    assert game.params["komi"] == KOMI[rules]
    simple = rules in ("chinese", "japanese", "korean")
    assert (game.params["ko"] == "simple") == simple
    assert game.params["suicide"] == (rules in ("tromp-taylor", "new-zealand"))
    assert game.params["tax"] == ("seki" if rules in ("japanese", "korean") else "none")


def test_diagrams():
    game = load_game("go(size=9)")
    position = game.position("e5 pass j9")
    rows = position.diagram().splitlines()
    numbered = [f"{9 - i} {row}" for i, row in enumerate(rows[:-1])]
    read = game.parse_diagram("\n".join(["a b c d e f g h j", *numbered, rows[-1]]))
    assert read.diagram() == position.diagram()
    assert read == game.parse_diagram(position.diagram()) != position
    assert game.parse_diagram(position.diagram()).ply == 3
    assert game.parse_diagram(game.position("pass").diagram()).ply == 1
    with pytest.raises(ValueError, match="stones without a liberty"):
        load_game("go(size=2)").parse_diagram("X X\nX X\nO to move")
    with pytest.raises(ValueError, match="its last move a2 is not a stone of the player who just moved"):
        load_game("go(size=2, suicide=no)").parse_diagram("X .\n. .\nX to move, last a2")


def test_handicap():
    """White gets a point for each stone under Chinese rules, one less under AGA rules, nothing under others.

    Where territory is counted, the three stones themselves are no points."""
    for rules, points in {"chinese": 3, "aga": 2, "tromp-taylor": 0, "japanese": 3}.items():
        for komi, result in ((6 - points - 0.5, dispatch.FIRST_WINS), (6 - points + 0.5, dispatch.SECOND_WINS)):
            game = load_game(f"go(rows=2, cols=3, rules={rules}, komi={komi})")
            start = game.parse_diagram("X . X\n. X .\nO to move")
            assert start.to_move == 1
            assert start.play(6).play(6).result == result
    game = load_game("go(size=9, rules=chinese, komi=0)")
    assert game.parse_diagram("X . . . . . . . .\n" + 8 * (9 * ". " + "\n") + "O to move").state.info[BONUS] == 0


# Single rules.


def test_ko():
    game = load_game("go(size=5)")
    moves = "b5 c5 a4 d4 c4 pass b3 c3 pass b4"
    position = game.position(moves)  # white took c4
    assert position.cells()[1, 2] == 0
    with pytest.raises(IllegalMove, match="it retakes a ko at once"):
        position.play(game.parse_action("c4"))
    later = position.play(25).play(25)
    assert later.is_over
    threat = position.play(game.parse_action("e1")).play(game.parse_action("a1"))
    assert game.parse_action("c4") in threat.legal_actions()


def test_suicide():
    game = load_game("go(size=3, suicide=no)")
    for text in ("go(size=3, suicide=no)", "go(size=3)"):
        position = load_game(text).parse_diagram(". O .\nO . .\n. . .\nX to move")
        with pytest.raises(IllegalMove, match="the stone would have no liberty"):
            position.play(0)
    several = ". X O\nO O O\n. . .\nX to move"
    with pytest.raises(IllegalMove, match="the stone would have no liberty"):
        game.parse_diagram(several).play(0)
    after = load_game("go(size=3)").parse_diagram(several).play(0)
    assert after.cells().tolist() == [[0, 0, 2], [2, 2, 2], [0, 0, 0]]
    assert after.last_action == 0
    assert load_game("go(size=3)").parse_diagram(after.diagram()).diagram() == after.diagram()


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_third_repetition_is_no_result(rules):
    """Send two, return one: with simple ko the third occurrence with the same player to move ends the game."""
    game = load_game(f"go(size=2, rules={rules}, komi=0)")
    choose = random.Random(1)
    ends = set()
    for _ in range(300):
        position, reference = game.initial(), ReferenceGo(2, 2, 0, "simple", False, tax=game.params["tax"])
        reference.territory = rules == "japanese"
        while not position.is_over:
            action = choose.choice(position.legal_actions()[:-1] or (4,))
            position = position.play(action)
            reference.play(action)
        assert position.result == RESULTS[reference.result()]
        ends.add(reference.ended)
        if reference.ended == "repetition":
            assert position.returns == (0, 0)
    assert "repetition" in ends


def test_button():
    """The first pass takes half a point and ends nothing; two more passes end the game."""
    for first, margin in (("pass pass pass", 1), ("a1 pass pass pass", 2 * 4 - 1)):
        game = load_game("go(size=2, komi=0, button=yes)")
        position = game.position(first)
        assert position.is_over
        assert position.state.info[MARGIN] == margin
        assert not game.position(first.rpartition(" ")[0]).is_over


def test_length_is_limited():
    game = load_game("go(size=5, rules=chinese)")
    choose = random.Random(4)
    longest, results = 0, set()
    for _ in range(4):
        position = game.initial()
        while not position.is_over:
            stones = position.legal_actions()[:-1]
            position = position.play(choose.choice(stones) if stones else 25)
        longest = max(longest, position.ply)
        if position.ply == game.max_plies:
            margin = position.state.info[MARGIN]
            assert margin == margin_of(position.state)
            results.add((int(np.sign(margin)), position.result))
    assert longest == game.max_plies == 179
    assert results <= {(1, dispatch.FIRST_WINS), (-1, dispatch.SECOND_WINS), (0, dispatch.DRAW)}
    assert len(results) > 1


@pytest.mark.parametrize(
    ("board", "margins"),
    [
        # Both groups touch neutral points: they keep their stones, 4 and 3, and lose their territory, 2 and 1.
        (". . X . O .\nX X X . O O\nO to move", {"area": (2, 1, 1), "territory": (1, 0, 0)}),
        # Black has two groups and white one, each with two eyes.
        (". X X O O . O X X .\nX . X O . O O X . X\nO to move", {"area": (4, 4, 2), "territory": (2, 2, 0)}),
    ],
)
def test_tax(board, margins):
    for rules, kind in (("tromp-taylor", "area"), ("japanese", "territory")):
        for tax, margin in zip(("none", "seki", "all"), margins[kind], strict=True):
            cols = len(board.split("\n")[0].split())
            game = load_game(f"go(rows=2, cols={cols}, rules={rules}, komi=0, tax={tax})")
            end = game.parse_diagram(board).play(2 * cols).play(2 * cols)
            assert dispatch.margin(end.state) == margin


# Rollouts.


@pytest.mark.slow
@pytest.mark.parametrize("tactical", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("text", ["go(size=2)", "go(rows=4, cols=7, rules=aga)", "go(size=9, rules=chinese)", "go"])
def test_rollouts_are_legal_games_that_fill_no_eyes(text, tactical):
    game = load_game(text)
    rows, cols = game.shape
    rules = game.params
    out = np.zeros(game.num_actions, np.int16)
    rng = make_rng(3)
    for _ in range(3):
        state, played = game.new_state(), game.new_state()
        spare = (game.new_spare(),) if tactical else ()
        result = (tactical_roll if tactical else roll)(state, game.new_state(), rng, *spare)
        reference = ReferenceGo(rows, cols, rules["komi"], rules["ko"], rules["suicide"])
        step_to(played, -1, out)
        moves = [action_of(state, int(point)) for point in state.moves[: state.info[COUNT] - 1]]
        assert len(moves) == state.info[PLY]
        for action in moves:
            count = step_to(played, -1, out)
            assert action in out[:count]
            open_moves = []
            for other in out[: count - 1].tolist() if rows * cols < 90 else []:
                around = reference.near(divmod(other, cols))
                mine = 1 + reference.to_move
                if any(reference.board[r][c] != mine for r, c in around):
                    open_moves.append(other)
            assert action < rows * cols or not open_moves
            step_to(played, action, out)
            reference.play(action)
        assert dispatch.result(played) == result
        assert reference.ended == "passes"
        assert RESULTS[reference.result()] == result
        assert game.board.cells(state).tolist() == reference.board
        # What is left empty are eyes, or points that neither side may or wants to fill.
        assert sum(row.count(0) for row in reference.board) < max(4, rows * cols // 2)


def test_first_moves_of_rollouts_are_uniform():
    game = load_game("go(size=3)")
    root = game.parse_diagram(". O .\n. O O\nX . X\nX to move")
    legal = root.legal_actions()[:-1]
    counts = np.zeros(10, np.int64)
    state, rng, number = game.new_state(), make_rng(9), 6000
    for _ in range(number):
        roll(state, root.state, rng)
        counts[action_of(state, int(state.moves[0]))] += 1
    assert counts.sum() == counts[list(legal)].sum()
    mean = number / len(legal)
    assert (abs(counts[list(legal)] - mean) < 5 * np.sqrt(mean)).all()


def test_tactical_rollouts_capture_and_escape():
    game = load_game("go(size=5)")
    captures = game.parse_diagram(". . . . .\n. . X . .\n. X O X .\n. . . . .\n. . . . .\nX to move, last c3")
    escapes = game.parse_diagram(". . . . .\n. . X . .\n. X O X .\n. . . . .\n. . . . .\nO to move, last c4")
    for root, reply in ((captures, "c2"), (escapes, "c2")):
        for seed in range(5):
            state = root.state
            with np.errstate(over="ignore"):
                # interpreted: compiling it takes seconds
                dispatch.tactical_rollout(state, make_rng(seed), game.new_spare())
            assert game.action_name(action_of(state, int(state.moves[0]))) == reply


def test_moves_of_rollouts_cost_no_points_where_territory_is_counted():
    game = load_game("go(size=5, rules=japanese, komi=0, tax=none)")
    root = game.parse_diagram("X . . . .\n. X X . .\n. . . O .\n. . . . .\n. . . . .\nO to move")
    state = game.new_state()
    for seed in range(5):
        roll(state, root.state, make_rng(seed))
        end = ReferenceGo(5, 5)
        end.board = game.board.cells(state).tolist()
        assert dispatch.margin(state) == end.points() - 2


def test_rollouts_can_be_replayed():
    for text in ("go(size=5)", "go(size=9, rules=japanese)"):
        game = load_game(text)
        position = game.position("c3 d4 pass")
        moves = random_moves(position, make_rng(5))
        assert moves is not None
        state = game.new_state()
        roll(state, position.state, make_rng(5))
        for action in moves:
            position = position.play(action)
        assert position.is_over
        assert position.cells().tolist() == game.board.cells(state).tolist()


@pytest.mark.parametrize(("text", "most"), [("go(size=9)", 2800), ("go", 9500)])
def test_bytes_copied(text, most):
    """What a search copies for each simulation, from the middle of a game: of the captures only few points."""
    state = load_game(text).new_state()
    partly = (state.scratch, state.history, state.moves, state.taken)
    whole = sum(array.nbytes for array in state) - sum(array.nbytes for array in partly)
    assert whole + 10 * state.dims[0] * state.dims[1] < most


def test_equal_positions_have_the_same_past():
    """Either order of two stones leads to the same board, but superko may forbid other moves later."""
    game = load_game("go(size=2)")
    one, other = game.position("a1 pass b2"), game.position("b2 pass a1")
    assert one.cells().tolist() == other.cells().tolist()
    assert one != other
    assert game.position("a1 pass b2") == one
    assert hash(game.position("a1 pass b2")) == hash(one)
    assert game.position("a1 pass b2 pass") != game.position("b2 pass a1 pass")
