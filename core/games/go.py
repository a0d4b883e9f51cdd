"""Go on boards of 2 to 19 lines: the game, its parameters, names and diagrams; the rules run in the kernel files.

Player 0 is black and moves first; a diagram may set up any stones, such as a handicap.  Actions are points
``row * cols + col`` with row 0 on top, and after them the pass, which is always legal.  The result of a game counts
every stone on the board as alive: area (stones, and empty regions that touch stones of one colour alone) or, with
``rules=japanese`` and ``korean``, such regions and prisoners.  Players who leave dead stones on the board agree on a
count without them, which core.games.go_count makes.

A game without two passes ends as a draw after ``3 * points + 104`` plies.  That is more than superko allows on 2×2, and
two to three times what a game between players takes on large boards.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games import dispatch
from core.games.counting import Points
from core.games.encoding import OWN_ENCODING
from core.games.go_board import (
    BONUS,
    BORDER,
    BUTTON,
    COUNT,
    ILLEGAL,
    KEPT,
    KO,
    KOMI,
    MAX_SIDE,
    NUM_INFO,
    PASSES,
    PLAYED,
    GoState,
    action_of,
    outcome,
    place,
    point_of,
    remember,
    side_code,
)
from core.games.go_concepts import CONCEPTS
from core.games.go_count import chains_at, count, dead_stones, handicap_points, is_counted
from core.games.go_encodings import encodings as go_encodings
from core.games.go_regions import area_owners
from core.games.go_rule_names import KATAGO_NAMES
from core.games.go_rule_sets import KO_RULES, RULES, TAXES, USUAL_RULES, number_text, parameters_text
from core.games.go_rules import rollout
from core.games.go_sgf import game_text, handicap_cells, rules_text
from core.games.go_shapes import area, chains
from core.games.grid import cell_names, grid_symmetries
from core.games.info import LAST, PLY
from core.games.position import Position
from core.games.spec import (
    HISTORY,
    PASS,
    PASS_SPELLINGS,
    Board,
    ChoiceParameter,
    Counting,
    GameFamily,
    GameSpec,
    IntParameter,
    OpenParameter,
    Sgf,
    SgfReader,
)
from core.text import Text

_GM: Final = 1  # SGF's number of the game
_USUAL: Final = "usual"
_COLUMNS: Final = "abcdefghjklmnopqrst"  # no i


class GoSetup(NamedTuple):
    """A board's size and rules, as numbers for the kernels."""

    rows: int
    cols: int
    ko: int
    suicide: bool
    komi: int  # in halves of a point
    handicap: int  # as in RuleSet
    button: bool
    tax: int
    territory: bool

    @property
    def max_plies(self) -> int:
        return 3 * self.rows * self.cols + 104


def _inside(cells: NDArray[np.int8], rows: int, cols: int) -> NDArray[np.int8]:
    """The board without its border, a view int8 [H, W]."""
    return cells[:-1].reshape(rows + 2, cols + 1)[1:-1, 1:]


def _new_state(setup: GoSetup) -> GoState:
    rows, cols, plies = setup.rows, setup.cols, setup.max_plies
    points = (rows + 2) * (cols + 1) + 1
    cells = np.full(points, BORDER, np.int8)
    _inside(cells, rows, cols)[:] = 0
    around = np.zeros(points, np.int16)
    for by in (1, -1, cols + 1, -cols - 1):
        around += np.roll(cells, by) == 0
    info = np.zeros(NUM_INFO, np.int64)
    info[LAST] = -1
    info[BUTTON] = setup.button
    state = GoState(
        cells=cells,
        around=around,
        chain=np.zeros(points, np.int16),
        following=np.zeros(points, np.int16),
        liberties=np.zeros(points, np.int16),
        size=np.zeros(points, np.int16),
        info=info,
        dims=np.array([rows, cols, plies, setup.ko, setup.suicide, setup.komi, setup.tax, setup.territory], np.int64),
        history=np.zeros(plies + 1, np.uint64),
        recorded=np.zeros(64, np.uint64),
        moves=np.zeros(plies, np.int16),
        emptied=np.zeros(KEPT, np.int16),
        taken=np.zeros((KEPT, rows * cols), np.int16),
        scratch=np.zeros(rows * cols, np.int16),
    )
    remember(state, np.uint64(0))
    return state


