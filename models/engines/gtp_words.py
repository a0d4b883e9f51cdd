"""Arguments and answers of GTP commands: rules in KataGo's form, lines of figures of analysis, ``kata-raw-nn``.

The forms are those of Leela Zero's ``lz-analyze`` and of KataGo's ``kata-`` commands.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from core.checks import short
from core.engine.evaluator import Evaluator
from core.engine.ownership import Ownership
from core.files.reading import parse_json
from core.games import GameSpec, Position
from core.games.net_inputs import inputs_of
from core.games.spec import PASS, RuleNames
from core.glass.snapshot import MoveRow, Snapshot
from models.engines.gtp_board import GtpBoard, Refused
from models.engines.gtp_client import vertex
from models.netfiles.evaluator import OnnxEvaluator
from models.netfiles.katago_answers import ROOT_OPTIMISM, Answers, answers, scaling_of
from models.netfiles.katago_graph import ENCODING

SYMMETRIES: Final = 8
_TRANSPOSED: Final = 4
_MISSING: Final = -1.0  # a figure that the net does not give
Array = NDArray[Any]
COLOUR_OF: Final = {"b": 0, "black": 0, "w": 1, "white": 1}
_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
_INTERVAL: Final = 50  # hundredths of a second between two lines of an analysis
_KGS: Final = {"chinese": "chinese-kgs"}  # it plays Chinese rules with superko


def raw_answer(evaluator: Evaluator | None, position: Position, symmetry: int, optimism: float = ROOT_OPTIMISM) -> str:
    """The lines of one symmetry; Refused when the net is none of KataGo's or the game is over."""
    if not isinstance(evaluator, OnnxEvaluator) or evaluator.info.encoding != ENCODING:
        raise Refused("this needs a net of KataGo")
    if position.is_over:
        raise Refused("the game is over")
    height, width = position.game.shape
    answer = net_answers(evaluator, position, symmetry, optimism)
    sign = 1.0 if position.to_move else -1.0
    win, loss, none = answer.outcome[0].tolist()
    white, black = (win, loss) if position.to_move else (loss, win)
    scores = answer.scores
    mean, spread = float(scores.mean[0]), float(scores.stdev[0])
    figures = {
        "whiteWin": f"{white:.6f}",
        "whiteLoss": f"{black:.6f}",
        "noResult": f"{none:.6f}",
        "whiteLead": f"{sign * float(scores.lead[0]):.3f}",
        "whiteScoreSelfplay": f"{sign * mean:.3f}",
        "whiteScoreSelfplaySq": f"{mean * mean + spread * spread:.3f}",
        "varTimeLeft": _figure(scores.var_time),
        "shorttermWinlossError": _figure(scores.win_error),
        "shorttermScoreError": _figure(scores.score_error),
    }
    policy = np.full(position.game.num_actions, np.nan)
    legal = list(position.legal_actions())
    policy[legal] = answer.policy[0, legal]
    lines = [f"symmetry {symmetry}", *(f"{name} {figure}" for name, figure in figures.items())]
    lines += ["policy", *_grid(policy[:-1].reshape(height, width), "8.6f")]
    lines += [f"policyPass {policy[-1]:8.6f}"]
    if answer.ownership is not None:
        lines += ["whiteOwnership", *_grid(sign * answer.ownership[0].astype(np.float64), "9.7f")]
    return "\n".join(lines)


def net_answers(evaluator: OnnxEvaluator, position: Position, symmetry: int, optimism: float) -> Answers:
    """The net's answers to a board that was turned, turned back."""
    game = position.game
    height, width = game.shape
    turn = symmetry if height == width else symmetry & ~_TRANSPOSED
    encoding = evaluator.encoding
    inputs = inputs_of(position, encoding)
    outputs = evaluator.outputs((), np.ascontiguousarray(turned(inputs.planes, turn)), inputs.features)
    channels = outputs["policy"].shape[1]
    points = turned_back(outputs["policy"][:, :, :-1].reshape(1, channels, height, width), turn)
    outputs["policy"] = np.concatenate((points.reshape(1, channels, -1), outputs["policy"][:, :, -1:]), axis=2)
    if "ownership" in outputs:
        outputs["ownership"] = turned_back(outputs["ownership"], turn)
    legal = np.zeros((1, game.num_actions), bool)
    legal[0, list(position.legal_actions())] = True
    assert game.action_names[-1] == PASS
    scaling = scaling_of(evaluator.info.config)
    return answers(outputs, legal, scaling, optimism=optimism, no_result=encoding.no_result)


