"""Wins by threats: puzzles, and proof that every win found is one, against every reply and against slow references."""

from functools import cache

import numpy as np
import pytest

from core.games import Position, load_game
from core.solve.threats_win import WinningLine, find_win

GOMOKU = load_game("gomoku(size=11)")


def names(line: WinningLine | None) -> list[str]:
    return [] if line is None else [GOMOKU.action_name(a) for a in line.moves]


def win(diagram: str, kind: str) -> WinningLine | None:
    position = GOMOKU.parse_diagram(diagram)
    line = find_win(position, kind, max_nodes=200_000)
    if line is not None:
        check(position, line)
    return line


def check(position: Position, line: WinningLine) -> None:
    """The line is legal, ends in the attacker's win and is no longer than it says."""
    assert line.attacker == position.to_move
    assert len(line.moves) <= line.plies
    for action in line.moves:
        position = position.play(action)
    assert position.returns[line.attacker] == 1


# X is to move but where O has a stone less.
OPEN_THREE = """
. . . . . . . . . . .
. . . . . . . . . . .
. O . . . . . . . O .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . X X X . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. O . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
"""
FOUR_FOUR = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
O . O . . . . . O . O
. . . . . . . . . . .
. O X X X . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . . . O . . . . .
. . . . . . . . . . .
"""
FOUR_THREE = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
O . O . . . . . . . O
. . . . . . . . . . .
. O X X X . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . . . . . . . . .
. . . O . . . . . . .
. . . . . . . . . . .
"""
# X's fours at f5 and f9 have one answer each: f5's, at f9, makes a four for O, and X's answer at g9 threatens nothing.
ANSWERED = """
. . . . . . . . . . .
. . . . . O . . . . .
. X O O O . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . . . . . . . . .
. . . . . O . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
X . . . . . . . . . .
"""
# A double four in one line: X . X . X . X with a stone in the middle gap.
ONE_LINE = """
. . . . . . . . . . .
. . . . . . . . . . .
. . O . O . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. O X . X . X . X O .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
"""
THREE_THREE = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . X X . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. O . . . . . . . O .
O . . . . . . . . . O
"""
# The same, but O has a four, and the answer at e1 threatens nothing.
THREE_THREE_LATE = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . X X . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
O O O O . . . . . . .
"""
# O threatens an open four: only fours gain time.
PRESSED = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . X X . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . O O O . . . . .
. . . . . . . . . . .
. . . . . . . . . O .
"""
QUIET = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . X . . . . .
. . . . O X . . . . .
. . . . . O . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
"""


def test_an_open_three_wins_in_three_plies() -> None:
    line = win(OPEN_THREE, "vcf")
    assert line.plies == 3
    assert names(line)[0] in ("d6", "h6")


def test_a_double_four_wins_in_three_plies() -> None:
    line = win(FOUR_FOUR, "vcf")
    assert names(line)[0] == "f6"
    assert line.plies == 3


def test_a_four_that_makes_a_three_open_wins_in_five() -> None:
    line = win(FOUR_THREE, "vcf")
    assert names(line)[:2] == ["f6", "g6"]
    assert line.plies == 5


def test_a_block_that_makes_a_four_ends_the_attack() -> None:
    assert win(ANSWERED, "vcf") is None


def test_a_double_four_in_one_line_wins_in_three_plies() -> None:
    line = win(ONE_LINE, "vcf")
    assert line.plies == 3
    assert names(line)[0] == "f6"
    assert set(names(line)[1:]) == {"d6", "h6"}


def test_the_second_player_wins_as_well() -> None:
    swapped = OPEN_THREE.translate(str.maketrans("XO", "OX"))
    line = win(swapped.replace(". . . . . . . . . . .", ". . . . . X . . . . .", 1), "vcf")
    assert line.attacker == 1


def test_two_open_threes_win_by_threes_but_not_by_fours_alone() -> None:
    assert win(THREE_THREE, "vcf") is None
    line = win(THREE_THREE, "vct")
    assert names(line)[0] == "f6"
    assert line.plies == 5


