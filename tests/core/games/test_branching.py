"""Trees of moves played in one call: as one after another, whatever is illegal in them."""

import random

import numpy as np
import pytest

from core.games import Position, branching, load_game
from core.games.branching import AFTER_PASS, EITHER, ILLEGAL, LEGAL, UNKNOWN, MoveTree
from core.games.walk import Walk

GAMES = (
    "connect4",
    "connectn(rows=5, cols=4, k=3)",
    "gomoku(size=6)",
    "gomoku(size=7, rule=renju)",
    "othello(size=4)",
    "othello",
    "othello(size=10)",
    "go(size=3)",
    "go(size=2, rules=japanese)",
    "nim",
)
COMPILED = ("connect4", "go(size=3)")


def step(position: Position, player: int, action: int) -> tuple[Position | None, int]:
    """What a move makes of a position, by the rules alone; None where it is illegal."""
    passing, legal = position.game.passing, position.legal_actions()
    passes = action not in legal if player == EITHER else player != UNKNOWN and player != position.to_move
    if not passes:
        return (position.play(action), LEGAL) if action in legal else (None, ILLEGAL)
    if passing not in legal or action == passing:
        return None, ILLEGAL
    after = position.play(passing)
    return (after.play(action), AFTER_PASS) if action in after.legal_actions() else (None, ILLEGAL)


def random_tree(start: Position, rng: random.Random, count: int) -> tuple[MoveTree, list[int]]:
    """Mostly legal moves, which follow the newest move or any; and what each is."""
    rows: list[tuple[int, int, int]] = []
    expected: list[int] = []
    positions: list[Position | None] = []
    while len(rows) < count:
        above = len(rows) - 1 if rng.random() < 0.8 else rng.randrange(-1, len(rows))
        position = start if above < 0 else positions[above]
        player = rng.choice((UNKNOWN, UNKNOWN, EITHER, 0, 1))
        action = rng.randrange(start.game.num_actions)
        if position is not None and not position.is_over and rng.random() < 0.9:
            action = rng.choice(position.legal_actions())
            player = rng.choice((player, position.to_move, position.to_move))
        rows.append((above, player, action))
        after, how = (None, ILLEGAL) if position is None else step(position, player, action)
        positions.append(after)
        expected.append(how)
    parents, players, actions = zip(*rows, strict=True)
    return MoveTree(np.array(parents, np.int32), np.array(players, np.int8), np.array(actions, np.int16)), expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "compiled"), [*((text, False) for text in GAMES), *((text, True) for text in COMPILED)]
)
def test_a_tree_is_played_as_its_moves_are_one_by_one(text: str, compiled: bool) -> None:
    game, rng = load_game(text), random.Random(text)
    found: set[int] = set()
    for plies in (0, 5):
        start = game.initial()
        for _ in range(plies):
            start = start.play(rng.choice(start.legal_actions()))
        for _ in range(3):
            moves, expected = random_tree(start, rng, 30)
            assert branching._play(game, start.state, start.state, moves, compiled).tolist() == expected
            found |= {*expected}
    assert {ILLEGAL, LEGAL} <= found
    assert AFTER_PASS in found or not game.has_free_pass


@pytest.mark.parametrize("text", GAMES)
def test_a_line_ends_before_its_first_illegal_move(text: str) -> None:
    game, rng = load_game(text), random.Random(text)
    for _ in range(5):
        position = game.initial()
        while not position.is_over and position.ply < 25:
            position = position.play(rng.choice(position.legal_actions()))
        actions = list(position.moves)
        wrong = rng.randrange(len(actions))
        actions[wrong] = rng.randrange(game.num_actions)
        expected = game.initial()
        for action in actions:
            if action not in expected.legal_actions():
                break
            expected = expected.play(action)
        walk = Walk.of(game.initial())
        count, played = walk.play_line(actions)
        assert (count, played) == (len(expected.moves), expected.moves)
        assert walk.legal_actions() == expected.legal_actions()
        assert (walk.cells() == expected.cells()).all()


def test_a_line_has_the_passes_that_were_left_out() -> None:
    game = load_game("othello(size=4)")
    rng = random.Random(4)
    passed = 0
    for _ in range(20):
        position = game.initial()
        while not position.is_over:
            position = position.play(rng.choice(position.legal_actions()))
        told = [action for action in position.moves if action != game.passing]
        count, played = Walk.of(game.initial()).play_line(told, EITHER)
        assert count == len(told)
        assert played == position.moves[: len(played)]
        passed += len(played) > len(told)
    assert passed


@pytest.mark.parametrize(
    ("parent", "player", "action"),
    [([0], [0], [0]), ([-2], [0], [0]), ([-1], [], [0]), ([-1], [0], []), ([-1], [0], [-1]), ([-1], [0], [9])],
)
def test_what_is_no_tree_is_refused(parent: list[int], player: list[int], action: list[int]) -> None:
    moves = MoveTree(np.array(parent, np.int32), np.array(player, np.int8), np.array(action, np.int16))
    with pytest.raises(ValueError, match="no tree of moves of"):
        Walk.of(load_game("connectn(rows=3, cols=3, k=3)").initial()).try_moves(moves)


@pytest.mark.parametrize(("whole", "few"), [(True, branching._FEW), (False, branching._MANY)])
def test_many_moves_are_played_compiled(monkeypatch: pytest.MonkeyPatch, whole: bool, few: int) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(branching, "_play", lambda *args: asked.append(args[-1]))
    monkeypatch.setattr(branching, "_played", {})
    monkeypatch.setattr(branching, "are_whole", lambda: whole)
    game = load_game("connect4")
    moves = MoveTree.line(np.zeros(few // 2, np.int16))
    for _ in range(4):
        branching.play_tree(game, game.new_state(), game.new_state(), moves)
    assert asked == [False, False, True, True]
