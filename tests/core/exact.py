"""Exact tic-tac-toe by plain minimax over Positions: the truth that searches are held against."""

from functools import cache

from core.games import Position, load_game


@cache
def value(position: Position) -> int:
    """Game value for the side to move: -1, 0, +1."""
    if position.is_over:
        return int(position.returns[position.to_move])
    return max(-value(position.play(a)) for a in position.legal_actions())


def outcome(position: Position, known: dict[tuple[str, int], tuple[int, int]]) -> tuple[int, int]:
    """Value for the side to move, and plies to the end when the winner hurries and the loser holds out; of a draw, of
    the longest drawn line.  ``known`` is filled: the same board is looked at once."""
    name = position.diagram(), position.to_move
    if name not in known:
        if position.is_over:
            known[name] = int(position.returns[position.to_move]), 0
        else:
            after = [outcome(position.play(a), known) for a in position.legal_actions()]
            best = max(-v for v, _ in after)
            kept = [plies for v, plies in after if -v == best]
            known[name] = best, 1 + (min(kept) if best > 0 else max(kept))
    return known[name]


@cache
def turns() -> list[list[int]]:
    """The square's symmetries: for each cell of an image the cell of the board."""
    return [image.tolist() for image in load_game("tictactoe").cell_symmetries]


def key(cells: bytes) -> bytes:
    """The smallest of a board's images under the square's symmetries."""
    return bytes(min([cells[i] for i in turn] for turn in turns()))


@cache
def unfinished_classes() -> tuple[Position, ...]:
    """One position of each of the 627 classes of unfinished tic-tac-toe positions."""
    found: dict[bytes, Position] = {}
    todo = [load_game("tictactoe").initial()]
    while todo:
        position = todo.pop()
        name = key(position.cells().tobytes())
        if position.is_over or name in found:
            continue
        found[name] = position
        todo += [position.play(a) for a in position.legal_actions()]
    return tuple(found.values())


def keeps_value(position: Position, action: int) -> bool:
    """Whether ``action`` keeps the exact value of ``position``."""
    return -value(position.play(action)) == value(position)