def turned(planes: Array, symmetry: int) -> Array:
    """KataGo's symmetries of a board's rows and columns: bit 0 flips rows, bit 1 columns, bit 2 transposes then."""
    planes = planes[..., ::-1, :] if symmetry & 1 else planes
    planes = planes[..., ::-1] if symmetry & 2 else planes
    return np.swapaxes(planes, -1, -2) if symmetry & _TRANSPOSED else planes


def turned_back(planes: Array, symmetry: int) -> Array:
    """The inverse of ``turned``."""
    return turned(np.swapaxes(planes, -1, -2) if symmetry & _TRANSPOSED else planes, symmetry & ~_TRANSPOSED)


def _figure(values: Array | None) -> str:
    return f"{_MISSING if values is None else float(values[0]):.3f}"


def _grid(figures: Array, form: str) -> list[str]:
    """Rows of figures; illegal moves are NAN, as KataGo writes them."""
    words = [[f"{figure:{form}}" if np.isfinite(figure) else "     NAN" for figure in row] for row in figures.tolist()]
    return [" ".join(row) for row in words]


@dataclass
class AnalysisRequest:
    """What an analysis command asks for."""

    colour: int
    katago: bool
    least: int = 0
    """Rows, those of moves without visits among them."""
    interval_s: float = _INTERVAL / 100
    most: int = 1000
    """Rows, at most."""
    root: bool = False
    ownership: bool = False
    only: list[int] = field(default_factory=list)
    without: list[int] = field(default_factory=list)


def read_request(words: list[str], board: GtpBoard, *, katago: bool) -> AnalysisRequest:
    """Read ``[colour] [interval] {key value}``, in the manner of both programs; keys not known are passed over."""
    request = AnalysisRequest(board.position.to_move, katago)
    rest: Iterator[str] = iter(words)
    for word in rest:
        if word.lower() in COLOUR_OF:
            request.colour = COLOUR_OF[word.lower()]
        elif _WHOLE.fullmatch(word):
            request.interval_s = int(word) / 100
        elif word in ("avoid", "allow"):
            colour, moves, _ = next(rest, ""), next(rest, ""), next(rest, "")
            if colour_of([colour]) == request.colour:
                target = request.only if word == "allow" else request.without
                target.extend(board.parse(move) for move in moves.split(",") if move)
        else:
            value = next(rest, "")
            if word == "interval" and _WHOLE.fullmatch(value):
                request.interval_s = int(value) / 100
            elif word == "minmoves" and _WHOLE.fullmatch(value):
                request.least = int(value)
            elif word == "maxmoves" and _WHOLE.fullmatch(value):
                request.most = max(1, int(value))
            elif word == "rootInfo":
                request.root = value == "true"
            elif word == "ownership":
                request.ownership = katago and value == "true"
    return request


def info_line(snapshot: Snapshot, request: AnalysisRequest, ownership: Ownership | None = None) -> str:
    """One line of figures, in the form of KataGo or Leela Zero; that of KataGo may have ``ownership``."""
    rows = [row for place, row in enumerate(snapshot.moves) if row.visits or place < request.least][: request.most]
    line = " ".join(_row(snapshot.position.game, row, order, request.katago) for order, row in enumerate(rows))
    if request.root:
        root = snapshot.root
        line += f" rootInfo visits {root.visits} winrate {win_rate(snapshot.value):.6f}" + _lead(root.lead)
    if ownership is not None:
        sign = -1.0 if snapshot.position.to_move else 1.0
        line += " ownership " + " ".join(f"{sign * point:.6f}" for point in ownership.points.ravel().tolist())
    return line


def _row(game: GameSpec, row: MoveRow, order: int, katago: bool) -> str:
    pv = " ".join(vertex(game, action) for action in row.pv)
    win = win_rate(row.q)
    if not katago:
        prior = 0.0 if math.isnan(row.prior) else row.prior
        return (
            f"info move {vertex(game, row.action)} visits {row.visits} winrate {round(10000 * win)} "
            f"prior {round(10000 * prior)} order {order} pv {pv}"
        )
    prior_words = "" if math.isnan(row.prior) else f"prior {row.prior:.6f} "
    return (
        f"info move {vertex(game, row.action)} visits {row.visits} edgeVisits {row.visits} utility {row.q:.6f} "
        f"winrate {win:.6f}{_lead(row.lead, row.lead_spread)} {prior_words}order {order} pv {pv}"
    )


