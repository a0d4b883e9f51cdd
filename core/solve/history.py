"""Exact values of games whose future depends on earlier positions, by searching ever deeper.

A position there is the whole line of play that led to it; lines are one where ``dispatch.line_key`` is, and of the
symmetries only those of a position without moves are used.  Whether a player can force a win, or a draw, within so
many plies is a question of yes or no; a line that is longer counts as no.  The first depth at which one of the answers
is yes gives the value and the distance.  A table keeps, for a line and a question, the most plies that are known not to
suffice and the fewest that do.
"""

from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core._jit import jit, jitable
from core.games import dispatch
from core.games.bits import mix
from core.games.dispatch import DRAW, FIRST_WINS, ONGOING
from core.games.info import PLY
from core.games.position import Position
from core.games.spec import GameSpec
from core.solve.slices import (
    ADVANCE,
    DEPTH,
    ENTER,
    NUM_CONTROL,
    PHASE,
    RETURN,
    SEARCHED,
    VALUE,
    Monitor,
    OutOfTime,
    Pace,
)
from core.solve.solution import MoveValue, Solution, publish, solution
from core.solve.table import Key, TranspositionTable, find, keep, make_table

_KILLER: Final = 1 << 40
_NEVER: Final = 1 << 14  # more plies than any game of this solver has
_TABLE_BITS: Final = 20


class Goal(NamedTuple):
    """Whether ``player`` can force a win, or with ``draws`` at least a draw, in ``plies``."""

    player: int
    draws: bool
    plies: int
    capped: bool  # whether these are so many that the game ends by their number


class HistoryRun(NamedTuple):
    """The state of a search with its move ordering.  D levels, A actions."""

    number: NDArray[np.int64]  # [D]: moves to try
    following: NDArray[np.int64]  # [D]: index of the next of them
    moves: NDArray[np.int16]  # [D, A]
    killers: NDArray[np.int64]  # [D]: the move that decided the last position of this depth
    keys: NDArray[np.uint64]  # [D, 2]: of the table
    began: NDArray[np.int64]  # [D]: positions searched before
    history: NDArray[np.int64]  # [2, A]: how often each side's moves decided a position, weighted
    control: NDArray[np.int64]  # [NUM_CONTROL]


def _make_run(levels: int, actions: int) -> HistoryRun:
    return HistoryRun(
        number=np.zeros(levels, np.int64),
        following=np.zeros(levels, np.int64),
        moves=np.zeros((levels, actions), np.int16),
        killers=np.full(levels, -1, np.int64),
        keys=np.zeros((levels, 2), np.uint64),
        began=np.zeros(levels, np.int64),
        history=np.zeros((2, actions), np.int64),
        control=np.zeros(NUM_CONTROL, np.int64),
    )


@jitable
def _order(run: HistoryRun, depth: int, count: int, side: int) -> None:
    """Sort the moves of a level, most promising first."""
    moves = run.moves[depth]
    for i in range(count):
        action = int(moves[i])
        mark = _mark(run, depth, side, action)
        at = i
        while at > 0 and _mark(run, depth, side, int(moves[at - 1])) < mark:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = action


@jitable
def _mark(run: HistoryRun, depth: int, side: int, action: int) -> int:
    return int(run.history[side, action] + (_KILLER if action == run.killers[depth] else 0))


@jitable
def _question(state: dispatch.State, goal: Goal) -> Key:
    """What the table keeps an answer for, but for the number of plies."""
    first, second = dispatch.line_key(state)
    about = np.uint64(int(state.info[PLY]) * 8 + 4 if goal.capped else 0)
    about = mix(about + np.uint64(goal.player * 2) + np.uint64(goal.draws))
    return Key(first ^ about, second + about)


