"""What a player sees on a Go board: captured stones, ko points, chains, ladders, areas."""

import random

import numpy as np
import pytest

from core.games import Position, load_game
from core.games.walk import Walk


def named(game, cells):
    return {game.action_name(cell) for cell in cells}


def chain_at(position, name):
    action = position.game.parse_action(name)
    return next(c for c in position.game.board.chains(position.state) if action in c.cells)


def random_game(text, seed, plies):
    chance, position = random.Random(seed), load_game(text).initial()
    while not position.is_over and len(position.moves) < plies:
        position = position.play(chance.choice(position.legal_actions()))
    return position


KO = "b3 c3 c4 d4 c2 d2 e1 e3 d3"  # black has just taken in a ko; white may not retake at c3


@pytest.mark.parametrize("rules", ["rules=chinese", "ko=positional"])
def test_ko(rules):
    game = load_game(f"go(size=5, {rules})")
    position = game.position(KO)
    assert position.repeating() == {game.parse_action("c3"): "it retakes a ko at once"}
    assert position.captured() == (0, 1)
    away = position.play(game.parse_action("a5")).play(game.parse_action("a1"))
    assert away.repeating() == {}
    assert away.play(game.parse_action("c3")).captured() == (1, 1)


def test_superko():
    """Where suicide is legal, an empty point that is not repeats a position or is a stone alone without a liberty."""
    reasons, others = set(), set()
    for seed in range(20):
        chance, position = random.Random(seed), load_game("go(size=3, ko=situational)").initial()
        while not position.is_over:
            closed = set(np.flatnonzero(position.cells() == 0).tolist()) - set(position.legal_actions())
            reasons |= set(position.repeating().values())
            refusal = position.game.board.refusal
            others |= {refusal(position.state, action) for action in closed - set(position.repeating())}
            position = position.play(chance.choice(position.legal_actions()[:-1] or position.legal_actions()))
    assert reasons == {"it repeats an earlier position", "it retakes a ko at once"}
    assert others == {"the stone would have no liberty"}


def test_suicide_is_no_ko():
    game = load_game("go(size=5, rules=chinese)")
    position = game.position("a4 e5 b5 e4")
    assert game.parse_action("a5") in position.play(game.parse_action("c1")).game.position("a4").legal_actions()
    before = position.play(game.parse_action("c1"))
    assert game.parse_action("a5") not in before.legal_actions()
    assert before.repeating() == {}


def test_other_games_capture_nothing():
    for text in ("othello", "gomoku", "connect4"):
        position = random_game(text, 1, 9)
        assert (position.captured(), position.repeating()) == ((0, 0), {})


@pytest.mark.slow
@pytest.mark.parametrize("text", ["go(size=5)", "go(size=7, rules=chinese)", "go(rows=3, cols=6)", "othello", "gomoku"])
def test_playing_in_place_is_playing(text):
    for seed in range(3):
        chance, position = random.Random(seed), load_game(text).initial()
        walk = Walk.of(position)
        while not position.is_over and len(position.moves) < 150:
            legal = position.legal_actions()
            assert walk.legal_actions() == legal
            alone = walk.copy()
            tried = range(len(position.moves) % 1, position.game.num_actions, 1)
            assert [a for a in tried if alone.allows(a)] == sorted({*legal} & {*tried})
            assert (walk.to_move, walk.is_over) == (position.to_move, False)
            assert np.array_equal(walk.cells(), position.cells())
            action = chance.choice(legal)
            position = position.play(action)
            walk.play(action)
        assert walk.is_over == position.is_over
        assert walk.position() == position
        assert not any(walk.allows(a) for a in range(position.game.num_actions)) or not position.is_over


def test_a_move_is_checked_alone_or_among_all():
    position = random_game("go(size=5)", 5, 60)
    fresh = Position(position.game, position.state, position.moves, position.start)
    legal = position.legal_actions()
    for action in range(position.game.num_actions):
        assert fresh._allows(action) == (action in legal)
    assert not fresh._allows(-1)
    assert not fresh._allows(position.game.num_actions)


def flooded(cells, cell):
    """The chain of a stone and its liberties, once more."""
    rows, cols = cells.shape
    chain, liberties, todo = set(), set(), [cell]
    while todo:
        at = todo.pop()
        if at in chain:
            continue
        chain.add(at)
        row, col = divmod(at, cols)
        for r, c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if 0 <= r < rows and 0 <= c < cols:
                if cells[r, c] == 0:
                    liberties.add(r * cols + c)
                elif cells[r, c] == cells.flat[cell]:
                    todo.append(r * cols + c)
    return chain, liberties


@pytest.mark.parametrize("text", ["go(size=9)", "go(rows=4, cols=11)", "go(size=2)", "go(size=19)"])
def test_chains_and_their_liberties(text):
    for seed in range(3):
        position = random_game(text, seed, 70)
        cells = position.cells()
        chains = position.game.board.chains(position.state)
        assert sorted(cell for c in chains for cell in c.cells) == np.flatnonzero(cells).tolist()
        for chain in chains:
            assert (set(chain.cells), set(chain.liberties)) == flooded(cells, chain.cells[0])
            assert {int(cells.flat[cell]) for cell in chain.cells} == {chain.player + 1}
            assert set(chain.catches) <= set(chain.liberties)
            assert bool(chain.catches) <= chain.caught


def test_a_ladder():
    game = load_game("go(size=9)")
    position = game.position("c7 d7 e9 c6 a1 b7")  # black at c7 has c8 alone: no ladder, it runs into the open
    assert len(chain_at(position, "c7").liberties) == 1
    ladder = game.position("d6 c6 pass d7 pass e7 pass c5 pass")
    caught = chain_at(ladder, "d6")
    assert (caught.player, named(game, caught.liberties)) == (0, {"d5", "e6"})
    assert caught.caught
    assert named(game, caught.catches) == {"e6", "d5"} & named(game, caught.catches)
    assert caught.catches
    broken = game.position("d6 c6 g3 d7 f4 e7 pass c5 pass")
    assert len(chain_at(broken, "d6").catches) < 2


def test_area():
    game = load_game("go(size=5)")
    text = "\n".join(("X . X O .", "X X X O O", ". X O O .", "X X O . O", ". X O O O", "X to move"))
    owners = game.board.area(game.parse_diagram(text).state)
    assert set(np.unique(owners)) == {3, 4}, "all lives even if its player passes"
    assert (owners[:, :2] == 3).all()
    empty = game.board.area(game.initial().state)
    assert not empty.any()
    alone = game.board.area(game.position("c3").state)
    assert (alone == 1).all(), "as the game would be counted, and nothing is held"
    counted = game.position("c3 pass pass")
    assert counted.is_over