def test_a_defenders_four_refutes_the_attack() -> None:
    assert win(THREE_THREE_LATE, "vcf") is None
    assert win(THREE_THREE_LATE, "vct") is None


def test_threes_are_too_slow_against_a_four() -> None:
    assert win(PRESSED, "vcf") is None
    assert win(PRESSED, "vct") is None


def test_a_quiet_position_has_no_win() -> None:
    assert win(QUIET, "vcf") is None
    assert win(QUIET, "vct") is None


def test_an_overline_wins_the_free_game_only() -> None:
    moves = "a1 a11 b1 c11 c1 e11 e1 g11 f1 i11"
    free = find_win(GOMOKU.position(moves))
    assert free is not None
    assert names(free) == ["d1"]
    assert find_win(load_game("gomoku(size=11, rule=standard)").position(moves)) is None


# Slow references on small boards, independent of the kernels: stones as bits, windows as masks.


@cache
def windows(rows: int, cols: int, k: int) -> tuple[int, ...]:
    found = []
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if 0 <= row + (k - 1) * down < rows and 0 <= col + (k - 1) * right < cols:
                    found.append(sum(1 << (row + i * down) * cols + col + i * right for i in range(k)))
    return tuple(found)


def shots(own: int, other: int, lines: tuple[int, ...]) -> int:
    """The points that complete a line, as bits."""
    found = 0
    for line in lines:
        missing = line & ~own
        if not line & other and missing & (missing - 1) == 0:
            found |= missing
    return found


def single(bits: int) -> bool:
    return bits & (bits - 1) == 0


def wins_by_fours(own: int, other: int, full: int, lines: tuple[int, ...]) -> bool:
    if shots(own, other, lines):
        return True
    danger = shots(other, own, lines)
    for cell in range(full.bit_length()):
        move = 1 << cell
        if move & (own | other) or danger & ~move:
            continue
        threat = shots(own | move, other, lines)
        if threat and (not single(threat) or wins_by_fours(own | move, other | threat, full, lines)):
            return True
    return False


def minimax(own: int, other: int, full: int, lines: tuple[int, ...], known: dict[tuple[int, int], int]) -> int:
    """Value for the side to move, whose stones are ``own``; exact."""
    if shots(own, other, lines):
        return 1
    if own | other == full:
        return 0
    if (own, other) not in known:
        danger = shots(other, own, lines)
        free = danger if danger and single(danger) else full & ~(own | other)
        best = -1
        for cell in range(full.bit_length()):
            if free >> cell & 1 and best < 1:
                best = max(best, -minimax(other, own | 1 << cell, full, lines, known))
        known[own, other] = best
    return known[own, other]


def bits_of(position: Position) -> tuple[int, int]:
    cells = position.cells().reshape(-1)
    own, other = (sum(1 << int(i) for i in np.flatnonzero(cells == side + 1)) for side in (0, 1))
    return (own, other) if position.to_move == 0 else (other, own)