@jit
def _run_slice(stack: Any, run: HistoryRun, table: TranspositionTable, goal: Goal, budget: int) -> bool:
    """Continue a search for ``budget`` positions; whether it has finished, with the answer in control[VALUE]."""
    control = run.control
    depth, phase, answer, nodes = control[DEPTH], control[PHASE], control[VALUE], control[SEARCHED]
    limit = nodes + budget
    while depth >= 0 and nodes < limit:
        state = dispatch.state_at(stack, int(depth))
        if phase == ENTER:
            nodes += 1
            result = dispatch.result(state)
            phase = RETURN
            if result != ONGOING:
                won = result == FIRST_WINS if goal.player == 0 else result != FIRST_WINS and result != DRAW
                answer = won or (goal.draws and result == DRAW)
            elif depth == goal.plies:
                answer = 0
            else:
                key = _question(state, goal)
                entry = find(table, key)
                if entry >= 0:
                    plies = goal.plies - depth
                    if plies <= table.low[entry] or plies >= table.high[entry]:
                        answer = plies >= table.high[entry]
                        continue
                run.keys[depth, 0], run.keys[depth, 1] = key
                run.began[depth] = nodes
                count = dispatch.legal(state, run.moves[depth])
                _order(run, int(depth), count, dispatch.to_move(state))
                run.number[depth] = count
                run.following[depth] = 0
                phase = ADVANCE
        elif phase == ADVANCE:
            child = dispatch.state_at(stack, int(depth) + 1)
            dispatch.copy(child, state)
            dispatch.play(child, int(run.moves[depth, run.following[depth]]))
            run.following[depth] += 1
            depth += 1
            phase = ENTER
        else:
            depth -= 1
            if depth < 0:
                break
            side = dispatch.to_move(dispatch.state_at(stack, int(depth)))
            tried = run.following[depth]
            if answer == (side == goal.player):  # the side to move has what it wants
                action = run.moves[depth, tried - 1]
                run.killers[depth] = action
                run.history[side, action] += (goal.plies - depth) ** 2
            elif tried < run.number[depth]:
                phase = ADVANCE
                continue
            plies = goal.plies - int(depth)
            low, high = (-1, plies) if answer else (plies, _NEVER)
            key = Key(run.keys[depth, 0], run.keys[depth, 1])
            keep(table, key, low, high, -1, int(nodes - run.began[depth]))
    control[DEPTH], control[PHASE], control[VALUE], control[SEARCHED] = depth, phase, answer, nodes
    return bool(depth < 0)


class HistorySolver:
    """Solves positions of one game, each with the line of play that led to it."""

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self._levels = game.max_plies + 1
        self._stack = dispatch.repeated(game.new_state(), self._levels)
        self._run = _make_run(self._levels, game.num_actions)
        self._table = make_table(_TABLE_BITS)
        self._pace = Pace()

    def solve(self, position: Position, monitor: Monitor) -> Solution | None:
        """Solve a position as far as time allows; None when its value was not found.  Cancelled by ``monitor``."""
        if position.is_over:
            return Solution(position.returns[position.to_move], 0, (), 0, monitor.elapsed)
        # Of the moves that a symmetry makes one only the first is searched, where nothing came before.
        same = [0] if position.moves else list(position.symmetries())
        images = self.game.symmetries[same].min(axis=0)
        children = {action: position.play(action) for action in position.legal_actions() if images[action] == action}
        answers = {action: MoveValue(action, None, None) for action in children}
        safe: dict[int, set[int]] = {action: set() for action in children}  # the players who can at least draw

        def values() -> tuple[MoveValue, ...]:
            actions = position.legal_actions()
            return tuple(replace(answers[int(images[action])], action=action) for action in actions)

        try:
            for plies in range(self.game.max_plies - position.ply):
                for action, child in children.items():
                    if answers[action].value is None:
                        answers[action] = self._answer(child, action, plies, safe[action], monitor)
                        publish(values, monitor)
                if all(move.value is not None for move in answers.values()):
                    break
        except OutOfTime:
            pass
        return solution(values(), monitor)

    def _answer(self, child: Position, action: int, plies: int, safe: set[int], monitor: Monitor) -> MoveValue:
        """The value of the move to ``child`` if it shows within ``plies`` after it; ``safe``: see ``solve``."""
        mover = 1 - child.to_move
        capped = child.ply + plies == self.game.max_plies
        for player, value in ((mover, 1), (1 - mover, -1)):
            if player in safe or self._ask(child, Goal(player, True, plies, capped), monitor):
                safe.add(player)
                if self._ask(child, Goal(player, False, plies, capped), monitor):
                    return MoveValue(action, value, 1 + plies)
        return MoveValue(action, 0 if len(safe) == 2 else None, None)

    def _ask(self, position: Position, goal: Goal, monitor: Monitor) -> bool:
        run = self._run
        for array, value in zip(self._stack, position.state, strict=True):
            array[0] = value
        search = partial(_run_slice, self._stack, run, self._table, goal)
        return bool(self._pace.run(search, run.control, monitor))
