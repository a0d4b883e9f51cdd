"""Requests and answers of ``plyscope serve`` in the words of KataGo's analysis engine.

So programs made for KataGo can ask our search.  A request is KataGo's when it names ``boardXSize``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from core.checks import short
from core.files.reading import BadFile, Fields
from core.games import GameSpec, Position, load_game
from core.games.spec import PASS
from models.engines.engine_list import PROTOCOLS
from models.engines.gtp_board import GtpBoard
from models.engines.gtp_client import vertex
from models.engines.gtp_words import COLOUR_OF

SIGN: Final = "boardXSize"
VIEWS: Final = {"black": 0, "b": 0, "white": 1, "w": 1, "sidetomove": None}
"""Whose win rates are given -> the player, None: the side to move."""
_LARGEST: Final = 361  # lines of a board in a request; the game says which it has
_KOMI: Final = 400.0
_DEEPEST: Final = 10**6  # plies
_FOLLOWED: Final = (
    *("id", "boardXSize", "boardYSize", "rules", "komi", "initialStones", "initialPlayer", "moves", "analyzeTurns"),
    *("maxVisits", "overrideSettings", "reportDuringSearchEvery", "priority", "includePolicy", "includeOwnership"),
    *("avoidMoves", "allowMoves"),
)
_LIMITS: Final = ("avoidMoves", "allowMoves")
_SETTINGS: Final = ("maxVisits", "maxTime", "reportAnalysisWinratesAs")


@dataclass(frozen=True)
class View:
    """How an answer is written."""

    player: int | None = 0
    """Whose win rates and leads are given; None: those of the side to move."""


def not_followed(fields: Fields) -> list[tuple[str, str]]:
    """The names in a request that have no or less effect here, and what is said of each."""
    settings = fields.object("overrideSettings", {})
    names = [name for name in fields.values if name not in _FOLLOWED]
    names += [f"overrideSettings.{name}" for name in settings.values if name not in _SETTINGS]
    deep = [
        name
        for name in _LIMITS
        if any(entry.whole("untilDepth", 1, _DEEPEST, 1) > 1 for entry in _objects(fields, name))
    ]
    only_first = "it is followed for the first move alone"
    return [(name, "it is not followed") for name in names] + [(name, only_first) for name in deep]


def read_only(fields: Fields, position: Position) -> tuple[int, ...]:
    """The moves that a request leaves at a position, () for all; BadFile when it leaves none."""
    board, legal = GtpBoard(position.game), position.legal_actions()
    moves = list(legal)
    for name in _LIMITS:
        listed = {
            board.parse(word)
            for entry in _objects(fields, name)
            if COLOUR_OF.get(entry.text("player").lower()) == position.to_move
            for word in entry.list("moves")
            if isinstance(word, str)
        }
        if listed:
            moves = [action for action in moves if (action in listed) == (name == "allowMoves")]
    if legal and not moves:
        raise BadFile(f"avoidMoves and allowMoves leave no move after move {len(position.moves)}")
    return () if len(moves) == len(legal) else tuple(moves)


def _objects(fields: Fields, name: str) -> list[Fields]:
    return [Fields(value, name) for value in fields.list(name, [])]


def read_positions(game: GameSpec | None, fields: Fields) -> list[Position]:
    """The positions before and after each of the moves; ValueError for what is none."""
    board = GtpBoard(_game(game or load_game(PROTOCOLS["katago"].test_game), fields))
    stones = [(colour, board.parse(word)) for colour, word in _pairs(fields, "initialStones")]
    moves = _pairs(fields, "moves", needed=True)
    first = fields.text("initialPlayer", "").lower()
    if first and first not in COLOUR_OF:
        raise BadFile(f"initialPlayer is {short(first)}; it must be b or w")
    to_move = COLOUR_OF[first] if first else moves[0][0] if moves else 0
    if stones or to_move:
        board.set_stones(stones, to_move)
    positions = [board.position]
    for colour, word in moves:
        board.play(colour, board.parse(word))
        positions.append(board.position)
    return positions


def _game(game: GameSpec, fields: Fields) -> GameSpec:
    """The game with the board, rules and komi that are asked for."""
    board = GtpBoard(game)
    cols, rows = (fields.whole(name, 1, _LARGEST) for name in ("boardXSize", "boardYSize"))
    if (rows, cols) != game.shape:
        board = GtpBoard(board.changed(rows=rows, cols=cols))
    rules, names = fields.values.get("rules"), game.rule_names
    if rules is not None and names is not None:
        if not isinstance(rules, str | dict):
            raise BadFile(f"rules is {short(rules)}; it must be a name or an object")
        named = names.named(rules) if isinstance(rules, str) else names.with_fields(rules)
        board = GtpBoard(board.changed(**named))
    komi = fields.number("komi", -_KOMI, _KOMI, None)
    if komi is not None and "komi" in game.params:
        board = GtpBoard(board.changed(komi=komi))
    return board.game


def _pairs(fields: Fields, name: str, needed: bool = False) -> list[tuple[int, str]]:
    """A list of ``["B", "D4"]``: the player and the point of each."""
    pairs = []
    for pair in fields.list(name) if needed else fields.list(name, []):
        words = pair if isinstance(pair, list) and len(pair) == 2 else [None, None]
        colour = COLOUR_OF.get(words[0].lower()) if isinstance(words[0], str) else None
        if colour is None or not isinstance(words[1], str):
            raise BadFile(f'{name} has {short(pair)}; it must be a list as in [["B","D4"],["W","C3"]]')
        pairs.append((colour, words[1]))
    return pairs


def read_view(fields: Fields) -> View:
    """Whose win rates are asked for: the first player's, as KataGo has it, or what the request says."""
    word = fields.object("overrideSettings", {}).text("reportAnalysisWinratesAs", "black")
    if word.lower() not in VIEWS:
        raise BadFile(f"reportAnalysisWinratesAs is {short(word)}; it must be BLACK, WHITE or SIDETOMOVE")
    return View(VIEWS[word.lower()])