def random_positions(text: str, plies: tuple[int, int], count: int, seed: int) -> list[Position]:
    """Unfinished positions of random games."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < count:
        position = load_game(text).initial()
        for _ in range(int(rng.integers(*plies))):
            if not position.is_over:
                position = position.play(int(rng.choice(position.legal_actions())))
        if not position.is_over:
            found.append(position)
    return found


SMALL = ("connectn(rows=6, cols=6, k=4)", "connectn(rows=5, cols=7, k=4)", "connectn(rows=4, cols=5, k=3)")


@pytest.mark.parametrize("text", SMALL)
def test_wins_by_fours_agree_with_a_plain_search(text: str) -> None:
    game = load_game(text)
    lines = windows(*game.shape, game.params["k"])
    full = (1 << game.num_actions) - 1
    answers = []
    for position in random_positions(text, (4, 18 if game.num_actions > 20 else 9), 200, 1):
        line = find_win(position, "vcf", max_depth=60)
        if line is not None:
            check(position, line)
        expected = wins_by_fours(*bits_of(position), full, lines)
        assert (line is not None) == expected, position.diagram()
        answers.append(expected)
    assert 20 < sum(answers) < 180


# Values of positions of a board of 5×5 and four in a row.
KNOWN: dict[tuple[int, int], int] = {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["vcf", "vct"])
def test_a_win_found_is_a_win_by_minimax(kind: str) -> None:
    text = "connectn(rows=5, cols=5, k=4)"
    lines = windows(5, 5, 4)
    wins = 0
    for position in random_positions(text, (12, 18), 150, 2):
        line = find_win(position, kind)
        if line is not None:
            check(position, line)
            wins += 1
            assert minimax(*bits_of(position), (1 << 25) - 1, lines, KNOWN) == 1, position.diagram()
    assert wins > 5


def beats_every_reply(position: Position, kind: str, plies: int, seen: set[Position]) -> int:
    """Play find_win's moves against all legal replies; the number of positions it had to answer."""
    if position in seen:
        return 0
    seen.add(position)
    line = find_win(position, kind)
    assert line is not None, position.diagram()
    assert line.plies <= plies
    after = position.play(line.moves[0])
    if after.is_over:
        assert after.returns[position.to_move] == 1
        return 1
    answered = 1
    for reply in after.legal_actions():
        answered += beats_every_reply(after.play(reply), kind, plies - 2, seen)
    return answered


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "kind", "plies"),
    [
        pytest.param("connectn(rows=7, cols=7, k=4)", "vct", (6, 12), marks=pytest.mark.slow),
        ("connectn(rows=6, cols=6, k=4)", "vct", (4, 12)),
        ("connectn(rows=6, cols=6, k=4)", "vcf", (6, 14)),
        pytest.param("gomoku(size=7, rule=standard)", "vct", (16, 26), marks=pytest.mark.slow),
        ("gomoku(size=7)", "vct", (16, 26)),
    ],
)
def test_no_reply_escapes(text: str, kind: str, plies: tuple[int, int]) -> None:
    longest = 0
    tried = 0
    for position in random_positions(text, plies, 60, 5):
        line = find_win(position, kind)
        if line is None or not 5 <= line.plies <= 9 or tried == 12:
            continue
        tried += 1
        longest = max(longest, line.plies)
        assert beats_every_reply(position, kind, line.plies, set()) > 20
    assert longest >= 5


def test_a_search_can_be_stopped_and_limited() -> None:
    position = GOMOKU.parse_diagram(THREE_THREE)
    assert find_win(position, "vct", max_nodes=1) is None
    assert find_win(position, "vct", seconds=0) is None
    assert find_win(position, "vct", should_stop=lambda: True) is None
    assert find_win(position, "vct", max_depth=0) is None
    assert find_win(position, "vct", max_depth=1) is not None


def test_a_search_in_slices_finds_the_same_win() -> None:
    game = load_game("connectn(rows=6, cols=6, k=4)")
    for position in random_positions(game.text, (4, 10), 20, 9):
        whole = find_win(position, "vct")
        asked = 0

        def count() -> bool:
            nonlocal asked
            asked += 1
            return False

        parts = find_win(position, "vct", max_nodes=1 << 40, should_stop=count)
        assert parts == whole
        assert asked > 0


def test_bad_arguments_are_refused_in_a_sentence() -> None:
    position = GOMOKU.initial()
    with pytest.raises(ValueError, match="kind is 'fours'"):
        find_win(position, "fours")
    with pytest.raises(ValueError, match="max_depth is -1"):
        find_win(position, max_depth=-1)
    with pytest.raises(ValueError, match="seconds is -0"):
        find_win(position, seconds=-0.5)
    with pytest.raises(ValueError, match="othello"):
        find_win(load_game("othello").initial())


def test_a_finished_game_has_no_win_to_find() -> None:
    game = load_game("tictactoe")
    assert find_win(game.position("a1 a2 b1 b2 c1")) is None
