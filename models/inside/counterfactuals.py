"""Positions that differ from a given one by one stone or two, each reached by legal moves.

A net sees the moves before a position, too, so a stone is not erased from its input: the game is played again without
the stone, and the net is asked about the position that this leads to.  What a game allows follows from its
declarations: where moves alternate and change no other stone, two stones of different players change places or are
both left out; where a player may pass, he passes instead of placing the stone.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import GameSpec, Position
from core.games.walk import Walk
from core.solve.minimax import windows
from core.text import Text
from models.inside.sample import Stop

REMOVED: Final = "removed"  # the stones are not there
EXCHANGED: Final = "exchanged"  # two stones of different players have changed places
PARTNERS: Final = 4  # counterfactuals that each stone has, where there are as many
_TRIES: Final = 5  # pairs tried for each that is wanted
_STEPS: Final = 60  # positions given up while an order of moves is looked for


class Counterfactual(NamedTuple):
    """A position that is not over, with the side to move of the original one."""

    position: Position
    """With the moves that lead to it."""
    stones: tuple[int, ...]
    """The cells ``row * cols + col`` of the original's stones that are missing or have changed places."""
    kind: str
    """REMOVED or EXCHANGED."""


def refusal(game: GameSpec) -> str:
    """Why no stone of the game can be changed, a sentence; "" where stones can be."""
    if _alternates(game) or (game.has_free_pass and game.moves_are_cells):
        return ""
    return Text(
        "no stone of {game} can be changed by itself: the moves of this game change other stones, or place none",
        game=game.title,
    )


def counterfactuals(
    position: Position, partners: int = PARTNERS, should_stop: Stop = lambda: False
) -> list[Counterfactual]:
    """The counterfactuals of a position, at least ``partners`` of each stone where the rules allow so many.

    The same position always has the same ones, in an order that begins anywhere on the board, so that its first part
    tests all of it.  One of each stone where a stone changes alone.  Those found so far when ``should_stop``.
    ValueError as :func:`refusal`.
    """
    reason = refusal(position.game)
    if reason:
        raise ValueError(reason)
    if position.is_over:
        return []
    source = StoneChanger(position)
    made = _pairs(source, partners) if _alternates(position.game) else _singles(source)
    found = []
    for counterfactual in made:
        if counterfactual is not None:
            found.append(counterfactual)
        if should_stop():
            break
    return found


def _alternates(game: GameSpec) -> bool:
    """Whether each move places one stone and changes no other."""
    return game.stones_alternate and (game.gravity or game.moves_are_cells)


def _pairs(source: "StoneChanger", partners: int) -> Iterator[Counterfactual | None]:
    """Pairs of stones of both players, in a fixed order without a pattern."""
    kinds = (EXCHANGED, REMOVED) if source.game.gravity else (REMOVED, EXCHANGED)
    firsts, seconds = source.stones
    count = dict.fromkeys((*firsts, *seconds), 0)
    pairs = [(first, second) for first in firsts for second in seconds]
    order = np.random.default_rng(0).permutation(len(pairs))
    for number in order[: _TRIES * partners * len(count)].tolist():
        pair = pairs[number]
        if min(count[cell] for cell in pair) >= partners:
            continue
        made = next((made for kind in kinds if (made := source.changed(pair, kind)) is not None), None)
        if made is not None:
            for cell in pair:
                count[cell] += 1
        yield made


def _singles(source: "StoneChanger") -> Iterator[Counterfactual | None]:
    """Single stones, whose player passed instead."""
    cells = [cell for stones in source.stones for cell in stones]
    for number in np.random.default_rng(0).permutation(len(cells)).tolist():
        yield source.changed((cells[number],), REMOVED)


