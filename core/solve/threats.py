"""Threats and patterns of k in a row for display, and the threats that the searches of a game follow.

The kinds of patterns (活三, 冲四, ...) are defined in core.solve.threats_lines; core.solve.threats_win searches for
wins by continuous fours (VCF) and by threes and fours (VCT).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.connect4 import Connect4State
from core.games.connectn import ConnectNState
from core.games.position import Position
from core.games.spec import FOUR_ON_BITS, GameSpec
from core.solve import threats_lines as lines
from core.solve.threats_falling import falling_threats
from core.solve.threats_leaf import NoThreats, Scout
from core.solve.threats_lines import (
    FIVE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    classify,
    make_threats,
    reach,
    window_gaps,
)
from core.text import Text

KIND_NAMES: Final = ("none", "two", "open two", "three", "open three", "four", "open four", "five")
_STEPS: Final = ((0, 1), (1, 0), (1, -1), (1, 1))  # (row, column) of the four directions: / is the third


@dataclass(frozen=True)
class ThreatRules:
    """The parameters of a game on which its threats depend."""

    rows: int
    cols: int
    k: int
    exact: bool
    """Whether only exactly ``k`` in a row wins."""


@dataclass(frozen=True)
class Pattern:
    """Stones of one side on one line that lack j points for k in a row, and the missing points."""

    kind: int
    """TWO to FIVE of core.solve.threats_lines; never NONE."""
    side: int
    cells: tuple[int, ...]
    """The stones, ascending."""
    gaps: tuple[int, ...]
    """The empty points of its windows, ascending; for a four where it is completed, for a five none."""

    @property
    def name(self) -> str:
        return KIND_NAMES[self.kind]


@dataclass(frozen=True, eq=False)
class ThreatMap:
    """The threats of a position; points are cells ``row * cols + col``."""

    position: Position
    kinds: NDArray[np.uint8]
    """[2, A, 4]: what a stone of a side on an empty point would make, level, upright, rising, falling; read-only."""
    patterns: tuple[Pattern, ...]
    """The patterns on the board of two stones or more, strongest first."""

    def points(self, side: int, kind: int) -> tuple[int, ...]:
        """The empty points where ``side`` would make ``kind`` on some line, ascending."""
        return tuple(np.flatnonzero((self.kinds[side] == kind).any(axis=1)).tolist())

    def best(self, side: int, cell: int) -> int:
        """The strongest kind a stone of ``side`` at ``cell`` would make; two fours at once are an open four."""
        kinds = self.kinds[side, cell]
        if (kinds == lines.FOUR).sum() > 1 and kinds.max() == lines.FOUR:
            return OPEN_FOUR
        return int(kinds.max())


def refusal(game: GameSpec) -> str:
    """The reason why threats of a game are not supported, as a sentence; "" when they are, as in all games of k in a
    row on a free board."""
    if game.lines is None or game.gravity:
        return Text(
            "there are no threats in {game!r}: it must be k in a row on a free board, as gomoku or connectn",
            game=game.text,
        )
    if game.has_fouls:
        return Text(
            "there are no threats in {game!r}: Renju's fouls decide which of black's fours and threes are real, "
            "which is not worked out here; gomoku with rule freestyle or standard has them",
            game=game.text,
        )
    return ""


def rules_of(game: GameSpec) -> ThreatRules:
    """The threat parameters of a game.  Raises ValueError for a game without threats."""
    problem = refusal(game)
    if problem or game.lines is None:
        raise ValueError(problem)
    return ThreatRules(*game.shape, game.lines.k, bool(game.lines.exact))


def make_scout(game: GameSpec, wants_threats: bool = True, searched: bool = False) -> Scout:
    """Threats for ``game``'s searches; NoThreats unless it ``wants_threats`` and the game has some.

    searched: whether positions may take as long as a net does, which in Connect Four a short exact search uses."""
    state = game.new_state()
    if wants_threats and isinstance(state, Connect4State):
        return falling_threats(*game.shape, searched and game.solver == FOUR_ON_BITS)
    if not wants_threats or not isinstance(state, ConnectNState):
        return NoThreats(np.zeros(0, np.int64))
    rules = rules_of(game)
    return make_threats(rules.rows, rules.cols, rules.k, (rules.exact, rules.exact))


def has_threat_proofs(game: GameSpec) -> bool:
    """Whether threats can prove positions of ``game``."""
    return not isinstance(make_scout(game), NoThreats)


_kind = lru_cache(maxsize=1 << 16)(classify)


def threats(position: Position) -> ThreatMap:
    """All threats of both sides.  Raises ValueError for a game without them."""
    rules = rules_of(position.game)
    cells = position.cells()
    kinds = np.zeros((2, cells.size, lines.DIRECTIONS), np.uint8)
    patterns: list[Pattern] = []
    for direction in range(lines.DIRECTIONS):
        for line in _lines(rules, direction):
            stones = cells.flat[line].tolist()
            for side in range(2):
                for n, kind in _points(rules, stones, side):
                    kinds[side, line[n], direction] = kind
                patterns += [
                    Pattern(kind, side, _at(line, cells_of), _at(line, gaps))
                    for kind, cells_of, gaps in _patterns(rules, stones, side)
                ]
    kinds.flags.writeable = False
    return ThreatMap(position, kinds, tuple(sorted(patterns, key=lambda p: (-p.kind, p.side, p.cells))))


def _at(line: list[int], bits: int) -> tuple[int, ...]:
    return tuple(sorted(line[n] for n in range(len(line)) if bits >> n & 1))


def _lines(rules: ThreatRules, direction: int) -> Iterator[list[int]]:
    """The cells of each line of a direction that is long enough for k."""
    down, right = _STEPS[direction]
    for row in range(rules.rows):
        for col in range(rules.cols):
            if row >= down and 0 <= col - right < rules.cols:
                continue  # counted at its start
            line = []
            r, c = row, col
            while r < rules.rows and 0 <= c < rules.cols:
                line.append(r * rules.cols + c)
                r, c = r + down, c + right
            if len(line) >= rules.k:
                yield line


def _words(stones: list[int], side: int, radius: int) -> tuple[int, int]:
    """A line as bits, point n at bit n + radius: the side's stones; those of the other side and the ends."""
    word = blocked = 0
    for n in range(-radius, len(stones) + radius):
        inside = 0 <= n < len(stones)
        if inside and stones[n] == side + 1:
            word |= 1 << (n + radius)
        elif not inside or stones[n] != 0:
            blocked |= 1 << (n + radius)
    return word, blocked