def _cells(state: GoState) -> NDArray[np.int8]:
    return _inside(state.cells, int(state.dims[0]), int(state.dims[1])).copy()


def _from_cells(setup: GoSetup, cells: NDArray[np.int8], stated: int | None, last: int) -> GoState:
    if stated is None:
        raise ValueError(
            Text("it does not say whose turn it is, and as there are passes its last line must: 'X to move'")
        )
    passed = last == setup.rows * setup.cols
    if last >= 0 and not passed and cells.flat[last] != 2 - stated and not (setup.suicide and cells.flat[last] == 0):
        raise ValueError(
            Text(
                "its last move {move} is not a stone of the player who just moved",
                move=cell_names(setup.rows, setup.cols, letters=_COLUMNS)[last],
            )
        )
    state = _new_state(setup)
    info = state.info
    code = np.uint64(0)
    for action in np.flatnonzero(cells).tolist():
        code ^= place(state, point_of(state, action), int(cells.flat[action]))
    if not np.array_equal(_cells(state), cells):
        raise ValueError(Text("it has stones without a liberty, which are taken off the board"))
    blacks, whites = (int(np.count_nonzero(cells == stone)) for stone in (1, 2))
    ply = max(2 * blacks - 1, 2 * whites, 1 if passed else 0)
    info[PLY] = ply + (ply - stated) % 2
    info[LAST] = last
    info[KO] = 0
    info[PLAYED] = blacks - whites
    info[BONUS] = -2 * handicap_points(setup.handicap, blacks, whites)
    if passed and setup.button:
        info[BUTTON] = 0
        info[BONUS] += 1 if stated else -1
    else:
        info[PASSES] = passed
    state.recorded[:] = state.emptied[:] = info[COUNT] = 0
    remember(state, code ^ side_code(state, stated))
    return state


def _refusal(state: GoState, action: int) -> str:
    point = point_of(state, action)
    if state.cells[point] != 0:
        return Text("the place is taken")
    if point == state.info[KO]:
        return Text("it retakes a ko at once")
    if outcome(state, point, 1 + dispatch.to_move(state)):
        return Text("it repeats an earlier position")
    return Text("the stone would have no liberty")


def _repeats(state: GoState, action: int) -> bool:
    """Whether only ko or superko keeps a player from an empty point."""
    point = point_of(state, action)
    return point == state.info[KO] or outcome(state, point, 1 + dispatch.to_move(state)) != ILLEGAL


def _past(state: GoState) -> bytes:
    """All earlier positions, the passes among them, and the ko, the button and its points."""
    count = int(state.info[COUNT])
    return state.history[:count].tobytes() + state.moves[: count - 1].tobytes() + state.info[KO:].tobytes()


def _no_cells(cells: NDArray[np.int8]) -> tuple[int, ...]:
    """No cells: the area decides."""
    return ()


def _owners(cells: NDArray[np.int8]) -> NDArray[np.int8]:
    """Whose each point is by area: stones, and empty regions that touch stones of one colour alone."""
    rows, cols = cells.shape
    owners, _ = area_owners(cells.ravel().tolist(), (rows, cols))
    return np.array(owners, np.int8).reshape(rows, cols)


def _margin(state: GoState) -> float:
    owners = _owners(_cells(state))
    ahead = int(np.count_nonzero(owners == 1)) - int(np.count_nonzero(owners == 2))
    return ahead - 0.5 * float(state.dims[KOMI] - state.info[BONUS])


def _first_info(setup: GoSetup, komi: float) -> NDArray[np.int64]:
    """Another komi as points that black has beforehand."""
    info = _new_state(setup).info
    info[BONUS] += setup.komi - round(2 * komi)
    return info


def _redraw(position: Position, rng: NDArray[np.uint64]) -> tuple[int, ...]:
    """Play the rollout again: the state keeps its moves."""
    state = position.state
    first = int(state.info[COUNT]) - 1
    rollout(state, rng)
    return tuple(action_of(state, int(point)) for point in state.moves[first : int(state.info[COUNT]) - 1])


