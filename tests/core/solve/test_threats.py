"""Threats: what they are, and what they say at a leaf."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core._jit import jit
from core.games import Position, load_game
from core.solve.solver import Solver
from core.solve.threats import KIND_NAMES, Pattern, make_scout, refusal, threats
from core.solve.threats_falling import searched_outcome
from core.solve.threats_leaf import (
    DRAWN,
    UNKNOWN_PLIES,
    NoThreats,
    boost_priors,
    leaf_boosts,
    leaf_outcome,
    outcome,
    prior_boost,
    write_boosts,
)
from core.solve.threats_lines import (
    DIRECTIONS,
    FIVE,
    FOUR,
    NONE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    THREE,
    TWO,
    Threats,
    classify,
    load,
    make_threats,
    put,
    take,
)

# A whole line of nine points; * is the point played by X.
FREE = {
    FIVE: ("..XXXX*..", "XX*XX....", "....XX*XX", "OXXXX*O..", "XXXX*XX.."),
    OPEN_FOUR: ("..XXX*...", ".X*XX....", "...XX*X..", ".XXX*.O..", "X.XX*.X.."),
    FOUR: ("OXXX*....", "XXX*.....", "X.XX*O...", "XX*.X....", ".....*XXX", "O.XX*XO..", "X*.XX...."),
    OPEN_THREE: ("..XX*....", "..X*.X...", "..X.X*...", ".XX*.....", "O.XX*..O.", "....*XX..", ".X.X*.O.."),
    THREE: ("OXX*.....", "XX*......", "O.XX*.O..", "X..X*....", "X.X.*....", "......*XX", "...X*.XO."),
    OPEN_TWO: ("...X*....", "..X.*....", "..X..*...", "...*X.O..", ".X*......"),
    TWO: ("OX*......", "X..*.....", "X...*....", "O.X*..O..", "X*......."),
    NONE: ("OX*O.....", "O.X*.O...", "....*....", "*........", "O*OXXXX.."),
}
# Only exactly five wins.
EXACT = {
    FIVE: (".XXXX*...", "X.XXX*X..", "OXXXX*O.."),
    OPEN_FOUR: ("..XXX*...", ".XXX*.O.."),
    FOUR: (".XXX*.X..", "OXXX*...."),
    NONE: ("XXXX*X...", "XXX*XXX..", "X.XXX*.X."),
}
# Other k: (k, kind, line).
OTHER = (
    (4, FIVE, "..XX*X..."),
    (4, OPEN_FOUR, "..XX*...."),
    (4, OPEN_FOUR, "X.X*.X..."),
    (4, FOUR, "OXX*....."),
    (4, FOUR, "X.X*O...."),
    (4, OPEN_THREE, "..X*....."),
    (4, THREE, "OX*......"),
    (4, NONE, "....*...."),
    (3, OPEN_FOUR, "..X*....."),
    (3, FOUR, "X*......."),
    (3, OPEN_THREE, "....*...."),
    (3, THREE, "*........"),
    (6, FIVE, ".XXX*XX.."),
    (6, OPEN_FOUR, ".XXX*X..."),
    (6, OPEN_THREE, "..XXX*..."),
    (6, OPEN_TWO, "..XX*...."),
    (7, FOUR, "XXXXX*..."),
    (9, FIVE, "XXXX*XXXX"),
    (9, FOUR, "XXXX*XXX."),
)
CASES = [(5, False, kind, text) for kind, texts in FREE.items() for text in texts]
CASES += [(5, True, kind, text) for kind, texts in EXACT.items() for text in texts]
CASES += [(k, False, kind, text) for k, kind, text in OTHER]


def line_of(direction: int) -> list[int]:
    """The nine cells of a line through the middle of a 9×9 board, in the order of their numbers on it."""
    return [[36 + i, 9 * i + 4, 9 * i + 8 - i, 10 * i][direction] for i in range(9)]


@pytest.mark.parametrize(("k", "exact", "kind", "text"), CASES)
def test_points_are_classified_by_their_line(k: int, exact: bool, kind: int, text: str) -> None:
    t = make_threats(9, 9, k, (exact, exact))
    for turned in (text, text[::-1]):
        for direction in range(DIRECTIONS):
            line = line_of(direction)
            for side in range(2):
                cells = np.zeros(81, np.int8)
                for cell, symbol in zip(line, turned, strict=True):
                    cells[cell] = {"X": 1 + side, "O": 2 - side}.get(symbol, 0)
                load(t, cells)
                point = line[turned.index("*")]
                found = int(t.kinds[side, point, direction])
                assert KIND_NAMES[found] == KIND_NAMES[kind], (turned, direction, side)


def by_effect(own: int, blocked: int, p: int, k: int, exact: bool, length: int) -> int:
    """The kind by its meaning: what further stones on the line can make of the windows through p."""

    def shots(stones: int) -> int:
        found = 0
        for first in range(max(0, p - k + 1), min(p, length - k) + 1):
            window = ((1 << k) - 1) << first
            missing = window & ~stones
            flanks = ((1 << first) >> 1) | (1 << (first + k))
            if not window & blocked and missing.bit_count() == 1 and not (exact and stones & flanks):
                found |= missing
        return found

    def kind(stones: int, more: int) -> int:
        count = shots(stones).bit_count()
        if count:
            return OPEN_FOUR if count > 1 else FOUR
        if more == 0:
            return NONE
        free = [1 << i for i in range(length) if not (stones | blocked) >> i & 1]
        best = max((kind(stones | stone, more - 1) for stone in free), default=NONE)
        return max(NONE, best - 2)

    without = own & ~(1 << p)
    if shots(without) >> p & 1:
        return FIVE
    return kind(without | 1 << p, 2 if k >= 5 else 1)


@given(
    text=st.text("XO..", min_size=5, max_size=10),
    data=st.data(),
    k=st.sampled_from((3, 4, 5, 5, 6)),
    exact=st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_classify_agrees_with_playing_on(text: str, data: st.DataObject, k: int, exact: bool) -> None:
    length = len(text)
    p = data.draw(st.integers(0, length - 1))
    own = sum(1 << i for i in range(length) if text[i] == "X") & ~(1 << p)
    blocked = sum(1 << i for i in range(length) if text[i] == "O") & ~(1 << p)
    radius = 12
    walls = ((1 << radius) - 1) | ~((1 << (radius + length)) - 1)
    mask = (1 << (2 * radius + 1)) - 1
    found = classify((own << radius >> p) & mask, (((blocked << radius) | walls) >> p) & mask, k, exact, radius)
    assert found == by_effect(own, blocked, p, k, exact, length)


BOARDS = st.tuples(st.integers(3, 11), st.integers(3, 11), st.integers(3, 7))


@given(shape=BOARDS, exact=st.tuples(st.booleans(), st.booleans()), seed=st.integers(0, 1 << 32))
@settings(max_examples=60, deadline=None)
def test_incremental_updates_equal_a_fresh_evaluation(
    shape: tuple[int, int, int], exact: tuple[bool, bool], seed: int
) -> None:
    rows, cols, k = shape
    rng = np.random.default_rng(seed)
    t = make_threats(rows, cols, k, exact)
    fresh = make_threats(rows, cols, k, exact)
    load(t, np.zeros(rows * cols, np.int8))
    for _ in range(40):
        cell = int(rng.integers(rows * cols))
        if t.cells[cell] == 0:
            put(t, int(rng.integers(2)), cell)
        else:
            take(t, cell)
    load(fresh, t.cells)
    for mine, theirs, name in zip(t, fresh, t._fields, strict=True):
        assert np.array_equal(np.asarray(mine), np.asarray(theirs)), name


@pytest.mark.parametrize("text", ["gomoku(size=9)", "gomoku(size=11, rule=standard)", "connectn(rows=5, cols=8, k=4)"])
def test_the_map_agrees_with_the_kernels(text: str) -> None:
    game = load_game(text)
    rng = np.random.default_rng(3)
    for _ in range(6):
        position = game.initial()
        while not position.is_over:
            found = threats(position)
            state = position.state
            exact = int(state.dims[3]) == int(state.dims[2])
            t = make_threats(*game.shape, int(state.dims[2]), (exact, exact))
            load(t, position.cells().reshape(-1))
            assert np.array_equal(found.kinds, t.kinds)
            for side in range(2):
                for cell in position.legal_actions():
                    assert found.best(side, cell) == t.best[side, cell]
            position = position.play(int(rng.choice(position.legal_actions())))


def patterns(diagram: str, text: str = "gomoku(size=9)") -> list[tuple[str, int, str, str]]:
    game = load_game(text)

    def names(cells: tuple[int, ...]) -> str:
        return " ".join(game.action_name(cell) for cell in cells)

    def row(p: Pattern) -> tuple[str, int, str, str]:
        return p.name, p.side, names(p.cells), names(p.gaps)

    return [row(p) for p in threats(game.parse_diagram(diagram)).patterns]


def test_patterns_on_a_board() -> None:
    found = patterns(
        """
        . . . . . . . . O
        . . . . . . . O .
        . . X X X . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        X . . . . . . . .
        X . . . . . . . .
        X . . . . O O O X
        """
    )
    assert found[:3] == [
        ("open three", 0, "c7 d7 e7", "a7 b7 f7 g7"),
        ("three", 0, "a3 a2 a1", "a5 a4"),
        ("three", 1, "f1 g1 h1", "d1 e1"),
    ]
    assert [name for name, *_ in found[3:]] == ["two"] * 3
    assert ("two", 1, "i9 h8", "g7 f6 e5") in found


def test_a_four_has_its_completing_point() -> None:
    found = patterns(
        """
        . . . . . . . . .
        O . X . X X X . O
        . . . . . . . . .
        . O . . . . . . .
        . O . . . . . . .
        . O . . . . . . .
        . O . . . . . . .
        . X . . . . . . .
        X . . . . . . . .
        """
    )
    assert found[0] == ("four", 0, "c8 e8 f8 g8", "d8")
    assert found[1] == ("four", 1, "b6 b5 b4 b3", "b7")


def test_a_five_and_an_open_four_are_found() -> None:
    found = patterns(
        """
        . . . . . . . . .
        . X X X X X . . .
        . . . . . . . . .
        . . . O . . . . .
        . . . . O . . . .
        . . . . . O . . .
        . . . . . . O . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    assert found[0] == ("five", 0, "b8 c8 d8 e8 f8", "")
    assert found[1] == ("open four", 1, "d6 e5 f4 g3", "c7 h2")


