"""Threat-space search: wins by continuous fours (VCF), or by threes and fours (VCT), in k in a row.

For the definition of a win, the relevant replies and why wins are proved see core.solve.threats_attack.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.games.position import Position
from core.solve.threats import ThreatRules, rules_of
from core.solve.threats_attack import (
    NO_WIN_AT_ANY_DEPTH,
    NODES_TRIED,
    PLIES,
    UNDECIDED,
    WON,
    begin,
    known_win,
    make_attack,
    replies,
    search,
)
from core.solve.threats_lines import load, make_threats
from core.text import Text

ATTACKS: Final = ("vcf", "vct")
MAX_MOVES: Final = 100  # moves of the attacker
_SLICE: Final = 4096  # nodes between checks of the limits, about 15 ms


@dataclass(frozen=True)
class WinningLine:
    """A proved win of the side to move."""

    kind: str
    """``vcf`` or ``vct``."""
    attacker: int
    moves: tuple[int, ...]
    """The attacker's moves and, between them, the replies that last longest; the last one makes k in a row."""
    plies: int
    """How long the defender can last at most: an upper bound of the distance."""
    nodes: int
    """Nodes searched."""


def find_win(
    position: Position,
    kind: str = "vcf",
    max_depth: int = 20,
    seconds: float | None = None,
    max_nodes: int | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> WinningLine | None:
    """Find a win of the side to move by fours (``vcf``) or by threes and fours (``vct``); None when none was found.

    ``max_depth``: moves of the attacker before the one that wins by itself (five, open four, two fours), from 0 to
    100.  ``seconds``, ``max_nodes``: limits; ``should_stop`` is polled every few milliseconds.  The line is
    the shortest in the attacker's moves.  Raises ValueError for a game without threats and for bad arguments.
    """
    rules = rules_of(position.game)
    if kind not in ATTACKS:
        raise ValueError(
            Text(
                "{name} is {value!r}; it must be one of {allowed}", name="kind", value=kind, allowed=", ".join(ATTACKS)
            )
        )
    if isinstance(max_depth, bool) or not isinstance(max_depth, int) or not 0 <= max_depth <= MAX_MOVES:
        raise ValueError(
            Text(
                "max_depth is {max_depth!r}; it must be a whole number from 0 to {most}",
                max_depth=max_depth,
                most=MAX_MOVES,
            )
        )
    for name, limit in (("seconds", seconds), ("max_nodes", max_nodes)):
        if limit is not None and not limit >= 0:
            raise ValueError(
                Text("{name} is {limit!r}; it must be a number from 0 on, or None for no limit", name=name, limit=limit)
            )
    if position.is_over:
        return None
    hunt = _WinSearch(rules, kind, max_depth)
    hunt.set_board(position.cells().reshape(-1), position.to_move)
    deadline = None if seconds is None else time.perf_counter() + seconds

    def gives_up() -> bool:
        return should_stop() or (deadline is not None and time.perf_counter() >= deadline)

    plies = hunt.plies(max_depth, max_nodes, gives_up)
    if plies == 0:
        return None
    nodes = int(hunt.attack.state[NODES_TRIED])
    moves = hunt.line(plies)
    return WinningLine(kind, position.to_move, moves, max(plies, len(moves)), nodes)


def compile_for(position: Position) -> None:
    """Compile the kernels of ``find_win``, also those that only a win needs, which ``position`` need not have."""
    hunt = _WinSearch(rules_of(position.game), "vct", 1)
    hunt.set_board(position.cells().reshape(-1), position.to_move)
    hunt.plies(1)
    known_win(hunt.threats, hunt.attack)
    replies(hunt.threats, hunt.attack)


class _WinSearch:
    """One search with its arrays and iterative deepening."""

    def __init__(self, rules: ThreatRules, kind: str, max_depth: int) -> None:
        self.threats = make_threats(rules.rows, rules.cols, rules.k, (rules.exact, rules.exact))
        self.attack = make_attack(rules.rows * rules.cols, max_depth)
        self.fours_only = kind == "vcf"
        self.max_depth = max_depth

    def set_board(self, cells: NDArray[np.int8], attacker: int) -> None:
        """Set the board int8 [A], with the attacker to move."""
        self.cells = cells.copy()
        self.attacker = attacker

    def plies(self, max_depth: int, max_nodes: int | None = None, gives_up: Callable[[], bool] = lambda: False) -> int:
        """Plies of the win with the fewest moves of the attacker; 0 when there is none or the search gives up."""
        attack = self.attack
        load(self.threats, self.cells)
        for depth in range(max_depth + 1):
            begin(self.threats, attack, self.attacker, self.fours_only, depth)
            status = UNDECIDED
            while status == UNDECIDED:
                budget = _SLICE if max_nodes is None else min(_SLICE, max_nodes - int(attack.state[NODES_TRIED]))
                if budget <= 0 or gives_up():
                    return 0
                status = search(self.threats, attack, budget)
            if status == WON:
                return int(attack.state[PLIES])
            if status == NO_WIN_AT_ANY_DEPTH:
                return 0
        return 0

    def line(self, plies: int) -> tuple[int, ...]:
        """The moves of a win: the attacker's best known ones, and the replies with the longest defence."""
        moves: list[int] = []
        while True:
            plies, move = self._win(plies)
            moves.append(move)
            self.cells[move] = self.attacker + 1
            if plies == 1:
                return tuple(moves)
            plies, reply = max(self._after_replies(plies), key=lambda option: option[0])
            moves.append(reply)
            self.cells[reply] = 2 - self.attacker

    def _win(self, plies: int) -> tuple[int, int]:
        """(plies, move) of the attacker's win; searched again when its table entry was overwritten."""
        load(self.threats, self.cells)
        begin(self.threats, self.attack, self.attacker, self.fours_only, 0)
        result, move = known_win(self.threats, self.attack)
        if result == 0:
            self.plies(min(self.max_depth, plies // 2))
            result, move = known_win(self.threats, self.attack)
        return int(result), int(move)

    def _after_replies(self, plies: int) -> list[tuple[int, int]]:
        """(plies of the win after it, reply) for each relevant reply."""
        load(self.threats, self.cells)
        count = replies(self.threats, self.attack)
        options = []
        for reply in self.attack.moves[1, :count].tolist():
            self.cells[reply] = 2 - self.attacker
            options.append((self._win(plies)[0], reply))
            self.cells[reply] = 0
        return options
