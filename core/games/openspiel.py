"""Games of OpenSpiel, by the names and parameters that it gives them.

OpenSpiel is a package of its own that need not be installed.  Every game of it is offered that is for two players in
turn, with perfect information, without chance, where one wins what the other loses; more than a win is a win.
"""

import importlib
import math
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.util import find_spec
from textwrap import wrap
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.games.diagram import quote
from core.games.encoding import OWN_ENCODING, Encoding
from core.games.openspiel_board import CellBoard, find_board, tensor_shape
from core.games.openspiel_names import are_numbers, move_names
from core.games.openspiel_rules import SpielRules
from core.games.openspiel_state import OpenSpielState, line_of, new_moves, new_tensor, open_rules, raise_failure, redraw
from core.games.spec import MINIMAX, NO_SOLVER, NUM_PLANES, WORDS, Board, GameFamily, GameSpec, OpenParameter, no_past
from core.text import Text

PACKAGE: Final = "pyspiel"
TENSOR: Final = "openspiel-tensor/1"
MOST_ACTIONS: Final = 16_384
MOST_TENSOR: Final = 100_000  # numbers
MOST_PLIES: Final = 4096  # longer games are drawn
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")  # as a terminal takes them
_RANKS: Final = re.compile(r"[A-Za-z0-9+~]+(/[A-Za-z0-9+~]+){4,}")
_WIDTH: Final = 72  # of the lines that list moves
_LOOKS: Final = {"gomoku": "stones", "go": "stones", "hex": "hexagons", "othello": "felt", "y": "hexagons"}
_ROUNDS: Final = 1_000_000  # the longest game that OpenSpiel may announce

# Where a player is never to move twice in a row, as their rules say; in other games the opponent may have to wait.
_ALTERNATE: Final = frozenset(
    {
        "antichess",
        "breakthrough",
        "chess",
        "clobber",
        "connect_four",
        "crazyhouse",
        "go",
        "gomoku",
        "havannah",
        "hex",
        "hive",
        "lines_of_action",
        "mnk",
        "nim",
        "othello",
        "oware",
        "pentago",
        "quoridor",
        "shogi",
        "tic_tac_toe",
        "twixt",
        "xiangqi",
        "y",
    }
)


class Opened(NamedTuple):
    """A game of OpenSpiel that can be searched, and what was found out about it."""

    game: Any
    waits: bool
    plies: int
    board: CellBoard | None
    rules: SpielRules


@cache
def _opened(text: str) -> Opened:
    """Open a game that is allowed, by the name and parameters that OpenSpiel gives it."""
    game = importlib.import_module(PACKAGE).load_game(text)
    waits = game.get_type().short_name not in _ALTERNATE
    plies = min(MOST_PLIES, game.max_game_length() * (2 if waits else 1) + 1)
    board = find_board(game)
    rules = SpielRules(game, board, plies, waits)
    return Opened(game, waits, plies, board, rules)


def _load(text: str) -> Any:
    """OpenSpiel's game of that name and parameters; ValueError with a phrase where it is none that can be searched."""
    try:
        package = importlib.import_module(PACKAGE)
    except ImportError:
        raise ValueError(
            Text("games of OpenSpiel need its package, which is not installed: pip install open-spiel")
        ) from None
    name = text.partition("(")[0]
    if name not in package.registered_names():
        games = ", ".join(_offered(package))
        raise ValueError(Text("OpenSpiel has no game {name}; it offers {games}", name=quote(name), games=games))
    game = _answer(lambda: package.load_game(text))
    problem = unfit(game)
    if problem:
        raise ValueError(
            f"OpenSpiel says that {name} is {problem}; a game must be for 2 players, "
            "SEQUENTIAL, DETERMINISTIC, PERFECT_INFORMATION, ZERO_SUM"
        )
    actions, tensor, plies = game.num_distinct_actions(), math.prod(tensor_shape(game)), game.max_game_length()
    if not (1 <= actions <= MOST_ACTIONS and 0 <= tensor <= MOST_TENSOR and 1 <= plies <= _ROUNDS):
        raise ValueError(
            f"it has {actions} actions, a tensor of {tensor} numbers and games of up to {plies} moves; "
            f"allowed are at most {MOST_ACTIONS}, {MOST_TENSOR} and {_ROUNDS}, and none may be below 1"
        )
    _answer(game.new_initial_state)
    return game


def _answer(question: Callable[[], Any]) -> Any:
    """What OpenSpiel answers; ValueError with what it says instead."""
    try:
        return question()
    except Exception as error:  # of OpenSpiel's own kind
        raise ValueError(Text("OpenSpiel says: {error}", error=quote(str(error)))) from None


def unfit(game: Any) -> str:
    """What OpenSpiel says of a game for which it cannot be searched, in its words; "" where it can."""
    kind = game.get_type()
    players = () if game.num_players() == 2 else (f"for {game.num_players()} players",)
    kinds = (
        (kind.dynamics.name, "SEQUENTIAL"),
        (kind.chance_mode.name, "DETERMINISTIC"),
        (kind.information.name, "PERFECT_INFORMATION"),
        (kind.utility.name, "ZERO_SUM"),
    )
    return ", ".join((*players, *(name for name, need in kinds if name != need)))