def _points(rules: ThreatRules, stones: list[int], side: int) -> Iterator[tuple[int, int]]:
    """(point number, kind) of the empty points of a line where a stone makes a pattern."""
    radius = reach(rules.k, rules.exact)
    mask = (1 << (2 * radius + 1)) - 1
    word, blocked = _words(stones, side, radius)
    if word == 0 and rules.k > 3:
        return
    for n, stone in enumerate(stones):
        if stone == 0:
            kind = _kind((word >> n) & mask, (blocked >> n) & mask, rules.k, rules.exact, radius)
            if kind != lines.NONE:
                yield n, kind


def _patterns(rules: ThreatRules, stones: list[int], side: int) -> Iterator[tuple[int, int, int]]:
    """(kind, stones, gaps) of a line's patterns, as bits by point number.

    The windows of a pattern share stones; a stone that is part of a stronger pattern on the line is in no weaker one.
    """
    k, radius = rules.k, 1
    word, blocked = _words(stones, side, radius)
    taken = 0
    for short in range(min(4 if k >= 5 else 3, k - 1)):
        groups: list[list[tuple[int, int]]] = []  # of (stones, gaps) of windows
        for first in range(radius, len(stones) - k + 1 + radius):
            gaps = window_gaps(word, blocked, first, k, rules.exact)
            if gaps < 0 or gaps.bit_count() != short:
                continue
            inside = word & (((1 << k) - 1) << first)
            if inside & taken:
                continue
            if groups and any(inside & before for before, _ in groups[-1]):
                groups[-1].append((inside, gaps))
            else:
                groups.append([(inside, gaps)])
        for group in groups:
            cells = gaps = 0
            for inside, missing in group:
                cells |= inside
                gaps |= missing
            taken |= cells
            masks = [missing for _, missing in group]
            is_open = short > 0 and any(
                a != b and (a & b).bit_count() == short - 1 for i, a in enumerate(masks) for b in masks[:i]
            )
            yield FIVE + is_open - 2 * short, cells >> radius, gaps >> radius


__all__ = [
    "KIND_NAMES",
    "OPEN_FOUR",
    "OPEN_THREE",
    "OPEN_TWO",
    "Pattern",
    "ThreatMap",
    "ThreatRules",
    "has_threat_proofs",
    "make_scout",
    "refusal",
    "rules_of",
    "threats",
]
