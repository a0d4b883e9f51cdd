"""Random openings for self-play, matches and exams."""

from typing import Final

import numpy as np

from core.games import GameSpec, Position

_OPENINGS: Final = 500  # least number of move sequences from which openings are drawn
_TRIES: Final = 20  # attempts to draw a new opening


def random_opening(game: GameSpec, plies: int, rng: np.random.Generator) -> Position:
    """A position after ``plies`` uniformly random moves; finished games are drawn again.  ``plies`` is reduced by one
    after every ten tries, for games too short for it."""
    tries = 0
    while True:
        position = game.initial()
        for _ in range(plies - tries // 10):
            position = position.play(int(rng.choice(position.legal_actions())))
            if position.is_over:
                break
        if not position.is_over:
            return position
        tries += 1


def opening_plies(game: GameSpec) -> int:
    """Length of random openings in matches: the least that gives some hundreds of them, at most a quarter of a game.

    Nets play deterministically, so several games from one opening would count one result several times.
    """
    branching = len(game.initial().legal_actions())
    plies = 1
    while branching**plies < _OPENINGS and plies < game.max_plies // 4:
        plies += 1
    return plies


def draw_openings(game: GameSpec, number: int, rng: np.random.Generator) -> list[Position]:
    """Draw ``number`` random openings, different as long as the game has enough of them."""
    plies = opening_plies(game)
    openings: dict[Position, None] = {}
    again: list[Position] = []
    while len(openings) + len(again) < number:
        for _ in range(_TRIES):
            opening = random_opening(game, plies, rng)
            if opening not in openings:
                openings[opening] = None
                break
        else:
            again.append(opening)
    return [*openings, *again]


def new_opening(game: GameSpec, plies: int, rng: np.random.Generator, used: set[tuple[int, ...]]) -> Position:
    """A random opening, if possible one not in ``used``, to which it is added."""
    for _ in range(_TRIES):
        opening = random_opening(game, plies, rng)
        if opening.moves not in used:
            break
    used.add(opening.moves)
    return opening