def _offered(package: Any) -> list[str]:
    """The names of the games that can be searched with their usual parameters."""
    names = []
    for kind in package.registered_games():
        names_of_kind = (kind.dynamics.name, kind.chance_mode.name, kind.information.name, kind.utility.name)
        fits = names_of_kind == ("SEQUENTIAL", "DETERMINISTIC", "PERFECT_INFORMATION", "ZERO_SUM")
        if fits and kind.default_loadable and kind.min_num_players <= 2 <= kind.max_num_players:
            names.append(kind.short_name)
    return names


def _new_state(text: str) -> OpenSpielState:
    opened = _opened(text)
    return new_moves(open_rules(text, lambda: opened.rules), opened.plies)


def _cells(text: str, shape: tuple[int, int], state: OpenSpielState) -> NDArray[np.int8]:
    """The stones, int8 [H, W]; nothing where moves are no cells."""
    opened = _opened(text)
    return opened.rules.cells(line_of(state)) if opened.board else np.zeros(shape, np.int8)


def _look(opened: Opened) -> str:
    """How the board is drawn: as ``core.games.spec`` names it, or as words."""
    if opened.board is None:
        return WORDS
    return "columns" if opened.board.falls else _LOOKS.get(opened.game.get_type().short_name, "marks")


def _words(text: str, state: OpenSpielState) -> str:
    """The position as OpenSpiel writes it, and what it calls the moves where they are numbers here."""
    opened = _opened(text)
    position = opened.rules.state(line_of(state))
    words = _COLOURS.sub("", str(position)).rstrip()
    if _RANKS.fullmatch(words.split(" ")[0]):
        words = "\n".join([*_board_of_ranks(words.split(" ")[0]), "", words])
    if position.is_terminal() or not are_numbers(opened.game):
        return words
    player = position.current_player()
    names = [f"{action} {position.action_to_string(player, action)}" for action in position.legal_actions()]
    return "\n".join([words, "", *wrap("  ".join(name.replace(" ", "\xa0") for name in names), _WIDTH)])


def _board_of_ranks(ranks: str) -> list[str]:
    """The rows of a board as FEN writes it, a dot for each empty cell."""
    rows = [re.sub("[0-9]+", lambda match: "." * int(match[0]), rank) for rank in ranks.split("/")]
    return [" ".join(re.findall(r"\+?[^~]~?", row)) for row in rows]


def _no_cells(cells: NDArray[np.int8]) -> tuple[int, ...]:
    """No cells: OpenSpiel does not say what won."""
    return ()


def _from_cells(cells: NDArray[np.int8], to_move: int | None, last: int) -> OpenSpielState:
    raise ValueError(Text("a position of a game of OpenSpiel is reached by moves alone, not set up"))


def _refusal(state: OpenSpielState, action: int) -> str:
    return Text("OpenSpiel does not allow it there")


def _build(_: str, params: Mapping[str, Any]) -> GameSpec:
    text = str(_load(params[_GAME.name].removeprefix(f"{_GAME.name}="))).removesuffix("()")
    opened = _opened(text)
    game, board = opened.game, opened.board
    planes, rows, cols = tensor_shape(game)
    names = move_names(game, board, opened.waits)
    if board is None and len(names) - rows * cols in (0, 1):
        planes, rows, cols = planes * rows * cols, 1, 1  # so that moves are not taken for cells
    adds = board is not None and board.adds and game.num_distinct_actions() in (cols, rows * cols)
    parameters = text.partition("(")[2].removesuffix(")")
    title = Text("OpenSpiel: {name}", name=game.get_type().long_name + (f" ({parameters})" if parameters else ""))
    shown = tuple(Text("plane {number} of OpenSpiel", number=plane) for plane in range(planes))
    return GameSpec(
        text=f"openspiel({text})",
        name=":".join(("openspiel", game.get_type().short_name, _look(opened))),
        title=title,
        params={_GAME.name: text},
        shape=(rows, cols),
        action_names=names,
        first_number=1 if board is not None and board.falls else 0,
        max_plies=opened.plies,
        symmetries=np.arange(len(names), dtype=np.int16)[None],
        cell_symmetries=np.arange(rows * cols, dtype=np.int16)[None],
        board=Board(
            new_state=partial(_new_state, text),
            cells=partial(_cells, text, (rows, cols)),
            from_cells=_from_cells,
            winning_cells=_no_cells,
            redraw=redraw,
            refusal=_refusal,
            text=None if board is not None else partial(_words, text),
            check=raise_failure,
            past=no_past if adds else line_of,
        ),
        num_planes=NUM_PLANES if board is not None else max(1, planes),
        rows_from_top=board is not None and not board.falls,
        gravity=board is not None and board.falls,
        stones_alternate=adds and not opened.waits,
        solver=MINIMAX if adds and opened.plies <= 2 * rows * cols + 2 else NO_SOLVER,
        encodings=(OWN_ENCODING, Encoding(TENSOR, shown, (), new_tensor))[: 2 if board is not None else 1],
    )


_GAME: Final = OpenParameter(
    "game",
    ("breakthrough", "chess", "connect_four", "hex", "othello", "tic_tac_toe", "y"),
    None,  # type: ignore[arg-type]  # there is no usual one
    ".+",
    Text("a game by OpenSpiel's name and parameters, as in hex(board_size=9)"),
)
OPENSPIEL: Final = GameFamily(
    "openspiel",
    "OpenSpiel",
    (_GAME,),
    _build,
    states=("openspiel(tic_tac_toe)",) if find_spec(PACKAGE) else (),
    whole=True,
)