def _lead(lead: float, spread: float = math.nan) -> str:
    """The words of a score lead; "" where there is none."""
    if math.isnan(lead):
        return ""
    words = f" scoreMean {lead:.4f} scoreLead {lead:.4f}"
    return words if math.isnan(spread) else f" scoreMean {lead:.4f} scoreStdev {spread:.4f} scoreLead {lead:.4f}"


def win_rate(value: float) -> float:
    """A value in [-1, 1] as a share of wins; one half where there is none."""
    return 0.5 if math.isnan(value) else 0.5 + 0.5 * value


@dataclass
class RawRequest:
    """What ``kata-raw-nn`` asks for."""

    colour: int
    symmetries: range
    optimism: float


def read_raw_request(words: list[str], board: GtpBoard) -> RawRequest:
    """Read ``[colour] symmetry [optimism]``; Refused for others."""
    colour = board.position.to_move
    if words and words[0].lower() in COLOUR_OF:
        colour, words = COLOUR_OF[words[0].lower()], words[1:]
    if word_at(words, 0, "symmetry") == "all":
        symmetries = range(SYMMETRIES)
    else:
        symmetry = whole_at(words, 0, "symmetry")
        if not 0 <= symmetry < SYMMETRIES:
            raise Refused(f"symmetry {symmetry} is none of 0 to {SYMMETRIES - 1} or all")
        symmetries = range(symmetry, symmetry + 1)
    optimism = number_at(words, 1, "optimism") if len(words) > 1 else ROOT_OPTIMISM
    if not 0.0 <= optimism <= 1.0:
        raise Refused(f"optimism {optimism:g} is not from 0 to 1")
    return RawRequest(colour, symmetries, optimism)


def word_at(words: list[str], place: int, what: str) -> str:
    if len(words) <= place:
        raise Refused(f"the {what} is missing")
    return words[place]


def colour_of(words: list[str]) -> int:
    word = word_at(words, 0, "colour").lower()
    if word not in COLOUR_OF:
        raise Refused(f"invalid colour {short(word)}; it is black or white")
    return COLOUR_OF[word]


def whole_at(words: list[str], place: int, what: str) -> int:
    word = word_at(words, place, what)
    if not re.fullmatch(r"-?[0-9]{1,9}", word):
        raise Refused(f"{what} {short(word)} is no whole number")
    return int(word)


def number_at(words: list[str], place: int, what: str) -> float:
    word = word_at(words, place, what)
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{0,9})?", word):
        raise Refused(f"{what} {short(word)} is no number")
    return float(word)


def rules_text(game: GameSpec) -> str:
    """The rules in JSON, as KataGo writes them."""
    return json.dumps(_names(game).fields(game.params), sort_keys=True, separators=(",", ":"))


def read_rules(game: GameSpec, words: list[str]) -> dict[str, Any]:
    """The game's parameters for ``kata-set-rules``, by a name or by JSON; ValueError for what is neither."""
    names, text = _names(game), " ".join([word_at(words, 0, "rules"), *words[1:]])
    if not text.startswith("{"):
        return _with_board(game, names.named(words[0]))
    fields = parse_json(text)
    return _with_board(game, names.with_fields({name: fields[name] for name in fields if name != "komi"}))


def read_rule(game: GameSpec, words: list[str]) -> dict[str, Any]:
    """The game's parameters for ``kata-set-rule``, which changes one field."""
    names = _names(game)
    return _with_board(
        game, names.changed(names.fields(game.params), word_at(words, 0, "rule"), word_at(words, 1, "value"))
    )


def read_kgs_rules(game: GameSpec, words: list[str]) -> dict[str, Any]:
    """The game's parameters for ``kgs-rules``."""
    name = word_at(words, 0, "rules").lower()
    return read_rules(game, [_KGS.get(name, name)])


def _names(game: GameSpec) -> RuleNames:
    if game.rule_names is None:
        raise Refused(f"{game.name} has no rules to name")
    return game.rule_names


def _with_board(game: GameSpec, params: Mapping[str, Any]) -> dict[str, Any]:
    """With board and komi as they are."""
    return {**{key: game.params[key] for key in ("rows", "cols", "komi") if key in game.params}, **params}