def answer(figures: Mapping[str, Any], position: Position, view: View) -> dict[str, Any]:
    """The figures of ``plyscope analyze --json`` in KataGo's words."""
    sign = 1.0 if view.player is None or view.player == position.to_move else -1.0
    game = position.game

    def rates(value: float | None, lead: float | None) -> dict[str, float]:
        both = {} if value is None else {"winrate": (1.0 + sign * value) / 2.0}
        return both if lead is None else {**both, "scoreLead": sign * lead, "scoreMean": sign * lead}

    best = figures["best"]
    rows = [row for row in figures["moves"] if row["visits"]]
    rows.sort(key=lambda row: (best is None or row["action"] != best["action"], -row["visits"]))
    data: dict[str, Any] = {
        "moveInfos": [
            {
                "move": vertex(game, row["action"]),
                "visits": row["visits"],
                "edgeVisits": row["visits"],
                **rates(row["q"], row["lead"]),
                **({} if row["prior"] is None else {"prior": row["prior"]}),
                "order": order,
                "pv": [vertex(game, action) for action in _actions(game, row["pv"])],
            }
            for order, row in enumerate(rows)
        ],
        "rootInfo": {
            "currentPlayer": "BW"[position.to_move],
            "visits": figures["simulations"],
            **rates(figures["value"], figures["lead"]),
        },
    }
    if "policy" in figures:
        data["policy"] = _policy(game, figures["policy"])
    if "ownership" in figures:
        side = 1.0 if position.to_move == 0 else -1.0
        data["ownership"] = [sign * side * point for line in figures["ownership"]["points"] for point in line]
    return data


def _actions(game: GameSpec, names: list[str]) -> list[int]:
    return [game.action_names.index(name) for name in names]


def _policy(game: GameSpec, priors: Mapping[str, float | None]) -> list[float]:
    """A prior for each point from the top left, the pass last; -1 where no move is legal."""
    names = [*game.action_names[: game.num_cells], PASS]
    return [-1.0 if (prior := priors.get(name)) is None else prior for name in names]