def test_a_double_four_counts_as_an_open_four() -> None:
    game = load_game("gomoku(size=9)")
    position = game.parse_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        O X X X . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . O . . . .
        O . O . . . O . O
        """
    )
    found = threats(position)
    cross = game.parse_action("e7")
    assert found.kinds[0, cross].tolist() == [FOUR, FOUR, NONE, NONE]
    assert found.best(0, cross) == OPEN_FOUR
    assert cross in found.points(0, FOUR)
    assert cross not in found.points(0, OPEN_FOUR)


def test_games_without_threats_are_refused_in_a_sentence() -> None:
    assert refusal(load_game("gomoku")) == ""
    assert refusal(load_game("tictactoe")) == ""
    assert "Renju" in refusal(load_game("gomoku(rule=renju)"))
    with pytest.raises(ValueError, match="'connect4'"):
        threats(load_game("connect4").initial())


FOUR_IN_ROW = "connectn(rows=5, cols=5, k=4)"


def random_game(text: str, seed: int) -> list[Position]:
    rng = np.random.default_rng(seed)
    found = [load_game(text).initial()]
    while not found[-1].is_over:
        found.append(found[-1].play(int(rng.choice(found[-1].legal_actions()))))
    return found


@jit
def _compiled_outcome(t, state):
    return leaf_outcome(t, state)


@jit
def _compiled_boosts(t, state, actions, n, out):
    return leaf_boosts(t, state, actions, n, out)


@pytest.mark.parametrize("text", ["gomoku(size=9)", "gomoku(size=9, rule=standard)", "connectn(rows=4, cols=7, k=3)"])
def test_follow_reaches_any_position_of_the_game(text: str) -> None:
    game = load_game(text)
    t = make_scout(game)
    fresh = make_scout(game)
    rng = np.random.default_rng(4)
    positions = [p for seed in range(4) for p in random_game(text, seed)]
    for i in rng.permutation(len(positions)):
        assert _compiled_outcome(t, positions[i].state) == outcome(t, positions[i].to_move)
        load(fresh, positions[i].cells().reshape(-1))
        for mine, theirs, name in zip(t, fresh, t._fields, strict=True):
            assert np.array_equal(mine, theirs), name


@pytest.mark.parametrize("text", ["othello", "gomoku(rule=renju)", "nim"])
def test_other_games_have_no_threats(text: str) -> None:
    game = load_game(text)
    state, actions, out = game.new_state(), np.zeros(game.num_actions, np.int16), np.ones(game.num_actions, np.float32)
    t = make_scout(game)
    assert isinstance(t, NoThreats)
    assert leaf_outcome(t, state) == _compiled_outcome(t, state) == 0
    assert not leaf_boosts(t, state, actions, 1, out)
    assert not _compiled_boosts(t, state, actions, 1, out)
    assert (out == 1).all()


def test_no_threats_are_kept_if_not_wanted() -> None:
    assert isinstance(make_scout(load_game("gomoku"), wants_threats=False), NoThreats)


def value(position: Position, plies: int) -> int:
    """+1 or -1 when the side to move wins or loses within ``plies``, 0 when it is not settled by then."""
    if position.is_over:
        return position.returns[position.to_move]
    if plies == 0:
        return 0
    best = -1
    for action in position.legal_actions():
        best = max(best, -value(position.play(action), plies - 1))
        if best == 1:
            break
    return best


@pytest.mark.parametrize("text", [FOUR_IN_ROW, "connect4", "connect4(rows=4, cols=5, k=3)"])
def test_outcome_is_exact(text: str) -> None:
    game = load_game(text)
    t = make_scout(game)
    seen = set()
    for seed in range(30):
        for position in random_game(text, seed)[4 if "k=3" in text else 10 : -1]:
            plies = leaf_outcome(t, position.state)
            assert plies == _compiled_outcome(t, position.state)
            seen.add(plies)
            if plies > 0:
                assert value(position, plies) == 1
                assert plies == 1 or value(position, plies - 2) == 0
            elif plies < 0:
                assert value(position, -plies) == -1
                assert value(position, 1) == 0
            else:
                assert value(position, 1) == 0
                assert value(position, 2) == 0
    assert seen == {1, -2, 3, 0}


def board(*rows: str) -> Threats:
    t = make_threats(len(rows), len(rows[0]), 5)
    load(t, np.array([[".XO".index(symbol) for symbol in row] for row in rows], np.int8).reshape(-1))
    return t


def test_boosts_follow_the_urgency_of_moves() -> None:
    t = board(
        "XXXX.....",
        ".........",
        ".OOO.....",
        ".........",
        "....X....",
        "....X....",
        ".........",
        ".........",
        ".........",
    )
    make_five, stop_open_four, make_open_three, nothing = 4, 22, 58, 71
    weights = [prior_boost(t, 0, cell) for cell in (make_five, stop_open_four, make_open_three, nothing)]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 4
    assert weights[-1] == 1.0
    assert prior_boost(t, 1, make_five) > prior_boost(t, 1, stop_open_four) > prior_boost(t, 1, nothing)


def test_boosted_priors_keep_their_sum() -> None:
    t = board(*["." * 9] * 3, "..XXX....", *["." * 9] * 5)
    actions = np.array([a for a in range(81) if t.cells[a] == 0], np.int16)
    priors = np.full(len(actions), 65535 // len(actions), np.uint16)
    before = int(priors.sum())
    boosts = np.zeros(len(actions), np.float32)
    write_boosts(t, 0, actions, len(actions), boosts)
    boost_priors(priors, boosts, len(actions))
    assert abs(int(priors.sum()) - before) <= len(actions)
    assert priors.min() >= 1
    best = {int(a) for a in actions[np.argsort(-priors.astype(np.int64))[:2]]}
    assert best == {3 * 9 + 1, 3 * 9 + 5}


def test_priors_of_a_quiet_board_stay() -> None:
    t = board(*["." * 9] * 9)
    actions = np.arange(81, dtype=np.int16)
    priors = np.arange(1, 82, dtype=np.uint16)
    boosts = np.zeros(81, np.float32)
    write_boosts(t, 0, actions, 81, boosts)
    assert boosts.tolist() == [1.0] * 81
    boost_priors(priors, boosts, 81)
    assert np.array_equal(priors, np.arange(1, 82))


@jit
def _searched_outcome(t, state):
    return searched_outcome(t, state)


def test_a_short_exact_search_proves_what_the_solver_does_whatever_was_searched_before() -> None:
    game = load_game("connect4")
    solver, by_threats = Solver(game), make_scout(game)
    t, fresh = (make_scout(game, searched=True) for _ in range(2))
    outcomes = Counter[int]()
    for seed in range(150):
        for position in random_game("connect4", seed)[18:-1:2]:
            if leaf_outcome(by_threats, position.state) != 0:
                continue
            plies = _compiled_outcome(t, position.state)
            if plies == 0 or outcomes[plies] >= 40:
                continue
            solution = solver.solve(position)
            assert {UNKNOWN_PLIES: 1, -UNKNOWN_PLIES: -1, UNKNOWN_PLIES + DRAWN: 0}[plies] == np.sign(solution.value)
            fresh.table[:] = 0
            assert plies == _searched_outcome(fresh, position.state)
            outcomes[plies] += 1
    assert len(outcomes) == 3
    assert min(outcomes.values()) >= 3


@pytest.mark.parametrize("text", ["connect4(rows=7, cols=8)", "connect4(rows=4, cols=5, k=3)"])
def test_boards_without_a_short_exact_search(text: str) -> None:
    """One has a table that takes too long to empty, the other a rule that the solver does not know."""
    assert make_scout(load_game(text), searched=True).table.size == 0
    assert make_scout(load_game("connect4")).table.size == 0
