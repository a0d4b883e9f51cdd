"""Positions that differ little from a given one, in which a ply of a line cannot be played or has lost its reason.

Each is reached by legal moves, as a net is shown the moves before a position, too.  Two stones of different players
have changed places, or one stone stands on the cell of the ply.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import Position
from core.games.walk import Walk
from core.solve.minimax import windows
from models.inside.counterfactuals import EXCHANGED, StoneChanger, refusal
from models.inside.sample import Stop

IMPOSSIBLE: Final = "impossible"  # the ply cannot be played, or its stone lands elsewhere
POINTLESS: Final = "pointless"  # the ply completes, begins or stops less of a line
CHANGES: Final = 4  # positions of a ply, where there are as many
_PAIRS: Final = 80  # pairs of stones that are tried
_STONES: Final = 60  # stones that are tried on the cell of a ply


class Change(NamedTuple):
    """A position in which a ply of a line cannot be played or has lost its reason."""

    position: Position
    cells: tuple[int, ...]
    """Those ``row * cols + col`` where it differs from the original."""
    kind: str
    """IMPOSSIBLE or POINTLESS."""


def cells_of(position: Position, line: Sequence[int]) -> tuple[int, ...]:
    """Where each move of a line from ``position`` puts its stone, up to a move that puts none or is illegal."""
    game, cells = position.game, position.cells().ravel()
    walk, found = Walk.of(position), []
    for action in line:
        if walk.is_over or not walk.allows(action):
            break
        walk.play(action)
        before, cells = cells, walk.cells().ravel()
        placed = np.flatnonzero((before == 0) & (cells != 0))
        if len(placed) != 1 or not (game.gravity or game.moves_are_cells):
            break
        found.append(int(placed[0]))
    return tuple(found)


class Changer:
    """Finds the changed positions for the plies of one line.

    line: its moves that put stones; cells: where."""

    def __init__(self, position: Position, line: Sequence[int], should_stop: Stop = lambda: False) -> None:
        """ValueError as :func:`refusal` says."""
        game = position.game
        if reason := refusal(game):
            raise ValueError(reason)
        self.position, self.cells = position, cells_of(position, line)
        self.line = tuple(line[: len(self.cells)])
        self._windows = windows(game.shape, game.lines.k if game.lines is not None else 0)
        self._least = game.lines.k - 2 if game.lines is not None else 0  # stones in a line that make it a reason
        self._board = position.cells().ravel()
        self._reasons = self._reasons_from(position)
        self._exchanged = list(exchanges(position, should_stop)) if self.line and game.lines is not None else []

    def changes(self, ply: int) -> tuple[Change, ...]:
        """Those for a ply, counted from 0: where the ply has no point before those where it cannot be played, and of
        these the ones that leave the reasons of the other plies most as they are."""
        found: list[tuple[tuple[int, ...], Change]] = []
        for other in [*self._exchanged, *self._moved_onto(self.cells[ply])]:
            judged = self._judged(ply, other)
            if judged is not None:
                found.append(judged)
        found.sort(key=lambda pair: pair[0])
        return tuple(change for _, change in found[:CHANGES])

    def untouched(self, change: Change) -> NDArray[np.bool_]:
        """The cells, bool [H * W], that cannot matter to a change: those of neither the line nor the change, through
        which no line of stones is another than before."""
        same = np.ones(self._board.size, np.bool_)
        same[[*self.cells, *change.cells]] = False
        altered = (self._open_lines(change.position.cells().ravel()) != self._open_lines(self._board)).any(axis=0)
        same[self._windows[altered]] = False
        return same

    def _open_lines(self, board: NDArray[np.int8]) -> NDArray[np.int64]:
        """How many stones each player has in each line, int64 [2, L]; -1 where the other has one, too."""
        stones = board[self._windows]
        counts = np.array([(stones == stone).sum(axis=1) for stone in (1, 2)])
        return np.where(counts[::-1] > 0, -1, counts)

    def _judged(self, ply: int, other: Position) -> tuple[tuple[int, ...], Change] | None:
        """What a changed position is for a ply, behind what it is ranked by; None where the ply is as it was."""
        cells = cells_of(other, self.line[: ply + 1])
        if cells[:ply] != self.cells[:ply]:
            return None
        changed = tuple(np.flatnonzero(other.cells().ravel() != self._board).tolist())
        kind, drop, reasons = IMPOSSIBLE, 0, self._reasons_from(other)
        if cells[ply:] == self.cells[ply : ply + 1]:
            kind, drop = POINTLESS, self._reasons[ply] - reasons[ply]
            if drop <= 0 or self._reasons[ply] < self._least:
                return None
        rest = sum(a != b for i, (a, b) in enumerate(zip(reasons, self._reasons, strict=True)) if i != ply)
        last = int(other.last_action != self.position.last_action)  # which a net is shown, too
        return (int(kind == IMPOSSIBLE), last, rest, len(changed), -drop), Change(other, changed, kind)

    def _reasons_from(self, position: Position) -> list[int]:
        """For each ply the most stones that its own line through its cell has, or one that it stops."""
        board, reasons = position.cells().ravel().copy(), []
        player = position.to_move
        for cell in self.cells:
            through = board[self._windows[(self._windows == cell).any(axis=1)]]
            most = 0
            for stone in (1, 2):
                free = ~(through == 3 - stone).any(axis=1)
                most = max(most, int((through[free] == stone).sum(axis=1).max(initial=0)))
            reasons.append(most)
            board[cell] = player + 1
            player ^= 1
        return reasons

    def _moved_onto(self, cell: int) -> list[Position]:
        """Positions where one stone stands on ``cell`` instead of where it was put, as if it had been put there."""
        position = self.position
        if position.game.gravity or self._board[cell]:
            return []
        made: list[Position] = []
        for ply in np.random.default_rng(cell).permutation(len(position.moves))[:_STONES].tolist():
            stone = position.moves[ply]
            if stone >= self._board.size or stone in self.cells:
                continue
            wanted = self._board.copy()
            wanted[stone], wanted[cell] = 0, self._board[stone]
            other = _played(position, (*position.moves[:ply], cell, *position.moves[ply + 1 :]), wanted)
            if other is not None:
                made.append(other)
            if len(made) == CHANGES:
                break
        return made


def exchanges(position: Position, should_stop: Stop = lambda: False) -> Iterator[Position]:
    """Positions in which two stones of different players have changed places; the same ones for the same position.

    Only of stones played since ``position.start``, where each move places one and changes no other."""
    if not position.game.stones_alternate:
        return
    board, first = position.cells().ravel(), position.start.cells().ravel()
    played = [np.flatnonzero((board == stone) & (first == 0)).tolist() for stone in (1, 2)]
    pairs, source = list(product(*played)), StoneChanger(position)
    for number in np.random.default_rng(0).permutation(len(pairs))[:_PAIRS].tolist():
        if should_stop():
            return
        other = source.changed(pairs[number], EXCHANGED)
        if other is not None:
            yield other.position


def _played(position: Position, moves: Sequence[int], wanted: NDArray[np.int8]) -> Position | None:
    """The position after other moves from the same start, if they are legal and lead to the board ``wanted`` [H * W],
    in which the game goes on."""
    walk = Walk.of(position.start)
    count, played = walk.play_line(moves)
    if count < len(moves) or walk.is_over or walk.to_move != position.to_move:
        return None
    if (walk.cells().ravel() != wanted).any():
        return None
    return Position(position.game, walk.position().state, played, position.start)
