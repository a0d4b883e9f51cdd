"""The position of a Go state, and what came before it, as a view for nets."""

from core._jit import jit, jitable
from core.games import go_view
from core.games.dispatch import ONGOING
from core.games.go_board import (
    BONUS,
    BUTTON,
    COLS,
    COUNT,
    ILLEGAL,
    KEPT,
    KO,
    KO_RULE,
    KOMI,
    PASSES,
    PLAYED,
    ROWS,
    SIMPLE,
    SUICIDE,
    TAX,
    TERRITORY,
    GoState,
    action_of,
    is_legal,
    outcome,
    point_of,
)
from core.games.go_rules import passed_here_before
from core.games.go_view import GoView
from core.games.info import PLY, RESULT


@jitable
def _take_back(state: GoState, view: GoView, ago: int) -> None:
    """Write the board before the move that led to that of ``ago - 1`` plies ago."""
    move = int(state.info[COUNT]) - 1 - ago
    mover = 1 + int(state.info[PLY] - ago) % 2
    after, before = view.stones[ago - 1], view.stones[ago]
    for point in range(len(before)):
        before[point] = after[point]
    place = int(state.moves[move])
    if place == 0:
        return
    played = action_of(state, place)
    taken = 3 - mover if after[played] == mover else mover  # where the stone is gone it took its own chain
    for i in range(state.emptied[move % KEPT]):
        before[action_of(state, int(state.taken[move % KEPT, i]))] = taken
    before[played] = 0


@jitable
def _ko_after(state: GoState, view: GoView, ago: int) -> int:
    """The ko that the move made which led to the board of ``ago`` plies ago."""
    move = int(state.info[COUNT]) - 2 - ago
    if move < 0 or state.moves[move] == 0 or state.emptied[move % KEPT] != 1:
        return go_view.NONE
    stones = view.stones[ago]
    played = action_of(state, int(state.moves[move]))
    rows, cols = state.dims[ROWS], state.dims[COLS]
    row, col = played // cols, played % cols
    free = 0
    for direction in range(4):
        r = row + (direction == 0) - (direction == 3)
        c = col + (direction == 1) - (direction == 2)
        if 0 <= r < rows and 0 <= c < cols:
            near = stones[r * cols + c]
            if near == stones[played]:
                return go_view.NONE
            free += int(near == 0)
    return action_of(state, int(state.taken[move % KEPT, 0])) if free == 1 else go_view.NONE


@jitable
def _pass_ends(state: GoState) -> int:
    """What a pass would do."""
    info = state.info
    if info[BUTTON] != 0:
        return go_view.PASS_GOES_ON
    if info[PASSES] != 0 and info[RESULT] == ONGOING:
        return go_view.PASS_IS_SECOND
    repeats = info[PASSES] != 0 or (state.dims[KO_RULE] == SIMPLE and passed_here_before(state))
    return go_view.PASS_REPEATS if repeats else go_view.PASS_GOES_ON


@jitable
def settled_points(state: GoState) -> int:
    """Black's points that komi is shifted by, in halves: those of button and handicap, less one for each stone played
    where territory is counted."""
    played = state.info[PLAYED] if state.dims[TERRITORY] != 0 else 0
    return int(state.info[BONUS] - 2 * played)


@jit
def view_of(state: GoState, view: GoView) -> None:
    """Write the position to ``view``, but for FRIENDLY, DRAW and what is asked of a net."""
    info, dims, facts = state.info, state.dims, view.facts
    points = dims[ROWS] * dims[COLS]
    stone = 1 + int(info[PLY] & 1)
    superko = dims[KO_RULE] != SIMPLE
    for action in range(points):
        point = point_of(state, action)
        view.stones[0, action] = state.cells[point]
        illegal = superko and state.cells[point] == 0 and not is_legal(state, point, stone)
        view.banned[action] = int(illegal and outcome(state, point, stone) != ILLEGAL)
    boards = min(int(info[COUNT]), go_view.BOARDS)
    for ago in range(1, boards):
        _take_back(state, view, ago)
    view.kos[0] = go_view.NONE if info[KO] == 0 else action_of(state, int(info[KO]))
    for ago in range(1, min(boards, len(view.kos))):
        view.kos[ago] = _ko_after(state, view, ago)
    for i in range(len(view.moves)):
        move = int(info[COUNT]) - 2 - i
        view.moves[i] = go_view.NONE if move < 0 else action_of(state, int(state.moves[move]))
    facts[go_view.ROWS], facts[go_view.COLS], facts[go_view.TO_MOVE] = dims[ROWS], dims[COLS], stone
    facts[go_view.BOARDS_KNOWN] = boards
    facts[go_view.OVER] = int(info[RESULT] != ONGOING)
    facts[go_view.PASS_ENDS] = _pass_ends(state)
    facts[go_view.KO_RULE], facts[go_view.SUICIDE] = dims[KO_RULE], dims[SUICIDE]
    facts[go_view.BUTTON] = info[BUTTON]
    facts[go_view.TAX], facts[go_view.TERRITORY] = dims[TAX], dims[TERRITORY]
    view.numbers[go_view.KOMI] = (dims[KOMI] - settled_points(state)) / 2.0
