"""Minimax as plainly as it can be written: the truth that the solvers are held against."""

import random

from core.games import GameSpec, Position

Worth = tuple[int, int]  # value for the side to move, plies to the end


def worth(position: Position, seen: dict[tuple[bytes, int], Worth]) -> Worth:
    """The winner hurries, the loser holds out.  ``seen`` may be shared between positions of one game."""
    if position.is_over:
        return int(position.returns[position.to_move]), 0
    key = (position.cells().tobytes(), position.to_move)
    if key not in seen:
        replies = (worth(position.play(action), seen) for action in position.legal_actions())
        moves = [(-value, distance + 1) for value, distance in replies]
        best = max(value for value, _ in moves)
        distances = [distance for value, distance in moves if value == best]
        seen[key] = best, max(distances) if best < 0 else min(distances)
    return seen[key]


def move_worths(position: Position, seen: dict[tuple[bytes, int], Worth]) -> list[tuple[int, int, int]]:
    """(action, value, distance) of every move."""
    found = []
    for action in position.legal_actions():
        value, distance = worth(position.play(action), seen)
        found.append((action, -value, distance + 1))
    return found


def random_position(game: GameSpec, plies: int, rng: random.Random) -> Position:
    """An unfinished position after ``plies`` random moves."""
    while True:
        position = game.initial()
        while not position.is_over and position.ply < plies:
            position = position.play(rng.choice(position.legal_actions()))
        if not position.is_over:
            return position
