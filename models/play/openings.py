"""Random positions that games begin with: in self-play, matches and exams.  Knows no search, no net and no file."""

from typing import Final

import numpy as np

from core.games import GameSpec, Position

_OPENINGS: Final = 500  # sequences of moves from which openings should at least be drawn
_TRIES: Final = 20  # for an opening not played before


def random_opening(game: GameSpec, plies: int, rng: np.random.Generator) -> Position:
    """The position after ``plies`` uniformly random moves, drawn again while the game ends before; ``plies`` falls by
    one with every ten tries, so a game too short for it still gives a position."""
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
    """Random moves before a measured game: as few as give some hundreds of openings, at most a quarter of a game.

    Nets choose the same move in the same position, so games from one opening would count one result many times.
    """
    branching = len(game.initial().legal_actions())
    plies = 1
    while branching**plies < _OPENINGS and plies < game.max_plies // 4:
        plies += 1
    return plies


def draw_openings(game: GameSpec, number: int, rng: np.random.Generator) -> list[Position]:
    """``number`` random openings, different from each other while the game has enough of them."""
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
    """A random opening, if possible one not in ``used``, which it joins."""
    for _ in range(_TRIES):
        opening = random_opening(game, plies, rng)
        if opening.moves not in used:
            break
    used.add(opening.moves)
    return opening
