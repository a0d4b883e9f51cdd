"""Go: rules, names and rollouts against the slow reference, facts about ko, suicide, button and counts."""

import itertools
import random

import numpy as np
import pytest

from core._jit import jit
from core.games import dispatch, load_game
from core.games.go_board import MARGIN
from tests.core.games.reference_go import ReferenceGo

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
def roll(state, root, rng, tactical):
    dispatch.copy(state, root)
    return dispatch.tactical_rollout(state, rng) if tactical else dispatch.rollout(state, rng)


def pair(rows, cols, **rules):
    """A game and the reference for it."""
    words = {name: ("yes" if value is True else "no" if value is False else value) for name, value in rules.items()}
    text = ", ".join(f"{name}={value}" for name, value in {"rows": rows, "cols": cols, **words}.items())
    return load_game(f"go({text})"), ReferenceGo(rows, cols, **rules)


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


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
@pytest.mark.parametrize("size", SMALL + LARGE, ids=str)
def test_random_games_agree_with_the_reference(size, rules):
    """Moves that fill eyes are taken less often in some games, so that these end in scores, and passes are rare."""
    rows, cols = size
    cells = rows * cols
    choose = random.Random(cells + 7 * VARIANTS.index(rules))
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
            if not legal:
                if reference.ended == "passes":
                    assert state.info[MARGIN] == 2 * reference.margin()
                break
            stones = legal[:-1]
            action = choose.choice(stones) if stones and choose.random() > passing else cells
            reference.play(action)