def _go(text: str, params: Mapping[str, Any]) -> GameSpec:
    rows, cols = params["rows"] or params["size"], params["cols"] or params["size"]
    name = params["rules"]
    rules = RULES[name]
    komi = rules.komi if params["komi"] == _USUAL else float(params["komi"])
    ko = rules.ko if params["ko"] == _USUAL else params["ko"]
    suicide = rules.suicide if params["suicide"] == _USUAL else params["suicide"] == "yes"
    tax = rules.tax if params["tax"] == _USUAL else params["tax"]
    button = params["button"] == "yes"
    if button and rules.territory:
        raise ValueError(Text("the button goes with rules that count area, and {rules} counts territory", rules=name))
    changed = [f"ko={ko}"] if ko != rules.ko else []
    changed += [f"suicide={'yes' if suicide else 'no'}"] if suicide != rules.suicide else []
    changed += [f"tax={tax}"] if tax != rules.tax else []
    changed += ["button=yes"] if button else []
    shown = partial(parameters_text, name, tuple(changed))
    setup = GoSetup(
        rows, cols, KO_RULES[ko], suicide, round(2 * komi), rules.handicap, button, TAXES[tax], rules.territory
    )
    cell_symmetries = grid_symmetries(rows, cols)
    stay = np.full((len(cell_symmetries), 1), rows * cols, np.int16)
    return GameSpec(
        text=shown(rows, cols, komi),
        name="go",
        title=Text(rules.title, rows=rows, cols=cols),
        params={
            "rows": rows,
            "cols": cols,
            "rules": name,
            "komi": komi,
            "ko": ko,
            "suicide": suicide,
            "tax": tax,
            "button": button,
        },
        shape=(rows, cols),
        action_names=(*cell_names(rows, cols, letters=_COLUMNS), PASS),
        first_number=0,
        max_plies=setup.max_plies,
        symmetries=np.concatenate([cell_symmetries, stay], axis=1),
        cell_symmetries=cell_symmetries,
        board=Board(
            new_state=partial(_new_state, setup),
            cells=_cells,
            from_cells=partial(_from_cells, setup),
            winning_cells=_no_cells,
            redraw=_redraw,
            refusal=_refusal,
            past=_past,
            repeats=_repeats,
            chains=chains,
            area=area,
        ),
        spellings=PASS_SPELLINGS,
        solver=HISTORY,
        captures=True,
        suicide=suicide,
        sgf=Sgf(
            _GM,
            rules_text(ko, rules.territory, tax, suicide, button) if changed else rules.sgf,
            number_text(komi),
            partial(handicap_cells, rows, cols),
        ),
        counting=Counting(
            is_counted,
            rules.friendly or rules.territory,
            chains_at,
            dead_stones,
            partial(count, rules.handicap),
        ),
        # Self-play counts area as it stands; other ways need stones that are agreed to be dead, or living groups.
        scoring=None
        if rules.territory or tax != "none"
        else Points(komi, _owners, _margin, partial(_first_info, setup), shown),
        rule_names=KATAGO_NAMES,
        concepts=CONCEPTS,
        encodings=(
            OWN_ENCODING,
            *go_encodings(rows, cols, friendly=rules.friendly, no_result=ko == "simple" or rules.territory),
        ),
    )


_SIZE: Final = IntParameter("size", 2, MAX_SIDE, MAX_SIDE)
_RULE_SETS: Final = ChoiceParameter("rules", tuple(RULES), USUAL_RULES)
GO = GameFamily(
    "go",
    "Go",
    (
        _SIZE,
        IntParameter("rows", 2, MAX_SIDE, 0),
        IntParameter("cols", 2, MAX_SIDE, 0),
        _RULE_SETS,
        OpenParameter(
            "komi",
            (_USUAL, "0", "5.5", "6.5", "7", "7.5"),
            _USUAL,
            r"usual|-?[0-9]{1,3}(\.[05])?",
            Text("points for white in halves as in 6.5, or usual"),
        ),
        ChoiceParameter("ko", (_USUAL, *KO_RULES), _USUAL),
        ChoiceParameter("suicide", (_USUAL, "yes", "no"), _USUAL),
        ChoiceParameter("tax", (_USUAL, *TAXES), _USUAL),
        ChoiceParameter("button", ("no", "yes"), "no"),
    ),
    _go,
    states=("go",),
    small="go(size=2)",
    sgf=SgfReader(_GM, MAX_SIDE, game_text),
)