class StoneChanger:
    """Changes stones of one position.

    stones: the cells of each player's stones, ascending."""

    def __init__(self, position: Position) -> None:
        self.position, self.game = position, position.game
        self._cells = position.cells()
        self._columns = self.game.shape[1]
        flat = self._cells.ravel()
        self.stones = tuple(np.flatnonzero(flat == player + 1).tolist() for player in (0, 1))
        lines = self.game.lines
        self._windows = windows(self.game.shape, lines.k if lines is not None and not lines.exact else 0)
        self._placed = self._places()  # the cell of each move, -1 for a pass
        self._ply = {cell: ply for ply, cell in enumerate(self._placed)}  # of the move that placed a stone last

    def changed(self, stones: tuple[int, ...], kind: str) -> Counterfactual | None:
        """The position with these stones changed, as many of either player where moves alternate; None where no legal
        moves lead to one that is not over."""
        target = self._target(stones, kind)
        if self._is_won(target):
            return None
        here = [cell in self._ply for cell in stones]
        start: Position | None = self.position.start
        moves: tuple[int, ...] | None = self.position.moves
        if all(here):
            moves = self._moves_to(target, stones, kind)
        elif not any(here):
            start = self._start_without(target, stones)
        else:
            return None  # a stone of the first board and one that was played: the turns would not alternate
        if start is None or moves is None:
            return None
        walk = Walk.of(start)
        count, played = walk.play_line(moves)
        if count < len(moves) or walk.is_over or walk.to_move != self.position.to_move:
            return None
        if (walk.cells() != target).any():
            return None  # other stones were captured than in the game
        state = walk.position().state
        return Counterfactual(Position(self.game, state, played, start), stones, kind)

    def _target(self, stones: Sequence[int], kind: str) -> NDArray[np.int8]:
        cells = self._cells.copy()
        for cell in stones:
            cells.flat[cell] = 3 - cells.flat[cell] if kind == EXCHANGED else 0
        return cells

    def _is_won(self, target: NDArray[np.int8]) -> bool:
        """Whether a line stands for certain, which no moves need to be looked for then."""
        stones = target.ravel()[self._windows]
        return bool(((stones == 1).all(axis=1) | (stones == 2).all(axis=1)).any())

    def _places(self) -> list[int]:
        """The cell of each move since the start."""
        if not self.game.gravity:
            return [action if action < self._cells.size else -1 for action in self.position.moves]
        heights = (self.position.start.cells() != 0).sum(axis=0)
        places = []
        for column in self.position.moves:
            heights[column] += 1
            places.append(int((len(self._cells) - heights[column]) * self._columns + column))
        return places

    def _start_without(self, target: NDArray[np.int8], stones: Sequence[int]) -> Position | None:
        """The start with these stones, which stood there, as in ``target``; None where the game has no such board."""
        start = self.position.start
        cells = start.cells()
        for cell in stones:
            cells.flat[cell] = target.flat[cell]
        try:
            return self.game.set_up(cells, start.to_move, start.last_action)
        except ValueError:
            return None

    def _moves_to(self, target: NDArray[np.int8], stones: Sequence[int], kind: str) -> tuple[int, ...] | None:
        """Moves from the start to ``target``, as near to those of the game as can be."""
        if not _alternates(self.game):
            gone = {self._ply[cell] for cell in stones}
            return tuple(self.game.passing if ply in gone else action for ply, action in enumerate(self.position.moves))
        pools: tuple[list[int], list[int]] = ([], [])
        other = self._exchanged_plies(stones) if kind == EXCHANGED else {}
        for ply in range(len(self._placed)):
            cell = self._placed[other.get(ply, ply)]
            if target.flat[cell]:
                pools[target.flat[cell] - 1].append(cell)
        cells = self._ordered(pools)
        if cells is None:
            return None
        return tuple(cell % self._columns if self.game.gravity else cell for cell in cells)

    def _exchanged_plies(self, stones: Sequence[int]) -> dict[int, int]:
        """Pairs of plies whose moves change places."""
        plies = [sorted(self._ply[cell] for cell in stones if self._cells.flat[cell] == player) for player in (1, 2)]
        return {a: b for mine, yours in zip(*plies, strict=True) for a, b in ((mine, yours), (yours, mine))}

    def _ordered(self, pools: tuple[list[int], list[int]]) -> list[int] | None:
        """The cells of both players in turn, each as early in its pool as what stands below allows.

        The stone placed last in the game stays the last, where it is still its player's and on top."""
        turn, count = self.position.start.to_move, len(pools[0]) + len(pools[1])
        if len(pools[turn]) != (count + 1) // 2:
            return None
        if not self.game.gravity:
            return [pools[turn ^ (ply & 1)][ply // 2] for ply in range(count)]
        rank = {cell: number for pool in pools for number, cell in enumerate(pool)}
        last = self._placed[-1] if self._placed else -1
        closer = pools[turn ^ ((count - 1) & 1)] if count else []
        if last not in closer or last - self._columns in rank:
            last = -1
        columns = [
            [cell for cell in range(self._cells.size - self._columns + column, -1, -self._columns) if cell in rank]
            for column in range(self._columns)
        ]
        sides = (frozenset(pools[0]), frozenset(pools[1]))
        return _fall(columns, sides, rank, turn, last)


def _fall(
    columns: Sequence[Sequence[int]],
    sides: tuple[frozenset[int], frozenset[int]],
    rank: dict[int, int],
    turn: int,
    last: int,
) -> list[int] | None:
    """Discs that fall into columns, given from below, in turns: those of low rank first, ``last`` at the end unless it
    is -1.  None where there is no such order, or none was found in some hundred steps."""
    total = sum(map(len, columns))
    heights = [0] * len(columns)
    cells: list[int] = []
    dead: set[tuple[int, ...]] = set()

    def goes_on() -> bool:
        if len(cells) == total:
            return True
        mine = sides[turn ^ (len(cells) & 1)]
        tops = [(c, stack[heights[c]]) for c, stack in enumerate(columns) if heights[c] < len(stack)]
        free = [(rank[cell], c, cell) for c, cell in tops if cell in mine and (cell != last or len(cells) == total - 1)]
        for _, column, cell in sorted(free):
            heights[column] += 1
            cells.append(cell)
            if tuple(heights) not in dead and goes_on():
                return True
            dead.add(tuple(heights))
            if len(dead) > _STEPS:
                return False
            cells.pop()
            heights[column] -= 1
        return False

    return cells if goes_on() else None
