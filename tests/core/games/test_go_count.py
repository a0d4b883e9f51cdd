"""Counts of finished games of Go: against the kernels, against the reference without the dead stones, and by hand."""

import random

import numpy as np
import pytest

from core.games import Position, dispatch, load_game
from core.games.go_board import MARGIN
from tests.core.games.reference_go import ReferenceGo

RULES = (
    "rules=chinese, komi=3",
    "rules=aga, button=yes",
    "rules=chinese, tax=seki",
    "tax=all, komi=2",
    "rules=japanese",
    "rules=korean, komi=0, tax=none",
    "rules=japanese, komi=-1, tax=all",
)


def ended(game, choose, start=None):
    """A random game that two passes ended."""
    position = start or game.initial()
    last = game.num_actions - 1
    for _ in range(choose.randrange(5, 60)):
        stones = [action for action in position.legal_actions() if action != last]
        if not stones:
            break
        position = position.play(choose.choice(stones))
    while not position.is_over:
        position = position.play(last)
    return position


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", ["size=4", "rows=3, cols=6", "size=7"])
def test_without_dead_stones_it_is_the_result(rules, size):
    game, choose = load_game(f"go({size}, {rules})"), random.Random(4)
    counted = 0
    for _ in range(25):
        position = ended(game, choose)
        if not game.counting.applies(position):
            continue
        counted += 1
        count = game.counting.counted(position, ())
        assert 2 * count.margin == position.state.info[MARGIN]
        assert count.margin == dispatch.margin(position.state)
        assert (count.owners[position.cells() != 0] == position.cells()[position.cells() != 0]).all()
    assert counted > 10


@pytest.mark.parametrize("rules", ["rules=chinese, komi=0", "rules=japanese, komi=0, tax=none", "rules=korean, komi=0"])
def test_dead_stones_become_points(rules):
    """As if they had been taken off, and where territory is counted they are prisoners beside."""
    game, choose = load_game(f"go(size=6, {rules})"), random.Random(8)
    for _ in range(40):
        position = ended(game, choose)
        if not game.counting.applies(position):
            continue
        cells = position.cells()
        dead = game.counting.chains_at(position, choose.sample(range(36), 3))
        reference = ReferenceGo(6, 6, 0, "simple", False, tax=game.params["tax"])
        reference.territory = game.params["rules"] != "chinese"
        for action in position.moves:
            reference.play(action)
        for cell in dead:
            row, col = divmod(cell, 6)
            reference.prisoners[2 - cells[row, col]] += 1
            reference.board[row][col] = 0
        count = game.counting.counted(position, dead)
        assert count.margin == reference.points()
        assert count.dead == dead


def test_chains_live_or_die_whole():
    game = load_game("go(size=5)")
    position = game.parse_diagram("X X . . .\n. X . O .\n. . . O .\nX . . . .\n. . . . O\nX to move")
    assert game.counting.chains_at(position, (0,)) == {0, 1, 6}
    assert game.counting.chains_at(position, (13, 8, 2)) == {8, 13}
    assert game.counting.chains_at(position, (2,)) == frozenset()
    ownership = np.zeros((5, 5))
    ownership[0, 0], ownership[0, 1], ownership[1, 1] = 0.1, -0.9, -0.9  # on the whole white's
    ownership[1, 3], ownership[2, 3] = -0.9, 0.5
    ownership[4, 4], ownership[3, 0] = 1, 1
    assert game.counting.dead_stones(position, ownership) == {0, 1, 6, 24}
    assert game.counting.dead_stones(position, -ownership) == {15}


def by_hand(rules, diagram, dead=(), passes=2):
    rows = diagram.split("\n")
    game = load_game(f"go(rows={len(rows) - 1}, cols={len(rows[0].split())}, {rules})")
    position = game.parse_diagram(diagram)
    for _ in range(passes):
        position = position.play(game.num_actions - 1)
    return game.counting.counted(position, [game.parse_action(name) for name in dead])


def test_parts_of_a_count():
    # White's stone at b2 is dead; c1 and c2 separate the sides.
    board = ". O . X O . .\n. . . X O . .\nX to move"
    count = by_hand("rules=japanese, komi=0.5", board, ["b2"])
    parts = {part.title: part.points for part in count.parts}
    assert parts == {"territory": (6, 4), "prisoners": (1, 0), "komi": (0, 0.5)}
    assert count.totals == (7, 4.5)
    assert count.owners.tolist() == [[1, 1, 1, 1, 2, 2, 2], [1, 1, 1, 1, 2, 2, 2]]
    count = by_hand("rules=chinese, komi=0.5", board, ["b2"])
    assert {part.title: part.points for part in count.parts} == {
        "territory": (6, 4),
        "stones": (2, 2),
        "komi": (0, 0.5),
    }
    assert by_hand("rules=japanese, komi=0.5, tax=all", board, ["b2"]).margin == 2.5
    assert by_hand("rules=japanese, komi=0.5", board).margin == -4.5 + 0


def test_handicap_and_button_are_parts():
    count = by_hand("rules=chinese, komi=0.5", "X . X\n. X .\nO to move")
    assert {part.title: part.points for part in count.parts}["handicap"] == (0, 3)
    count = by_hand("rules=aga, komi=0.5, button=yes", "X . X\n. X .\nO to move", passes=3)
    assert {part.title: part.points for part in count.parts}["handicap"] == (0, 2)
    assert {part.title: part.points for part in count.parts}["button"] == (0, 0.5)
    assert count.margin == 6 - 3


def test_neutral_points_may_be_left_where_groups_have_two_eyes():
    """Under Japanese rules seki has no territory, and a group with two eyes beside a neutral point is in no seki."""
    eyes = ". X . X . O . O .\nX X X X . O O O O\nX to move"
    assert by_hand("rules=japanese, komi=0", eyes).margin == 0
    count = by_hand("rules=japanese, komi=0", eyes)
    assert count.parts[0].points == (2, 2)
    assert not count.seki
    one_eye = "X X X X . O . O .\nX . . X . O O O O\nX to move"
    count = by_hand("rules=japanese, komi=0", one_eye)
    assert count.parts[0].points == (0, 2)
    assert len(count.seki) == 6
    assert count.owners[1].tolist() == [1, 0, 0, 1, 0, 2, 2, 2, 2]


def test_what_is_counted():
    game = load_game("go(size=2, rules=chinese)")
    assert game.counting.applies(game.position("a1 pass pass"))
    assert not game.counting.applies(game.position("a1 pass"))
    assert not game.counting.applies(game.initial())
    assert game.counting.marks
    assert not load_game("go").counting.marks
    assert load_game("othello").counting is None
    choose, repeated = random.Random(1), 0
    while not repeated:
        position = game.initial()
        while not position.is_over:
            position = position.play(choose.choice(position.legal_actions()[:-1] or (4,)))
        repeated += position.last_action != 4
        assert isinstance(position, Position)
        assert game.counting.applies(position) == (position.last_action == 4)
